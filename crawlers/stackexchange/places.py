"""Where every post belongs: its thread and its lesson, by number."""

import mmap
import struct
import tempfile

ENTRY = struct.Struct("<II")
ACCEPTED, SHOWN = 1 << 31, 1 << 30
MAX_ID = 1 << 31
FIRST_SIZE = 1 << 20


class Places:
    """Eight bytes for each post id in a temporary file, so that memory does not grow with the number of posts."""

    def __init__(self) -> None:
        """Begin with nothing known."""
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 (lives as long as the object)
        self.file.truncate(FIRST_SIZE)
        self.map = mmap.mmap(self.file.fileno(), FIRST_SIZE)

    def put(self, post: int, thread: int, lesson: int, mark: int = 0) -> None:
        """Note where a post belongs, with a mark that it was accepted or shown."""
        offset = post * ENTRY.size
        if offset + ENTRY.size > len(self.map):
            self.map.resize(1 << (offset + ENTRY.size - 1).bit_length())
        ENTRY.pack_into(self.map, offset, thread, (lesson + 1) | mark)

    def get(self, post: int) -> tuple[int, int, int] | None:
        """The thread, the lesson and the marks of a post, None when nothing is known of it."""
        offset = post * ENTRY.size
        if not 0 <= offset <= len(self.map) - ENTRY.size:
            return None
        thread, value = ENTRY.unpack_from(self.map, offset)
        lesson = (value & ~(ACCEPTED | SHOWN)) - 1
        return None if lesson < 0 else (thread, lesson, value & (ACCEPTED | SHOWN))

    def close(self) -> None:
        """Give the file back."""
        self.map.close()
        self.file.close()
