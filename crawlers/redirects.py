"""Follows redirects, and says so when they go in circles."""

from typing import Any

from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.exceptions import IgnoreRequest


class RedirectedTooOften(IgnoreRequest):  # type: ignore[misc]  # mypy skips Scrapy, so its classes are Any
    """A page that only leads to other pages."""


class Redirects(RedirectMiddleware):  # type: ignore[misc]
    """Follows redirects, without Referer, and says so when they go in circles."""

    def _engine_started(self) -> None:
        """Look for no Referer middleware."""

    def handle_referer(self, request: Any, response: Any) -> None:
        """Send no Referer."""
        request.headers.pop("Referer", None)

    def _redirect(self, redirected: Any, request: Any, reason: Any) -> Any:
        try:
            return super()._redirect(redirected, request, reason)
        except IgnoreRequest as error:
            raise RedirectedTooOften(f"{request.url}: redirected too often") from error
