"""Reads the options of a source one by one, and says which of them is wrong."""

import hashlib
import json
from typing import Any, Never
from urllib.parse import urlsplit

import soupsieve

from crawlers.spec import Spec, SpecError, Tuning, is_loopback


class Given:
    """The options that were given to a source; whoever has read all that it knows calls `nothing_else`."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        own = {name: value for name, value in spec.options.items() if name not in Tuning.__dataclass_fields__}
        self.options: dict[str, Any] = own
        self.read: set[str] = set()

    @property
    def digest(self) -> str:
        """The same for the same options: pages that were read by others are not unchanged."""
        text = json.dumps(self.options, sort_keys=True)
        return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()

    def wrong(self, name: str, must: str) -> Never:
        """Refuse an option."""
        given = f", not {self.options[name]!r}" if name in self.options else ""
        raise SpecError(
            f"the source {self.spec.name} of kind {self.spec.kind}: the option {name} must be {must}{given}"
        )

    def value(self, name: str) -> Any:
        """An option as it was given, None when it was not."""
        self.read.add(name)
        return self.options.get(name)

    def text(self, name: str, must: str = "a text") -> str | None:
        """A text that is not blank."""
        value = self.value(name)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            self.wrong(name, must)
        return value

    def needed(self, name: str, must: str) -> str:
        """A text that must be given."""
        return self.text(name, must) or self.wrong(name, f"given: {must}")

    def selector(self, name: str) -> str | None:
        """A CSS selector."""
        value = self.text(name, "a CSS selector")
        return self.checked(name, value) if value else None

    def checked(self, name: str, selector: str) -> str:
        """A selector, if it is one."""
        try:
            soupsieve.compile(selector)
        except (soupsieve.SelectorSyntaxError, ValueError) as error:
            self.wrong(name, f"a CSS selector ({str(error).splitlines()[0]})")
        return selector

    def texts(self, name: str, must: str = "a list of texts") -> list[str]:
        """A list of texts, in which numbers count as texts."""
        value = self.value(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(is_name(entry) for entry in value):
            self.wrong(name, must)
        return [str(entry) for entry in value]

    def table(self, name: str, must: str) -> dict[str, str]:
        """A table of texts, in which numbers count as texts."""
        value = self.value(name)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(is_name(entry) for entry in value.values()):
            self.wrong(name, must)
        return {str(key): str(entry) for key, entry in value.items()}

    def reachable(self, name: str, address: str) -> str:
        """An address on another host than the source's own, which needs a contact as much as that one does."""
        try:
            parts = urlsplit(address)
            good = parts.scheme in ("http", "https") and bool(parts.hostname)
        except ValueError:
            good = False
        if not good:
            self.wrong(name, f"an address that begins with http:// or https:// ({address!r} is none)")
        if not self.spec.contact and not self.spec.from_raw and not is_loopback(address):
            raise SpecError(
                f"the option {name} of the source {self.spec.name} leads to {parts.hostname}, so its operators must be "
                f'able to reach you: set contact = "mailto:you@example.org" for it in quarry.toml'
            )
        return address

    def nothing_else(self) -> None:
        """Refuse options that nobody reads, which are most often misspelt."""
        unknown = sorted(set(self.options) - self.read)
        if unknown:
            raise SpecError(
                f"the source {self.spec.name} of kind {self.spec.kind} has unknown options: {', '.join(unknown)}; "
                f"known are {', '.join(sorted(self.read))}"
            )


def is_name(value: object) -> bool:
    """Whether a value is a text that is not blank, or a whole number."""
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, str) and bool(value.strip()))
