"""Who gave a wrong setting: the variable or the file, so that the message names what has to be corrected."""

import json
import os
from pathlib import Path
from typing import Any

from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError

_PREFIX = "QUARRY_"
_NO_SUCH = "there is no such setting: correct its name, or remove it"
# What to do about a setting of a source, by its name.
_HINTS = {
    "sources": "begin every source with a line [[sources]]",
    "kind": "`quarry sources` lists the kinds",
    "name": "small letters, digits, - and _, a letter first",
}
_SECRET = ("webhook", "pseudonym_key")  # an address to post to often holds a password
Place = tuple[int | str, ...]


def in_words(problem: ErrorDetails, file: Path | None) -> str:
    """One line for a value that does not fit."""
    place, message = problem["loc"], problem["msg"].removeprefix("Value error, ")
    where = f"{giver(place, file)}: {'.'.join(str(part) for part in place)}"
    if problem["type"] == "extra_forbidden":
        return f"{where}: {_NO_SUCH}"
    shown = isinstance(problem["input"], str | int | float) and place[-1] not in _SECRET
    got = f" (not {problem['input']!r})" if shown else ""
    hint = f": {_HINTS[str(place[-1])]}" if place[0] == "sources" and place[-1] in _HINTS else ""
    return f"{where}: {message}{got}{hint}"


def giver(place: Place, file: Path | None) -> str:
    """The variable that gave the value at this place in the settings, else the file."""
    variables = {name.upper(): name for name in os.environ}
    keys = [_PREFIX + "__".join(str(part).upper() for part in place[:length]) for length in range(1, len(place) + 1)]
    # The most exact variable wins: QUARRY_RUNNER__WORKERS over what QUARRY_RUNNER says as JSON.
    for length, key in reversed(list(enumerate(keys, 1))):
        name = variables.get(key)
        if name and _gives(os.environ[name], place[length:]):
            return name
    inside = [name for key, name in variables.items() if key.startswith(f"{keys[-1]}__")]
    return inside[0] if inside else str(file or f"{_PREFIX}* variables")


def _gives(text: str, rest: Place) -> bool:
    """Whether a variable's text gives a value at the rest of a place; a list is given as a whole."""
    try:
        found: Any = json.loads(text) if rest else None
    except ValueError:
        return False
    for part in rest:
        if isinstance(found, list):
            return True
        if not isinstance(found, dict) or part not in found:
            return False
        found = found[part]
    return True


def unread(problem: SettingsError) -> str:
    """The variable whose text is not the JSON that it should be."""
    text = getattr(problem.__cause__, "doc", None)
    names = [name for name, value in os.environ.items() if name.upper().startswith(_PREFIX) and value == text]
    return ", ".join(names) or f"one of the {_PREFIX}* variables"
