"""Lists runs of six words that the bundled data shares with other texts: `python -m benchmarks.overlap DATA`."""

import argparse
import csv
import io
import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

RUN = 6
BUNDLED = Path(__file__).resolve().parents[1] / "data"
OURS = ("README.md", "campus", "labels")  # everything else in the folder is output
WORD = re.compile(r"\w+")
TAG = re.compile(r"<[^<>]{0,400}>")
CUE_LINE = re.compile(r"^(?:\d+|WEBVTT|(?:\d+:)?\d\d:\d\d[.,]\d+ *-->.*)$", re.MULTILINE)


def words(text: str) -> list[str]:
    """Lower-cased words, the same for plain text, HTML and text in the NLTK tokens of LearningQ ("is n't")."""
    plain = unescape(TAG.sub(" ", text)).lower().replace("\u2019", "'")
    return WORD.findall(plain.replace("n't", " nt").replace("cannot", "can not").replace("'", " "))


def runs(text: str) -> Iterator[str]:
    """All runs of six words of a text."""
    found = words(text)
    return (" ".join(found[start : start + RUN]) for start in range(len(found) - RUN + 1))


def texts(name: str, content: bytes) -> Iterator[str]:
    """The texts of a file, by the end of its name; a zip yields those of its members."""
    suffix = name.rpartition(".")[2].lower()
    if suffix == "zip":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.namelist():
                yield from texts(member, archive.read(member))
    elif suffix == "xml":
        for _, element in ElementTree.iterparse(io.BytesIO(content)):
            yield from filter(None, (element.text, element.tail, *element.attrib.values()))
            element.clear()
    elif suffix == "jsonl":
        for line in content.splitlines():
            yield from strings(json.loads(line))
    elif suffix in ("json", "sjson"):
        yield from strings(json.loads(content))
    elif suffix == "csv":
        for row in csv.reader(io.StringIO(content.decode("utf-8", "replace"))):
            yield from row
    else:
        # Captions run on from cue to cue, so numbers and times go and the rest stays one text.
        yield CUE_LINE.sub("", content.decode("utf-8", "replace"))


def strings(value: object) -> Iterator[str]:
    """All strings of a JSON value; a list of nothing but strings is one text, since captions come so."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list):
        if all(isinstance(part, str) for part in value):
            yield " ".join(value)
        else:
            for part in value:
                yield from strings(part)


def files(folder: Path) -> Iterator[Path]:
    """The files below a folder, in order."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def bundled_files() -> Iterator[Path]:
    """The files of the bundled data."""
    for name in OURS:
        yield from files(BUNDLED / name) if (BUNDLED / name).is_dir() else [BUNDLED / name]


def overlaps(ours: Iterable[Path], theirs: Iterable[Path]) -> Iterator[tuple[str, Path, Path]]:
    """Each shared run once, with the first file of either side; only our runs are held in memory."""
    places: dict[str, Path] = {}
    for path in ours:
        for text in texts(path.name, path.read_bytes()):
            for run in runs(text):
                places.setdefault(run, path)
    for path in theirs:
        for text in texts(path.name, path.read_bytes()):
            for run in runs(text):
                if run in places:
                    yield run, places.pop(run), path


def main() -> None:
    """Print the shared runs; the exit code is 1 when there are any."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.overlap", description=__doc__)
    parser.add_argument("data", type=Path, help="a folder of texts that the bundled data must not repeat")
    folder = parser.parse_args().data
    if not folder.is_dir():
        parser.error(f"{folder} is not a folder")
    found = 0
    for run, ours, theirs in overlaps(bundled_files(), files(folder)):
        found += 1
        print(f"{ours.relative_to(BUNDLED)}\t{run}\t{theirs.relative_to(folder)}")
    print(f"{found} runs of {RUN} words shared with {folder}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
