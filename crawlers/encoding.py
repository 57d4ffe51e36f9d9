"""Finds the encoding that a page can be read in, which is not always the one that it declares."""

from typing import Any

from scrapy.http import HtmlResponse, TextResponse, XmlResponse
from w3lib.encoding import http_content_type_encoding

FALLBACK = "cp1252"


def readable(response: Any) -> tuple[Any, bool]:
    """A page that its parsers can read, and whether it had to be repaired for that."""
    if isinstance(response, HtmlResponse):
        return repaired(response)
    if isinstance(response, TextResponse) and not isinstance(response, XmlResponse):
        return in_utf8(response), False
    return response, False


def repaired(response: Any) -> tuple[Any, bool]:
    """An HTML page; one with a few bytes that are not in its encoding is still in that one, or in UTF-8."""
    if decodes(response.body, response.encoding):
        return response, False
    likely = (name for name in (response.encoding, "utf-8") if mostly(response.body, name))
    return response.replace(encoding=next(likely, FALLBACK)), True


def in_utf8(response: Any) -> Any:
    """A JSON document or plain text in UTF-8; what is not in UTF-8 is in the encoding that its header declares."""
    declared = http_content_type_encoding((response.headers.get("Content-Type") or b"").decode("latin-1"))
    if declared is None or decodes(response.body, "utf-8") or not decodes(response.body, declared):
        return response
    return response.replace(body=response.body.decode(declared).encode("utf-8", "replace"), encoding="utf-8")


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
