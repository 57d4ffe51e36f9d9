"""Khan Academy: topic tree, lessons and discussions, in both generations of its interface."""

from urllib.parse import urljoin, urlsplit

# Addresses in payloads are relative to this; a mirror or a test server does not change what a record is about.
PUBLIC_BASE = "https://www.khanacademy.org"


def public_url(address: str | None, page_url: str) -> str | None:
    """An address of a payload for records: on the public site, in the language edition that was asked."""
    if not address:
        return None
    host = urlsplit(page_url).hostname or ""
    own = host == "khanacademy.org" or host.endswith(".khanacademy.org")
    try:
        return urljoin(page_url if own else PUBLIC_BASE, address)
    except ValueError:  # such as `http://[bad`
        return None
