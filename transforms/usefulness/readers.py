"""Word vectors from files: word2vec binary, GloVe text, fastText text. Each reader takes an open binary file.

A file that is cut off or of uneven dimension is a ValueError that says where; nothing in a file is ever executed.
"""

from array import array
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from transforms.usefulness.vectors import TableVectors

_LONGEST_WORD = 4096  # bytes; a longer one means that this is no file of vectors
_LARGEST_DIMENSION = 100_000
_LARGEST_NUMBER = 1e6  # word vectors hold numbers near 1; squares of squares of much larger ones overflow
_PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ")  # gzip, zip, bzip2, xz
_MARK = b"\xef\xbb\xbf"  # a byte order mark, which some editors put first


def read_word2vec(file: BinaryIO, limit: int | None = None) -> TableVectors:
    """A header `words dimension`, then for each word its name, a space and little-endian 32-bit floats."""
    words, dimension = _header(file, "word2vec")
    count = words if limit is None else min(words, limit)
    names: list[str] = []
    numbers = array("f")
    for number in range(1, count + 1):
        names.append(_name(file, number, words))
        body = file.read(4 * dimension)
        if len(body) < 4 * dimension:
            raise ValueError(f"the word2vec file is cut off in the vector of word {number} of {words}")
        numbers.frombytes(_checked(np.frombuffer(body, dtype="<f4"), f"word2vec word {number}"))
    rest = file.read(2).strip(b"\n") if count == words else b""
    if rest:
        raise ValueError(
            f"the word2vec file goes on after the {words} words of dimension {dimension} that its header states: "
            "wrong header?"
        )
    return _table(names, numbers)


def read_text(file: BinaryIO) -> TableVectors:
    """fastText if the first line is a header, else GloVe."""
    line = file.readline(100)
    if line.startswith(_PACKED):
        raise ValueError("the file is packed: unpack it first (gunzip, unzip, bunzip2 or unxz)")
    first = line.removeprefix(_MARK).split()
    file.seek(0)
    has_header = len(first) == 2 and all(part.isdigit() for part in first)
    return read_fasttext(file) if has_header else read_glove(file)


def read_glove(file: BinaryIO, dimension: int | None = None, limit: int | None = None) -> TableVectors:
    """One word on a line, then its numbers; the first line sets the dimension unless one is required."""
    return _lines(file, "GloVe", dimension, None, limit)


def read_fasttext(file: BinaryIO, dimension: int | None = None, limit: int | None = None) -> TableVectors:
    """A header `words dimension`, then lines as in GloVe."""
    words, stated = _header(file, "fastText")
    if dimension is not None and dimension != stated:
        raise ValueError(f"the fastText file holds vectors of dimension {stated}, not {dimension}")
    return _lines(file, "fastText", stated, words, limit)


def _header(file: BinaryIO, kind: str) -> tuple[int, int]:
    parts = file.readline(100).removeprefix(_MARK).split()
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        raise ValueError(f"this is no {kind} file: its first line must be the number of words and the dimension")
    words, dimension = int(parts[0]), int(parts[1])
    if words < 1 or not 1 <= dimension <= _LARGEST_DIMENSION:
        raise ValueError(f"the {kind} file states {words} words of dimension {dimension}")
    return words, dimension


def _name(file: BinaryIO, number: int, words: int) -> str:
    letters = bytearray()
    while True:
        letter = file.read(1)
        if not letter:
            raise ValueError(f"the word2vec file is cut off before word {number} of {words}")
        if letter == b" ":
            break
        if letter != b"\n":  # some writers end each vector with a line break
            letters += letter
        if len(letters) > _LONGEST_WORD:
            raise ValueError(f"the word2vec file has no word where word {number} should be: wrong dimension?")
    try:
        name = letters.decode()
    except UnicodeDecodeError:
        name = ""
    if not name:
        raise ValueError(f"the word2vec file has no readable word where word {number} should be: wrong dimension?")
    return name


def _lines(file: BinaryIO, kind: str, dimension: int | None, words: int | None, limit: int | None) -> TableVectors:
    names: list[str] = []
    numbers = array("f")
    for line in file:
        if not line.strip():
            if file.read(1):
                raise ValueError(f"{kind} word {len(names) + 1}: a blank line")
            break  # at the end it does no harm
        if limit is not None and len(names) >= limit:
            break
        number = len(names) + 1
        if number == 1 and words is not None and not _is_text(line):
            raise ValueError("this looks like the binary form of word2vec: give the file the suffix .bin")
        if not line.endswith(b"\n"):  # or a number that lost its last digits would pass
            raise ValueError(
                f"{kind} word {number}: the file ends within its line; cut off, or no line break at its end?"
            )
        line = (line.removeprefix(_MARK) if number == 1 else line).replace(b"\t", b" ")
        parts = line.decode("utf-8", errors="replace").rstrip().split(" ")
        wanted = dimension if dimension is not None else len(parts) - 1
        if len(parts) <= wanted or wanted < 1:
            raise ValueError(f"{kind} word {number}: {len(parts) - 1} numbers where {wanted} are expected; cut off?")
        # A few GloVe words contain spaces, so the numbers are counted from the end.
        try:
            row = np.array([float(part) for part in parts[len(parts) - wanted :]])
        except ValueError as error:
            raise ValueError(f"{kind} word {number}: not a vector of dimension {wanted} ({error})") from error
        name = " ".join(parts[: len(parts) - wanted])
        if _is_number(parts[len(parts) - wanted - 1]) and len(parts) - wanted > 1:
            raise ValueError(f"{kind} word {number}: more than the {wanted} numbers expected; wrong dimension?")
        dimension = wanted
        names.append(name)
        numbers.frombytes(_checked(row, f"{kind} word {number}"))
    if words is not None and limit is None and len(names) != words:
        problem = "is cut off" if len(names) < words else "has a wrong header"
        raise ValueError(f"the {kind} file {problem}: {len(names)} of {words} words")
    if not names:
        raise ValueError(f"the {kind} file holds no words")
    return _table(names, numbers)


def _table(names: list[str], numbers: "array[float]") -> TableVectors:
    """The numbers as rows without a copy: the usual files hold gigabytes."""
    return TableVectors(names, np.frombuffer(numbers, dtype=np.float32).reshape(len(names), -1))


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return b"\x00" not in line


def _is_number(part: str) -> bool:
    try:
        float(part)
    except ValueError:
        return False
    return True


def _checked(row: NDArray[Any], where: str) -> bytes:
    if not np.isfinite(row).all():
        raise ValueError(f"{where}: a number that is not finite; wrong dimension or a damaged file?")
    if np.abs(row).max() > _LARGEST_NUMBER:
        raise ValueError(f"{where}: a number of {np.abs(row).max():.3g}; wrong dimension or a damaged file?")
    return row.astype(np.float32).tobytes()
