"""Megabytes of XML per second that the Stack Exchange reader streams on one core, before HTML is turned into text.

The baseline walks the same file once with lxml's iterparse and looks at nothing; the reader walks it twice.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from xml.sax.saxutils import quoteattr

from lxml import etree

from crawlers.stackexchange.reader import markup

PROJECT = Path(__file__).resolve().parents[2]
GOAL = 50
SMALL, LARGE = 40_000, 160_000  # posts, of about a kilobyte as in real dumps
ROUNDS = 3
PARAGRAPH = (
    "<p>When I shift to the largest sprocket the chain &amp; the cage make a noise, and <em>only</em> under load. "
    'I followed <a href="https://example.org/guide">a guide</a>: what else can I check?</p>\n'
)


def write_dump(folder: Path, posts: int) -> int:
    """A dump of so many questions and answers in turn; the size of its posts in bytes."""
    tags = [f"tag-{number}" for number in range(200)]
    with (folder / "Tags.xml").open("w", encoding="utf-8") as file:
        file.write('\ufeff<?xml version="1.0" encoding="utf-8"?>\n<tags>\n')
        file.writelines(f'  <row Id="{n}" TagName="{tag}" Count="{n * 7 % 101}" />\n' for n, tag in enumerate(tags, 1))
        file.write("</tags>")
    with (folder / "Posts.xml").open("w", encoding="utf-8") as file:
        file.write('\ufeff<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        for number in range(1, posts, 2):
            body = quoteattr(PARAGRAPH * (1 + number // 2 % 6)).replace("\n", "&#xA;")
            rest = (
                f'CreationDate="2019-03-04T05:06:07.890" Score="{number % 9}" Body={body} OwnerUserId="{number % 997}"'
                ' LastEditorUserId="5" LastEditDate="2020-01-01T00:00:00" LastActivityDate="2020-01-01T00:00:00.000"'
                ' CommentCount="2" ContentLicense="CC BY-SA 4.0"'
            )
            named = f"|{tags[number % 200]}|{tags[number * 3 % 200]}|"
            file.write(
                f'  <row Id="{number}" PostTypeId="1" AcceptedAnswerId="{number + 1}" ViewCount="12" {rest}'
                f' Title="Why does it rattle under load?" Tags="{named}" AnswerCount="1" />\n'
                f'  <row Id="{number + 1}" PostTypeId="2" ParentId="{number}" {rest} />\n'
            )
        file.write("</posts>")
    return (folder / "Posts.xml").stat().st_size


def bare(folder: Path) -> None:
    """Walk the posts, and look at nothing."""
    for _, row in etree.iterparse(folder / "Posts.xml", events=("end",), tag="row"):
        row.clear()
        while row.getprevious() is not None:
            del row.getparent()[0]


def ours(folder: Path) -> None:
    """Read every record."""
    for _ in markup(folder, {}):
        pass


def memory(folder: Path) -> int:
    """The most memory that reading takes, in MB, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.speed.stackexchange", str(folder)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True, cwd=PROJECT).stdout)


def report() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as grown:
        size = write_dump(Path(folder), SMALL) / 1e6
        best = {bare: 0.0, ours: 0.0}
        for _ in range(ROUNDS):
            for work in best:
                began = process_time()
                work(Path(folder))
                best[work] = max(best[work], size / (process_time() - began))
        print(f"stackexchange: bare iterparse {best[bare]:.0f} MB/s, reader {best[ours]:.0f} MB/s of XML on one core, "
              f"{best[ours] / best[bare]:.0%} (goal {GOAL} MB/s)")  # fmt: skip
        large = write_dump(Path(grown), LARGE) / 1e6
        print(f"stackexchange memory: {memory(Path(folder))} MB for {size:.0f} MB of posts, "
              f"{memory(Path(grown))} MB for {large:.0f} MB")  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:]:
        ours(Path(sys.argv[1]))
        peak = re.search(
            r"VmHWM:\s+([0-9]+)", Path("/proc/self/status").read_text()
        )  # ru_maxrss counts the parent's too
        print(int(peak[1]) // 1024 if peak else 0)
    else:
        report()
