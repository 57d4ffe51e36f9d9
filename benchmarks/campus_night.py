"""Changes about 1 % of a copy of the campus, as a night on a forum does: `python -m benchmarks.campus_night TARGET`.

The texts come from `data/campus/night.json`, so nothing is made up from templates. The same copy and the same seed give
the same changes; another seed on the changed copy is the next night. After four nights the written
texts run out and the nights get smaller.
"""

import argparse
import json
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from crawlers.campus.content import DEFAULT_FOLDER

POOL = "night.json"
SHARE = 0.01
# What a night consists of: mostly new posts, now and then somebody corrects or removes one.
MIX = {"ask": 0.25, "reply": 0.3, "edit": 0.25, "delete": 0.2}
FIRST_NEW_ID = 900_000

Record = dict[str, Any]


class Campus:
    """The threads of a campus folder, changed in memory and written back."""

    def __init__(self, folder: Path) -> None:
        paths = sorted(folder.glob("*/*/threads.json"))
        self.threads: dict[Path, list[Record]] = {path: json.loads(path.read_text(encoding="utf-8")) for path in paths}
        self.folder, self.changed = folder, set[Path]()

    def posts(self) -> Iterator[tuple[Path, Record, Record]]:
        """All posts with their file and thread."""
        for path, threads in self.threads.items():
            for thread in threads:
                for post in thread["posts"]:
                    yield path, thread, post

    def write(self) -> None:
        """Write the files that changed."""
        for path in sorted(self.changed):
            text = json.dumps(self.threads[path], ensure_ascii=False, indent=1)
            path.write_text(text + "\n", encoding="utf-8")


def pool() -> list[Record]:
    """The changes that a night may bring; the place of one in the list gives the id of its post."""
    changes: list[Record] = json.loads((DEFAULT_FOLDER / POOL).read_text(encoding="utf-8"))
    return [{"id": FIRST_NEW_ID + place} | change for place, change in enumerate(changes)]


def spend_night(campus: Campus, seed: int) -> list[str]:
    """Change the campus and say what was changed."""
    found = {post["id"]: (path, thread, post) for path, thread, post in campus.posts()}
    random = Random(seed)
    # The clock of the demonstration: every night comes after the newest post, whatever the day is.
    newest = max(datetime.fromisoformat(post["created_at"]) for _, _, post in found.values())
    evening = newest.replace(hour=18, minute=0, second=0) + timedelta(days=1)
    possible = {kind: [change for change in pool() if change["do"] == kind] for kind in ("ask", "reply", "edit")}
    said = []
    for kind, share in MIX.items():
        wanted = round(SHARE * len(found) * share)
        if kind == "delete":
            said += [delete(campus, *place) for place in random.sample(removable(campus), wanted)]
            continue
        open_changes = [change for change in possible[kind] if applies(found, change)]
        for change in random.sample(open_changes, min(wanted, len(open_changes))):
            moment = evening + timedelta(seconds=random.randrange(12 * 3600))
            said.append(apply(campus, found, change, moment.isoformat().replace("+00:00", "Z")))
    return said


def applies(found: dict[int, tuple[Path, Record, Record]], change: Record) -> bool:
    """Whether a change is still to be made and the post that it is about still there."""
    if change["do"] == "ask":
        return change["id"] not in found
    if change["post"] not in found:
        return False
    body = found[change["post"]][2]["body"]
    return change["old"] in body and change["new"] not in body if change["do"] == "edit" else change["id"] not in found


def apply(campus: Campus, found: dict[int, tuple[Path, Record, Record]], change: Record, moment: str) -> str:
    """Make one change of the pool."""
    number, place = change["id"], found.get(change.get("post", -1))
    new = {
        "id": number, "parent": change.get("post"), "kind": change.get("kind", "question"),
        "author": change.get("author"), "role": "student", "created_at": moment, "votes": 0, "accepted": False,
        "body": change.get("body"),
    }  # fmt: skip
    if place is None:
        path = campus.folder / change["lesson"] / "threads.json"
        campus.threads[path].append({"id": number, "posts": [new]})
        said = f"new thread {number} by {new['author']}"
    elif change["do"] == "reply":
        path, thread, _ = place
        thread["posts"].append(new)
        said = f"new {new['kind']} {number} on post {new['parent']}"
    else:
        path, _, post = place
        post["body"] = post["body"].replace(change["old"], change["new"], 1)
        said = f"edited post {post['id']}"
    campus.changed.add(path)
    return f"{path.parent.relative_to(campus.folder)}: {said}"


def removable(campus: Campus) -> list[tuple[Path, Record, Record]]:
    """Replies that nobody answered and nobody accepted: what authors take back without tearing a thread."""
    answered = {post["parent"] for _, _, post in campus.posts()}
    return [
        (path, thread, post)
        for path, thread, post in campus.posts()
        if post["parent"] and post["id"] not in answered and not post["accepted"] and post["id"] < FIRST_NEW_ID
    ]


def delete(campus: Campus, path: Path, thread: Record, post: Record) -> str:
    """Remove one post."""
    thread["posts"].remove(post)
    campus.changed.add(path)
    return f"{path.parent.relative_to(campus.folder)}: deleted post {post['id']}"


def main() -> None:
    """Copy the bundled campus when there is no copy yet, let one night pass and print what it changed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.campus_night", description=__doc__)
    parser.add_argument("target", type=Path, help="a copy of data/campus; made when it does not exist")
    parser.add_argument("--seed", type=int, default=1, help="which night")
    options = parser.parse_args()
    target = options.target.resolve()
    if target == DEFAULT_FOLDER:
        parser.error("the target is the bundled campus itself; name another folder")
    if not target.exists():
        shutil.copytree(DEFAULT_FOLDER, target, ignore=shutil.ignore_patterns(POOL))
    campus = Campus(target)
    if not campus.threads:
        parser.error(f"{target} holds no <subject>/<slug>/threads.json")
    total = sum(1 for _ in campus.posts())
    said = spend_night(campus, options.seed)
    campus.write()
    print("\n".join(said))
    print(f"{len(said)} changes in a campus of {total} posts")


if __name__ == "__main__":
    main()
