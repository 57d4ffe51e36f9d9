"""What one crawl is asked to do, and what is wrong with asking it."""

import ipaddress
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

AGENT = "quarry-datasets"
VERSION = "0.1"
PORTS = {"http": 80, "https": 443}
CONTACT = re.compile(r"(?:mailto:)?[^\s@()<>]+@[^\s@()<>]+\.[^\s@()<>]+|https?://[^\s()<>]+")
REQUIRED = ("kind", "name", "url", "records", "warc")


class SpecError(ValueError):
    """A crawl is asked for in a way that cannot be done; the message says how to ask."""


@dataclass(frozen=True)
class Tuning:
    """The engine's own options, each with its default; every other option belongs to the source."""

    delay: float | None = None  # seconds between requests to a host; None: 1, on loopback 0
    timeout: float = 30.0  # seconds for one page
    robots_timeout: float = 15.0  # seconds for one try at robots.txt; there are two
    robots_pause: float = 2.0  # seconds between them
    max_wait: float = 300.0  # seconds that a host may ask us to wait, by Retry-After or Crawl-delay
    max_bytes: int = 16 * 1024 * 1024  # of one page, unpacked
    max_hops: int = 20_000  # pages of one chain of next links
    parse_seconds: float = 60.0  # for one page
    revisit: int = 30  # each crawl visits one in so many of the threads that seem unchanged
    min_share: float = 0.5  # of last time's records; fewer fail the crawl
    max_rejected: float = 0.5  # share of pages that may be rejected
    reservations: str = "honour"  # or "record": only count what noai and TDM reservations would refuse
    tdmrep: bool = True  # ask for /.well-known/tdmrep.json
    segment_bytes: int = 1024 * 1024 * 1024  # a WARC file is ended when it is larger

    @classmethod
    def of(cls, options: dict[str, Any]) -> Self:
        """The engine's part of a spec's options."""
        known = {name: value for name, value in options.items() if name in cls.__dataclass_fields__}
        for name, value in known.items():
            default = cls.__dataclass_fields__[name].default
            number = name == "delay" or (isinstance(default, int | float) and not isinstance(default, bool))
            wrong = isinstance(value, bool) or not isinstance(value, int | float) or value < 0
            if number and value is not default and wrong:
                raise SpecError(f"the option {name} must be a number that is not negative, not {value!r}")
        if known.get("reservations", "honour") not in ("honour", "record"):
            raise SpecError(f"the option reservations is 'honour' or 'record', not {known['reservations']!r}")
        return cls(**known)


@dataclass(frozen=True)
class Spec:
    """One crawl."""

    kind: str
    name: str
    url: str
    records: Path
    warc: Path
    state: Path | None = None
    contact: str | None = None
    language: str | None = None
    limit: int | None = None
    dry_run: bool = False
    from_raw: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    tuning: Tuning = field(default_factory=Tuning)

    @classmethod
    def read(cls, given: Any) -> Self:
        """Check a spec as it came in."""
        if not isinstance(given, dict):
            raise SpecError("the spec is no JSON object")
        missing = [name for name in REQUIRED if not given.get(name)]
        if missing:
            raise SpecError(f"the spec lacks {', '.join(missing)}")
        unknown = sorted(set(given) - (set(cls.__dataclass_fields__) - {"tuning"}))
        if unknown:
            raise SpecError(f"the spec has unknown keys: {', '.join(unknown)}")
        for name in (*REQUIRED, "state", "contact", "language"):
            if given.get(name) is not None and not isinstance(given[name], str):
                raise SpecError(f"{name} in the spec must be text")
        options = {} if given.get("options") is None else given["options"]
        limit = given.get("limit")
        if not isinstance(options, dict):
            raise SpecError("options in the spec must be an object")
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
            raise SpecError("limit in the spec must be a whole number of pages, at least 1")
        paths = {name: Path(given[name]) for name in ("records", "warc", "state") if given.get(name)}
        if not paths["warc"].name.endswith(".warc.gz"):  # a folder
            paths["warc"] /= "crawl.warc.gz"
        flags = {name: bool(given.get(name)) for name in ("dry_run", "from_raw")}
        return cls(**(given | paths | flags | {"options": options, "tuning": Tuning.of(options)}))

    def check_contact(self) -> None:
        """Nobody else's host is asked for anything without saying who asks."""
        if self.contact and not CONTACT.fullmatch(self.contact):
            raise SpecError(f"contact must be an e-mail address or a web address, not {self.contact!r}")
        if not self.contact and not self.from_raw and not is_loopback(self.url):
            raise SpecError(
                f"{urlsplit(self.url).hostname} is not loopback, so its operators must be able to reach you: "
                f'set contact = "mailto:you@example.org" for the source {self.name} in quarry.toml'
            )

    @property
    def user_agent(self) -> str:
        """How the crawl introduces itself."""
        return f"{AGENT}/{VERSION}" + (f" (+{self.contact})" if self.contact else "")


def is_loopback(url: str) -> bool:
    """Whether an address is on this machine."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def relative(url: str, base: str) -> str:
    """An address without the origin that it shares with the site's: a site that moves (or is served on another port for
    every crawl) keeps its pages."""
    place = origin(base).rstrip("/")
    rest = url[len(place) :]
    return (rest or "/") if url.startswith(place) and rest[:1] in ("/", "") and rest[:2] != "//" else url


def absolute(url: str, base: str) -> str:
    """The address to ask for."""
    return origin(base).rstrip("/") + url if url.startswith("/") else url


def origin(url: str) -> str:
    """Scheme, host and port: what robots.txt is valid for."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}/"


def site(url: str) -> tuple[str, int | None]:
    """Host and port, the same for http and https and with or without `www.`: what a crawl stays on."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "", None
    host = (parts.hostname or "").removeprefix("www.")
    return host, None if port in (None, PORTS.get(parts.scheme)) else port
