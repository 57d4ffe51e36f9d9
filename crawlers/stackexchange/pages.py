"""The rows of a dump, parsed into records with native ids."""

from datetime import date

from crawlers.html_text import html_to_text
from crawlers.page import Page, PageError, Record, titled
from crawlers.stackexchange.dump import Row
from crawlers.stackexchange.places import MAX_ID

QUESTION, ANSWER, EXCERPT, WIKI = "1", "2", "4", "5"
NO_TAG = "untagged"  # the name that the sites themselves give to questions whose tags are gone
# stackoverflow.com/help/licensing: from which day on contributions are under which licence.
LICENSES = (("2018-05-02", "CC BY-SA 4.0"), ("2011-04-08", "CC BY-SA 3.0"), ("0001-01-01", "CC BY-SA 2.5"))


def number(row: Row, name: str) -> int:
    """An id, which must be there."""
    text = row.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 11 and 0 < int(text) < MAX_ID):
        raise PageError(f"row {row.get('Id')!r}: {name} is no id: {text[:40]!r}", "bad_row")
    return int(text)


def integer(row: Row, name: str) -> int | None:
    """A whole number, None when there is none."""
    try:
        return int(row[name][:20])
    except (KeyError, ValueError):
        return None


def tags_of(row: Row) -> list[str]:
    """The tags of a question, written `<a><b>` before 2024 and `|a|b|` since."""
    text = row.get("Tags", "")
    return [tag for tag in text.strip("<>|").replace("><", "|").split("|") if tag]


def license_of(row: Row) -> str | None:
    """The licence that the row names, else the one of its day; null when no day is told."""
    try:
        day = date.fromisoformat(row.get("CreationDate", "")[:10]).isoformat()
    except ValueError:
        day = ""
    return row.get("ContentLicense") or next((name for since, name in LICENSES if day >= since), None)


def author_of(row: Row, user: str, name: str) -> str | None:
    """The user's number; of deleted users only the name is left."""
    return row.get(user) or row.get(name)


class Site:
    """The site that a dump is of: addresses and subject, null when it is not known."""

    def __init__(self, address: str | None) -> None:
        """A site by its address or host."""
        self.base = None if not address else (address if "://" in address else f"https://{address}").rstrip("/")
        host = (self.base or "").partition("://")[2].removeprefix("www.")
        self.subject = host.partition(".")[0] or None

    def url(self, rest: str) -> str | None:
        """An address on the site."""
        return f"{self.base}/{rest}" if self.base else None


def lesson(tag: str, site: Site, wiki: Row | None, excerpt: Row | None) -> Record:
    """A tag as a lesson: what its wiki says, after the short description that the site shows of it."""
    parts = [row for row in (excerpt, wiki) if row and row.get("Body")]
    return {
        "lesson_id": tag,
        "kind": "page",
        "title": tag.replace("-", " "),
        "url": site.url(f"tags/{tag}/info"),
        "subject": site.subject,
        "course": None,
        "language": None,
        "license": license_of(parts[-1]) if parts else None,
        "html": "\n".join(f"<div>{row['Body']}</div>" for row in parts),
    }


def post(row: Row, number: int, site: Site, lesson_id: str, thread: int, accepted: bool) -> Record:
    """A question or an answer; a question's text begins with its title."""
    post_id = str(number)  # `010` and `10` are one number
    question = row["PostTypeId"] == QUESTION
    return {
        "post_id": post_id,
        "lesson_id": lesson_id,
        "thread_id": str(thread),
        "parent_id": None if question else str(thread),
        "kind": "question" if question else "answer",
        "author": author_of(row, "OwnerUserId", "OwnerDisplayName"),
        "author_role": None,
        "created_at": utc(row.get("CreationDate")),
        "votes": integer(row, "Score"),
        "accepted": accepted,
        "title": row.get("Title") if question else None,
        "html": row.get("Body", ""),
        "url": site.url(f"questions/{post_id}" if question else f"a/{post_id}"),
        "license": license_of(row),
    }


def comment(row: Row, number: int, post: int, site: Site, lesson_id: str, thread: int) -> Record:
    """A comment; its number is counted apart from the posts', and its text is no HTML."""
    return {
        "post_id": f"comment-{number}",
        "lesson_id": lesson_id,
        "thread_id": str(thread),
        "parent_id": str(post),
        "kind": "comment",
        "author": author_of(row, "UserId", "UserDisplayName"),
        "author_role": None,
        "created_at": utc(row.get("CreationDate")),
        "votes": integer(row, "Score"),
        "accepted": False,
        "text": row.get("Text", ""),
        "url": site.url(f"questions/{thread}#comment{number}_{post}"),
        "license": license_of(row),
    }


def utc(time: str | None) -> str | None:
    """A time of the dump, which has no zone because all are UTC."""
    return None if not time else time if time.endswith("Z") else f"{time}Z"


def with_text(body: Record) -> Record:
    """A record whose HTML has become text."""
    if "html" not in body:
        return body
    html = body.pop("html")
    title = body.pop("title", None) if "post_id" in body else None
    try:
        text = html_to_text(Page(html, body["url"] or "").soup) if "<" in html or "&" in html else html
    except RecursionError as error:
        raise PageError(f"{body['url']}: the markup is nested too deeply", "nested_too_deeply") from error
    body["text"] = titled(title, text)
    return body
