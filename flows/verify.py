"""Hash and check the current snapshot again, as if nothing were known about it."""

from dataclasses import dataclass
from typing import Any

from flows.gate import gate
from flows.gate.check import Check
from flows.settings import load_settings
from flows.store import maintenance, snapshots
from flows.store.home import read_home
from flows.store.lease import Lease


@dataclass(frozen=True)
class Verified:
    """What a verification found."""

    snapshot_id: str
    files: int
    checks: int
    passed: int
    damage: list[tuple[str, str]]
    stopping: list[Check]
    # What somebody published knowingly, as the manifest records it.
    accepted: list[Check]

    @property
    def good(self) -> bool:
        """Whether everything is as it was published."""
        return not self.damage and not self.stopping

    def as_dict(self) -> dict[str, Any]:
        """Plain data for scripts."""
        return {
            "snapshot_id": self.snapshot_id,
            "good": self.good,
            "files": self.files,
            "checks": self.checks,
            "passed": self.passed,
            "damage": [{"path": path, "problem": problem} for path, problem in self.damage],
            "failing": [check.as_dict() for check in self.stopping],
            "accepted": [check.as_dict() for check in self.accepted],
        }


def verify_current(repair: bool = False) -> Verified:
    """Verify the current snapshot; damaged files are removed on request, so that a build makes them again."""
    home = read_home(load_settings().home)
    manifest = snapshots.current(home)
    damage = list(maintenance.damage(home, manifest))
    if damage and repair:
        with Lease(home, "verify"):
            for path, _ in damage:
                (home / path).unlink(missing_ok=True)
    # Rules say nothing about files that cannot be read.
    accepted = [check for check in map(Check.of, manifest.content["checks"]) if check.result == "accepted"]
    checks = [] if damage else gate.accept(gate.evaluate(home, manifest), [check.name for check in accepted])
    # Without the snapshots before it a rule that looks back passes: what was accepted has not passed for that.
    known = {check.name for check in accepted}
    passed = sum(check.result == "passed" and check.name not in known for check in checks)
    stopping = [check for check in checks if check.stops]
    return Verified(manifest.id, len(manifest.files), len(checks), passed, damage, stopping, accepted)
