"""Children end with us, however we end, and text passes through to them and back."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from flows import guard

PROJECT = Path(__file__).resolve().parents[2]
# Starts a guarded child, says its process id, and waits to be killed.
PARENT = """
import sys
from flows import guard
process, keep = guard.start(sys.argv[1:])
sys.stdin.read()
"""
# Says who it is and stays; with `stubborn` it does not listen to requests to end.
CHILD = """
import os, signal, sys, time
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
time.sleep(600)
"""
# A child with a child of its own, which would stay behind.
FAMILY = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]])
child.wait()
"""


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def until(what: Callable[[], bool], seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while not what() and time.monotonic() < deadline:
        time.sleep(0.05)
    return what()


def start(*command: str) -> "tuple[subprocess.Popen[str], int]":
    """A parent with a guarded child, and the child's process id."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT, sys.executable, "-c", *command], cwd=PROJECT, text=True,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    assert parent.stdout
    return parent, int(parent.stdout.readline())


@pytest.mark.parametrize("command", [[CHILD], [FAMILY, CHILD]], ids=["child", "grandchild"])
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_child_ends_when_its_parent_is_killed(command: list[str], end: signal.Signals) -> None:
    parent, child = start(*command)
    assert not gone(child)
    with parent:
        parent.send_signal(end)
        parent.wait(30)
    assert until(lambda: gone(child))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent was killed")
@pytest.mark.parametrize("command", [[CHILD], [FAMILY, CHILD]], ids=["child", "grandchild"])
def test_a_child_ends_when_its_guard_is_killed(command: list[str]) -> None:
    parent, child = start(*command)
    (small,) = psutil.Process(parent.pid).children()
    direct = small.children()[0].pid
    with parent:
        small.kill()
        assert until(lambda: gone(direct))
        parent.kill()
    with suppress(psutil.NoSuchProcess):
        psutil.Process(child).kill()  # a grandchild may stay: nobody is left to end it


@pytest.mark.slow  # it is given ten seconds
def test_a_child_that_does_not_listen_is_killed() -> None:
    process, keep = guard.start([sys.executable, "-c", CHILD, "stubborn"], stdout=subprocess.PIPE)
    with process:
        assert process.stdout
        child = int(process.stdout.readline())
        guard.stop(process, keep)
    assert gone(child)


def test_a_signal_to_the_small_parent_reaches_the_child() -> None:
    process, keep = guard.start([sys.executable, "-c", CHILD], stdout=subprocess.PIPE)
    with process:
        assert process.stdout
        child = int(process.stdout.readline())
        process.terminate()
        assert until(lambda: gone(child))
    os.close(keep)


def test_text_passes_through() -> None:
    said = "Why? Ça, même 中文 and a last line\nwithout an end"
    command = [sys.executable, "-c", "import sys; sys.stdout.write(sys.stdin.read()); sys.stderr.write('aside')"]
    done = guard.run(command, said * 5000, PROJECT)
    assert (done.returncode, done.stdout, done.stderr) == (0, said * 5000, "aside")


def test_the_exit_code_passes_through(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import os, sys; print(os.getcwd()); sys.exit(7)"]
    done = guard.run(command, "", tmp_path)
    assert (done.returncode, done.stdout.strip()) == (7, str(tmp_path))


def test_a_stopped_child_is_gone() -> None:
    process, keep = guard.start([sys.executable, "-c", CHILD], stdout=subprocess.PIPE)
    with process:
        assert process.stdout
        child = int(process.stdout.readline())
        guard.stop(process, keep)
    assert gone(child)
