"""Child processes that never outlive us, even when we are killed.

The child is started through a small parent of its own that holds one end of a pipe. When we die, however we die, the
pipe closes and the small parent ends the child, with everything that the child started in its own session. When the
small parent itself is killed, the child is told to end by the system.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_PATIENCE_SECONDS = 10
_PR_SET_PDEATHSIG = 1  # <sys/prctl.h>


def start(command: list[str], **options: object) -> "tuple[subprocess.Popen[str], int]":
    """Start a command that ends when we do; also the pipe end to keep open until then."""
    reading, writing = os.pipe()
    process: subprocess.Popen[str] = subprocess.Popen(
        [sys.executable, __file__, str(reading), *command],
        pass_fds=(reading,),
        start_new_session=True,
        text=True,
        **options,  # type: ignore[call-overload]
    )
    os.close(reading)
    return process, writing


def run(command: list[str], text: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end with this text on its standard input."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process, keep = start(command, cwd=cwd, **pipes)
    try:
        output, errors = process.communicate(text)
    finally:
        os.close(keep)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def stop(process: "subprocess.Popen[str]", keep: int) -> None:
    """End a command started here and wait until it is gone."""
    os.close(keep)
    process.wait()


def _watch(pipe: int, command: list[str]) -> int:
    """Run the command; end it as soon as the other end of the pipe closes."""
    ending = (signal.SIGTERM, signal.SIGINT)
    signal.pthread_sigmask(signal.SIG_BLOCK, ending)  # until there is a child to pass them on to
    child = subprocess.Popen(command, start_new_session=True, preexec_fn=_tied_to(os.getpid()))
    for signum in ending:
        signal.signal(signum, lambda *_: child.terminate())
    _unblock()
    threading.Thread(target=_end_with, args=(pipe, child), daemon=True).start()
    code = child.wait()
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)  # what the child left behind
    return code if code >= 0 else 128 - code  # killed by a signal: said as a shell does


def _tied_to(parent: int) -> Callable[[], None]:
    """What the child does first: it asks to be ended when its small parent is killed, which Linux alone offers."""
    ask = getattr(ctypes.CDLL(None), "prctl", None)

    def tie() -> None:
        _unblock()
        if ask:
            ask(_PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:
                os._exit(1)  # it was killed already

    return tie


def _unblock() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM, signal.SIGINT))


def _end_with(pipe: int, child: "subprocess.Popen[bytes]") -> None:
    os.read(pipe, 1)  # nothing is ever written: this returns when the other end is closed
    child.terminate()
    try:
        child.wait(_PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    sys.exit(_watch(int(sys.argv[1]), sys.argv[2:]))
