"""Reads robots.txt as RFC 9309 says, with the opt-outs from AI training that sites write into it."""

import re
from dataclasses import dataclass, field
from urllib.parse import quote, unquote_to_bytes, urlsplit

MAX_BYTES = 512 * 1024  # RFC 9309 2.5: at least 500 KiB must be read
# Agents that collect text for training: a site that names one of them and turns it away speaks to us too.
TRAINING_AGENTS = frozenset(
    ("ai2bot", "anthropic-ai", "applebot-extended", "bytespider", "ccbot", "claudebot", "cohere-training-data-crawler",
     "diffbot", "google-extended", "gptbot", "meta-externalagent", "omgili", "omgilibot", "pangubot")
)  # fmt: skip
# `Content-Signal: ai-train=no` and `Content-Usage: train-ai=n` (IETF aipref), in robots.txt or as a header.
NO_TRAINING = re.compile(r"(?:^|[\s,;])(?:ai-train|train-ai)\s{0,9}=\s{0,9}(?:no|n)(?:$|[\s,;])", re.IGNORECASE)
TOKEN = re.compile(r"[a-z0-9_-]+", re.IGNORECASE)


@dataclass
class Group:
    """The rules for some agents."""

    agents: set[str] = field(default_factory=set)
    rules: list[tuple[str, bool]] = field(default_factory=list)
    delay: float | None = None
    usage: list[tuple[str, str]] = field(default_factory=list)  # path and what may be done with what is below it


class Robots:
    """What one host's robots.txt allows one agent."""

    def __init__(self, text: str, agent: str) -> None:
        """Read the file for the agent with this product token."""
        groups = parse(text)
        token = agent.lower()
        self.own = merge([group for group in groups if token in group.agents]) or merge(
            [group for group in groups if "*" in group.agents]
        )
        self.training = [group for group in groups if group.agents & TRAINING_AGENTS]
        self.delay = self.own.delay if self.own else None

    def allows(self, url: str) -> bool:
        """Whether the agent may ask for this address."""
        return self.own is None or permits(self.own, target(url))

    def reserves(self, url: str) -> str | None:
        """How the file keeps this address from training, None when it does not."""
        path = target(url)
        if any(not permits(group, path) for group in self.training):
            return "robots.txt turns agents that collect for AI training away"
        for prefix, usage in self.own.usage if self.own else ():
            if NO_TRAINING.search(usage) and match_length(prefix or "/", path) is not None:
                return "robots.txt says that the content is not for AI training"
        return None


def parse(text: str) -> list[Group]:
    """The groups of a file, lines that are no rules left out."""
    groups: list[Group] = []
    open_for_agents = False
    for line in text.removeprefix("\ufeff").splitlines():
        name, colon, value = line.partition("#")[0].partition(":")
        name, value = name.strip().lower(), value.strip()
        if not colon:
            continue
        if name == "user-agent":
            if not open_for_agents:
                groups.append(Group())
            open_for_agents = True
            groups[-1].agents.add(product(value))
        elif groups and add_rule(groups[-1], name, value):
            open_for_agents = False
    return groups


def add_rule(group: Group, name: str, value: str) -> bool:
    """Add a line to a group; a line that belongs to no group (such as Sitemap) is left out."""
    if name in ("allow", "disallow"):
        if value:
            group.rules.append((normal(value), name == "allow"))
    elif name == "crawl-delay":
        if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", value):
            group.delay = float(value)
    elif name in ("content-signal", "content-usage"):
        path, _, usage = value.partition(" ")
        group.usage.append((normal(path), usage) if path.startswith("/") else ("", value))
    else:
        return False
    return True


def merge(groups: list[Group]) -> Group | None:
    """All groups for one agent as one (RFC 9309 2.2.1)."""
    if not groups:
        return None
    delays = [group.delay for group in groups if group.delay is not None]
    rules = [rule for group in groups for rule in group.rules]
    usage = [line for group in groups for line in group.usage]
    return Group(set(), rules, max(delays, default=None), usage)


def product(value: str) -> str:
    """The product token of a User-agent line: `Quarry/1.0` means `quarry`."""
    found = TOKEN.match(value)
    return value if value == "*" else found.group().lower() if found else ""


def permits(group: Group, path: str) -> bool:
    """The longest matching rule decides, Allow when two are as long; robots.txt itself is always allowed."""
    if path == "/robots.txt":
        return True
    best, verdict = -1, True
    for pattern, allow in group.rules:
        length = match_length(pattern, path)
        if length is not None and (length > best or (length == best and allow)):
            best, verdict = length, allow
    return verdict


def match_length(pattern: str, path: str) -> int | None:
    """The pattern's length when it matches; pieces between `*` are found from left to right, so never slowly."""
    anchored = pattern.endswith("$")
    first, *pieces = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return None
    position = len(first)
    last = pieces.pop() if anchored and pieces else None
    for piece in pieces:
        found = path.find(piece, position)
        if found < 0:
            return None
        position = found + len(piece)
    if anchored:
        fits = path == first if last is None else len(path) - len(last) >= position and path.endswith(last)
        return len(pattern) if fits else None
    return len(pattern)


def target(url: str) -> str:
    """Path and query of an address, as rules are compared with."""
    parts = urlsplit(url)
    return normal((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def normal(path: str) -> str:
    """Percent-encoding made alike (RFC 9309 2.2.2), reserved characters left as they are written."""
    if path.isascii() and "%" not in path:
        return path
    pieces = re.split(r"(%(?:2[Ff]|3[Ff]|2[Aa]|24))", path)  # `/`, `?`, `*` and `$` keep their meaning only unescaped
    return "".join(
        piece.upper() if index % 2 else quote(unquote_to_bytes(piece), safe="/?*$=&:;,+@!'()~[]|^`{}\"<>\\")
        for index, piece in enumerate(pieces)
    )
