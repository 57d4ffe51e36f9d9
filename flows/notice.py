"""Tell the outside of a failed run."""

import json
import logging
import urllib.request
from typing import Any

_SECONDS = 10


def tell(webhook: str, message: dict[str, Any]) -> None:
    """POST a message as JSON; a webhook that does not answer is logged and never hides the failure itself."""
    body = json.dumps(message).encode()
    request = urllib.request.Request(webhook, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS):
            pass
    except (OSError, ValueError) as problem:
        logging.getLogger(__name__).warning("the webhook %s could not be told: %s", webhook, problem)
