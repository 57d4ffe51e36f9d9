"""The html source on a real forum that nobody here wrote: Askbot from PyPI, with the configuration of the docs.

Opt-in, since it installs Askbot into an environment of its own: QUARRY_TEST_ASKBOT=1 pytest -m slow.
"""

import os
import re
import socket
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from toy import crawl, posts, records

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.environ.get("QUARRY_TEST_ASKBOT") != "1", reason="QUARRY_TEST_ASKBOT is not 1"),
]
DOCS = Path(__file__).parents[2] / "docs" / "sources" / "html.md"
SETUP = (
    "--noinput --root-directory board --proj-name forum --db-engine sqlite --db-name forum.sqlite3 --admin-name admin "
    "--admin-email admin@example.org --domain-name forum.example.org --language-code en --timezone UTC"
)
QUESTIONS, ANSWERS, COMMENTS = 33, 13, 8  # more than a page of each: 30, 10 and 5
FILL = f"""
from django.contrib.auth import get_user_model
people = []
for number in range({ANSWERS + 1}):
    person = get_user_model().objects.create_user(f"person{{number}}", f"p{{number}}@example.org", "x")
    person.receive_reputation(500)
    person.save()
    people.append(person)
for n in range({QUESTIONS}):
    question = people[0].post_question(title=f"Why does lever {{n}} lift it?", body_text="I push it down.", tags="a")
    if n == 0:
        for a in range({ANSWERS}):
            answer = people[a + 1].post_answer(question=question, body_text=f"Answer {{a}}: the arm is longer there.")
        for c in range({COMMENTS}):
            people[0].post_comment(parent_post=answer, body_text=f"Comment {{c}}: how long is it then?")
        people[0].accept_best_answer(answer)
        people[0].upvote(answer)
"""
EDIT = """
from askbot.models import Post
answer = Post.objects.filter(post_type="answer").order_by("id").first()
answer.author.edit_answer(answer, body_text="Edited: the arm is longer there, so it takes less force.")
"""


def run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=900)
    assert done.returncode == 0, (command[:3], done.stdout[-2000:], done.stderr[-2000:])


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str, str]]:
    """An Askbot with some threads: its folder, its Python and its address."""
    folder = tmp_path_factory.mktemp("askbot")
    python = str(folder / "venv" / "bin" / "python")
    run(folder, sys.executable, "-m", "venv", "venv")
    run(folder, python, "-m", "pip", "install", "--quiet", "askbot==0.13.0", "setuptools<80")
    run(folder, str(folder / "venv" / "bin" / "askbot-setup"), *SETUP.split())
    place = folder / "board"
    settings = place / "forum" / "settings.py"
    with settings.open("a") as file:
        # A cache in memory would hide from the server what another process writes.
        cache = {"BACKEND": "django.core.cache.backends.filebased.FileBasedCache", "LOCATION": str(folder / "cache")}
        file.write(f"\nALLOWED_HOSTS = ['127.0.0.1']\nCACHES['default'] = {cache!r}\n")
    for task in (("migrate", "--noinput"), ("collectstatic", "--noinput"), ("shell", "-c", FILL)):
        run(place, python, "manage.py", *task)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [python, "manage.py", "runserver", "--noreload", "--insecure", f"127.0.0.1:{port}"]
    with (folder / "log.txt").open("w") as log:
        server = subprocess.Popen(command, cwd=place, stdout=log, stderr=log)
    try:
        url = f"http://127.0.0.1:{port}/questions/"
        wait_for(url)
        yield place, python, url
    finally:
        server.terminate()
        server.wait(30)


def wait_for(url: str) -> None:
    """Wait until the forum answers, at most a minute."""
    for _ in range(120):
        try:
            with urlopen(url, timeout=30):
                return
        except URLError:
            time.sleep(0.5)
    raise AssertionError(f"{url} does not answer")


def documented() -> dict[str, Any]:
    found = re.search(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    options: dict[str, Any] = tomllib.loads(found.group(1))["sources"][0]["options"]
    return options


def test_askbot_is_read_whole_and_an_edit_is_seen(board: tuple[Path, str, str], tmp_path: Path) -> None:
    place, python, url = board
    summary = crawl(url, tmp_path, "html", options=documented())
    assert (summary["code"], summary["rejects"]) == (0, {})
    found = [record["body"] for record in records(tmp_path) if record["type"] == "post"]
    assert Counter(post["kind"] for post in found) == {"question": QUESTIONS, "answer": ANSWERS, "comment": COMMENTS}
    (accepted,) = [post for post in found if post["accepted"]]
    assert accepted["votes"] == 1
    assert {post["parent_id"] for post in found if post["kind"] == "comment"} == {accepted["post_id"]}
    assert all(post["author"] and post["created_at"] for post in found)
    assert any(post["text"] == "Why does lever 7 lift it?\n\nI push it down." for post in found)
    run(place, python, "manage.py", "shell", "-c", EDIT)
    assert crawl(url, tmp_path, "html", options=documented() | {"revisit": 0})["changes"]["changed"] == 1
    assert any(text.startswith("Edited:") for text in posts(tmp_path).values())
