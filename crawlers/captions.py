"""Captions of every file format (WebVTT, SRT, sjson, timedtext) as a list of `{start, end, text}`, as they are shown.

Ingest takes off markup and repetitions, for the captions of all sources.
"""

import json
import re
from operator import itemgetter
from typing import Any

from lxml import etree

from crawlers.page import PageError
from crawlers.strict_xml import parse_xml

Cue = tuple[float, float | None, str]
CLOCK = r"(?:[0-9]{1,4}:)?[0-9]{1,2}:[0-9]{1,2}(?:[.,][0-9]{1,3})?"
TIMING = re.compile(rf"\s*({CLOCK})\s{{0,9}}--?>(?:\s{{0,9}}({CLOCK}))?")
BREAK = re.compile(r"</?(?:[a-z]{1,9}:)?br\s{0,9}/?>", re.IGNORECASE)


def parse_captions(text: str, origin: str = "captions") -> list[dict[str, Any]]:
    """The cues of a caption file in any known format, in order of their start; none at all is an error."""
    body = text.lstrip("\ufeff \t\r\n")
    if body.startswith(("{", "[")):
        cues = sjson(body, origin)
    elif body.startswith("<"):
        cues = timedtext(body, origin)
    else:
        cues = timed_lines(body)
    shown = [cue for cue in sorted(cues, key=itemgetter(0)) if cue[2].strip()]
    if not shown:
        raise PageError(f"{origin}: no caption found", "no_captions")
    return [
        {"start": round(start, 3), **({} if end is None else {"end": round(end, 3)}), "text": words.strip()}
        for start, end, words in shown
    ]


def timed_lines(text: str) -> list[Cue]:
    """WebVTT and SRT: lines after an arrow; numbers and notes are no cues.

    In WebVTT a blank line ends a cue, for notes and styles follow it; writers of SRT leave them within cues.
    """
    cues: list[Cue] = []
    lines: list[str] | None = None
    at: tuple[float, float | None] = (0.0, None)
    blank_ends = text.startswith("WEBVTT")
    for line in text.splitlines():
        timing = TIMING.match(line)
        if timing or (blank_ends and not line.strip()):
            if lines:
                cues.append((*at, "\n".join(without_number(lines) if timing else lines)))
            lines = [] if timing else None
            at = (seconds(timing[1]), seconds(timing[2]) if timing[2] else None) if timing else at
        elif lines is not None:
            lines.append(line)
    return [*cues, (*at, "\n".join(lines))] if lines else cues


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
                (
                    *milliseconds(event, "tStartMs", "dDurationMs"),
                    "".join(part.get("utf8", "") for part in event["segs"]),
                )
                for event in data["events"]
                if "segs" in event
            ]
        if isinstance(data, dict):
            ends = data.get("end") or [None] * len(data["start"])
            return [
                (float(at) / 1000, known(end, 1000), str(cue or ""))
                for at, end, cue in zip(data["start"], ends, data["text"], strict=False)
            ]
        return [
            (*listed(entry), str(entry["text"]))
            for entry in data
            if isinstance(entry, dict) and entry.get("kaIsValid", True)
        ]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise PageError(f"{origin}: the captions lack {error}", "no_captions") from error


def listed(entry: dict[str, Any]) -> tuple[float, float | None]:
    """When an entry of a list begins and ends."""
    names, unit = (("startTime", "endTime"), 1000) if "startTime" in entry else (("start", "end"), 1)
    return float(entry[names[0]]) / unit, known(entry.get(names[1]), unit)


def milliseconds(given: dict[str, Any], start: str, length: str) -> tuple[float, float | None]:
    """When a cue begins and ends whose start and length are milliseconds."""
    begins, lasts = float(given[start]) / 1000, known(given.get(length), 1000)
    return begins, None if lasts is None else begins + lasts


def known(value: Any, unit: float = 1) -> float | None:
    """An end in seconds; captions without one are captions all the same."""
    try:
        return (seconds(value) if isinstance(value, str) else float(value)) / unit
    except (TypeError, ValueError):
        return None


def timedtext(text: str, origin: str) -> list[Cue]:
    """YouTube's XML: v1 `<text start="s">` and srv3 `<p t="ms">`; TTML's `<p begin="…">` too."""
    cues: list[Cue] = []
    for element in parse_xml(BREAK.sub(" ", text).encode(), origin).iter(etree.Element):
        name = etree.QName(element).localname
        words = "".join(str(part) for part in element.itertext())
        given = dict(element.attrib)
        try:
            if name == "text" and given.get("start"):
                start, length = float(given["start"]), known(given.get("dur"))
                cues.append((start, None if length is None else start + length, words))
            elif name == "p" and given.get("t"):
                cues.append((*milliseconds(given, "t", "d"), words))
            elif name == "p" and given.get("begin"):
                cues.append((seconds(given["begin"]), known(given.get("end")), words))
        except ValueError as error:
            raise PageError(f"{origin}: a caption has no time ({error})", "no_captions") from error
    return cues


def seconds(clock: str) -> float:
    """Seconds of `h:mm:ss.mmm`, `mm:ss,mmm`, `12.5s` or (of TTML, whose frames are left out) `hh:mm:ss:ff`."""
    total = 0.0
    for part in clock.strip().rstrip("s").replace(",", ".").split(":")[:3]:
        total = total * 60 + float(part)
    return total
