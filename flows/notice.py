"""Tell the outside of a failed run."""

import http.client
import json
import logging
import urllib.request
from typing import Any
from urllib.parse import urlsplit

_SECONDS = 10


def tell(webhook: str, message: dict[str, Any]) -> None:
    """POST a message as JSON; a webhook that does not answer is logged and never hides the failure itself."""
    body = json.dumps(message).encode()
    try:
        request = urllib.request.Request(webhook, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=_SECONDS):
            pass
    except OSError as problem:
        _log(webhook, str(problem))
    except (ValueError, http.client.HTTPException) as problem:
        _log(webhook, type(problem).__name__)  # its words would repeat the address


def _log(webhook: str, why: str) -> None:
    """Only the host is named: the rest of such an address is often a secret."""
    try:
        host = urlsplit(webhook).netloc.rpartition("@")[2]
    except ValueError:
        host = ""
    where = f"at {host}" if host else "has no host and"
    logging.getLogger(__name__).warning("the webhook %s could not be told (%s)", where, why)
