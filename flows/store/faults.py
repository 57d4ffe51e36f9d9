"""Named points at which the kill test ends the process, as a power cut would."""

import os
import signal


def point(name: str) -> None:
    """Die here if `QUARRY_KILL_AT` names this point; otherwise nothing."""
    if os.environ.get("QUARRY_KILL_AT") == name:
        os.kill(os.getpid(), signal.SIGKILL)
