"""Finds the encoding that a page can be read in, which is not always the one that it declares."""

import re
from typing import Any

from scrapy.http import HtmlResponse, TextResponse, XmlResponse
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom

FALLBACK = "cp1252"
BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")


def readable(response: Any) -> tuple[Any, bool]:
    """A page that its parsers can read, and whether it had to be repaired for that."""
    if isinstance(response, HtmlResponse):
        return repaired(response)
    if isinstance(response, TextResponse) and not isinstance(response, XmlResponse):
        return in_utf8(response), False
    return response, False


def repaired(response: Any) -> tuple[Any, bool]:
    """An HTML page; one with a few bytes that are not in its encoding is still in that one, or in UTF-8."""
    named = response.encoding if declared(response) else "utf-8"
    if decodes(response.body, named):
        return response, False
    likely = next((name for name in (named, "utf-8") if mostly(response.body, name)), None)
    if not likely and not declared(response) and not mostly_latin(response.body):
        # Scrapy's guess tells alphabets apart, but not the code pages of Latin letters: French becomes Baltic.
        return response, True
    return response.replace(encoding=likely or FALLBACK), True


def in_utf8(response: Any) -> Any:
    """A JSON document or plain text in UTF-8; what is not in UTF-8 is in the encoding that its header declares."""
    named = in_header(response)
    if named is None or decodes(response.body, "utf-8") or not decodes(response.body, named):
        return response
    return response.replace(body=response.body.decode(named).encode("utf-8", "replace"), encoding="utf-8")


def declared(response: Any) -> str | None:
    """The encoding that an HTML page declares: in its header, by its first bytes or in its markup."""
    return in_header(response) or read_bom(response.body)[0] or html_body_declared_encoding(response.body)


def in_header(response: Any) -> str | None:
    """The encoding that the header of a response names."""
    return http_content_type_encoding((response.headers.get("Content-Type") or b"").decode("latin-1"))


def mostly_latin(body: bytes) -> bool:
    """Whether most letters beyond ASCII stand alone between others, as in Latin script."""
    runs = [len(run) for run in BEYOND_ASCII.findall(body)]
    return 2 * runs.count(1) > sum(runs)


def decodes(body: bytes, encoding: str) -> bool:
    """Whether all of a page is in an encoding."""
    try:
        body.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def mostly(body: bytes, encoding: str) -> bool:
    """Whether more of the letters beyond ASCII are in an encoding than are not."""
    try:
        text = body.decode(encoding, "replace")
    except LookupError:
        return False
    wrong = text.count("\ufffd")
    return len(text) - len(text.encode("ascii", "ignore")) > 2 * wrong
