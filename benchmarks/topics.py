"""Find and run the modules of a folder of measurements."""

import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def run(package: ModuleType, wanted: list[str], *arguments: object) -> int:
    """Run `report(*arguments)` of every wanted topic, all of them if none is named."""
    known = sorted(module.name for module in iter_modules(package.__path__) if not module.name.startswith("_"))
    unknown = set(wanted) - set(known)
    if unknown:
        print(f"there is no topic {', '.join(sorted(unknown))}: the topics are {', '.join(known)}", file=sys.stderr)
        return 2
    for name in wanted or known:
        print(f"== {name}", flush=True)
        import_module(f"{package.__name__}.{name}").report(*arguments)
    return 0
