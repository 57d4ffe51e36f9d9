"""A page to be fetched, in a form that survives the process."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Self

DEFAULTS: dict[str, Any] = {
    "method": "GET", "body": "", "headers": {}, "passing": {}, "statuses": [],
    "listing": False, "thread": False, "activity": None,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Link:
    """An address, the spider's method that takes the page, and what the engine must know about it."""

    url: str
    callback: str
    method: str = "GET"
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    passing: dict[str, Any] = field(default_factory=dict)  # keyword arguments of the callback
    statuses: list[int] = field(default_factory=list)  # error statuses that the callback wants to see
    listing: bool = False
    thread: bool = False
    activity: str | None = None

    @property
    def key(self) -> str:
        """The same for the same request, in every crawl."""
        address = self.url.partition("#")[0]
        text = address if self.method == "GET" and not self.body else f"{self.method} {address}\n{self.body}"
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    @property
    def context(self) -> str:
        """What beside the page shapes its records; a page that is read otherwise than before is not unchanged."""
        if not self.passing:
            return self.callback
        passing = json.dumps(self.passing, sort_keys=True).encode()
        return f"{self.callback} {hashlib.blake2b(passing, digest_size=16).hexdigest()}"

    def fields(self) -> dict[str, Any]:
        """What differs from the defaults, as JSON can hold it."""
        found: dict[str, Any] = {"url": self.url, "callback": self.callback}
        for name, default in DEFAULTS.items():
            value = getattr(self, name)
            if value != default:
                found[name] = value
        return found

    def dump(self) -> str:
        """The link as one line of JSON."""
        return json.dumps(self.fields(), ensure_ascii=True)

    @classmethod
    def load(cls, text: str) -> Self:
        """A link from its JSON."""
        return cls(**json.loads(text))
