"""Captions of every format (WebVTT, SRT, sjson, timedtext) as a list of `{start, text}`, in one place."""

import html
import json
import re
from typing import Any

from lxml import etree

from crawlers.page import PageError
from crawlers.strict_xml import parse_xml

Cue = tuple[float, str]
TIMING = re.compile(r"\s*((?:[0-9]{1,4}:)?[0-9]{1,2}:[0-9]{1,2}(?:[.,][0-9]{1,3})?)\s{0,9}--?>")
# Styles, voices, times; `x < 3 and y > 2` is none of them, and neither is `a<b and c>d`.
ATTRIBUTE = r"""\s{1,9}[\w:-]{1,40}=(?:"[^"<>]{0,200}"|'[^'<>]{0,200}'|[^\s"'<>]{1,200})"""
MARKUP = re.compile(
    rf"</?[a-z][\w.-]{{0,99}}(?:{ATTRIBUTE}){{0,9}}\s{{0,9}}/?>|<(?:v|lang)(?:\.[\w.-]{{1,99}})?\s[^<>]{{0,200}}>"
    r"|<[0-9:.]{5,12}>|\{\\[^{}]{0,200}\}",
    re.IGNORECASE,
)
BREAK = re.compile(r"</?(?:[a-z]{1,9}:)?br\s{0,9}/?>", re.IGNORECASE)
MIN_OVERLAP, MAX_OVERLAP = 3, 60  # words
SPACES = re.compile(r"\s+")


def parse_captions(text: str, origin: str = "captions") -> list[dict[str, Any]]:
    """The cues of a caption file in any known format, cleaned, in order of their start; none at all is an error."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith(("{", "[")):
        cues = sjson(start, origin)
    elif start.startswith("<"):
        cues = timedtext(start, origin)
    else:
        cues = timed_lines(start)
    cleaned = unrolled([(second, cue) for second, cue in ((s, clean(t)) for s, t in sorted(cues)) if cue])
    if not cleaned:
        raise PageError(f"{origin}: no caption found", "no_captions")
    return [{"start": round(second, 3), "text": cue} for second, cue in cleaned]


def timed_lines(text: str) -> list[Cue]:
    """WebVTT and SRT: lines after an arrow; numbers and notes are no cues.

    In WebVTT a blank line ends a cue, for notes and styles follow it; writers of SRT leave them within cues.
    """
    cues: list[Cue] = []
    lines: list[str] | None = None
    at = 0.0
    blank_ends = text.startswith("WEBVTT")
    for line in text.splitlines():
        timing = TIMING.match(line)
        if timing or (blank_ends and not line.strip()):
            if lines:
                cues.append((at, "\n".join(without_number(lines) if timing else lines)))
            lines = [] if timing else None
            at = seconds(timing.group(1)) if timing else at
        elif lines is not None:
            lines.append(line)
    return [*cues, (at, "\n".join(lines))] if lines else cues


def without_number(lines: list[str]) -> list[str]:
    """The lines of a cue without the number of the next one: just above its arrow, or after a blank line."""
    last = max((place for place, line in enumerate(lines) if line.strip()), default=0)
    alone = last == len(lines) - 1 or (last > 0 and not lines[last - 1].strip())
    return lines[:last] if alone and lines[last].strip().isdigit() else lines


def sjson(text: str, origin: str) -> list[Cue]:
    """EdX's `{"start": [ms], "end": [ms], "text": […]}`, or a list of objects with a start (ms when so named)."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PageError(f"{origin}: the captions are no JSON ({error})", "bad_json") from error
    try:
        if isinstance(data, dict) and "events" in data:  # YouTube's json3
            return [
                (float(event["tStartMs"]) / 1000, "".join(part.get("utf8", "") for part in event["segs"]))
                for event in data["events"]
                if "segs" in event
            ]
        if isinstance(data, dict):
            return [(float(at) / 1000, str(cue or "")) for at, cue in zip(data["start"], data["text"], strict=False)]
        return [
            (float(entry["startTime"]) / 1000 if "startTime" in entry else float(entry["start"]), str(entry["text"]))
            for entry in data
            if isinstance(entry, dict) and entry.get("kaIsValid", True)
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PageError(f"{origin}: the captions lack {error}", "no_captions") from error


def timedtext(text: str, origin: str) -> list[Cue]:
    """YouTube's XML: v1 `<text start="s">` and srv3 `<p t="ms">`; TTML's `<p begin="…">` too."""
    cues: list[Cue] = []
    for element in parse_xml(BREAK.sub(" ", text).encode(), origin).iter(etree.Element):
        name = etree.QName(element).localname
        words = "".join(str(part) for part in element.itertext())
        try:
            if name == "text" and element.get("start"):
                cues.append((float(element.get("start", "")), words))
            elif name == "p" and element.get("t"):
                cues.append((float(element.get("t", "")) / 1000, words))
            elif name == "p" and element.get("begin"):
                cues.append((seconds(element.get("begin", "")), words))
        except ValueError as error:
            raise PageError(f"{origin}: a caption has no time ({error})", "no_captions") from error
    return cues


def seconds(clock: str) -> float:
    """Seconds of `h:mm:ss.mmm`, `mm:ss,mmm`, `12.5s` or (of TTML, whose frames are left out) `hh:mm:ss:ff`."""
    total = 0.0
    for part in clock.strip().rstrip("s").replace(",", ".").split(":")[:3]:
        total = total * 60 + float(part)
    return total


def clean(text: str) -> str:
    """One line of plain words: markup gone, entities resolved (real files hold `&#39;`, even escaped twice)."""
    plain = BREAK.sub(" ", html.unescape(html.unescape(text)))
    return SPACES.sub(" ", MARKUP.sub("", plain)).strip()


def unrolled(cues: list[Cue]) -> list[Cue]:
    """Rolling captions repeat what was shown before: keep only the words that are new."""
    kept: list[Cue] = []
    shown: list[str] = []
    for at, text in cues:
        words = text.split()
        new = words[overlap(shown, words) :]
        if new and words != shown:
            kept.append((at, " ".join(new)))
        shown = words
    return kept


def overlap(shown: list[str], words: list[str]) -> int:
    """How many words at the end of one cue begin the next; one or two may truly be said twice."""
    longest = min(len(shown), len(words), MAX_OVERLAP)
    return next((size for size in range(longest, MIN_OVERLAP - 1, -1) if shown[-size:] == words[:size]), 0)
