"""Stable digests: the ids of derived rows and the fingerprints of what determined them."""

import hashlib
import json
from typing import Any


def digest(*parts: Any, length: int = 16) -> str:
    """A short hexadecimal digest of JSON-able parts; equal parts give equal digests on any machine."""
    body = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(body.encode()).hexdigest()[:length]
