"""What a thread is about: the page that it declares, its category, or the thread itself."""

from urllib.parse import urlsplit

from crawlers.page import Record
from crawlers.qapage import values
from crawlers.qapage.addresses import is_address, place, same_thread
from crawlers.qapage.finding import own_address
from crawlers.qapage.items import Item, Value
from crawlers.qapage.pages import ThreadPage
from crawlers.session import without_session
from crawlers.spec import site

# Of these a page can be a lesson; organisations, web sites and lists of threads are declared in the same places.
LESSONS = (
    "CreativeWork", "LearningResource", "Course", "Syllabus", "Article", "TechArticle", "ScholarlyArticle",
    "NewsArticle", "BlogPosting", "Report", "HowTo", "Book", "Chapter", "VideoObject", "AudioObject", "Clip", "WebPage",
    "ItemPage",
)  # fmt: skip
THINGS = ("Thing", "DefinedTerm", "Intangible")
CRUMBS = 1000


def declared_lesson(page: ThreadPage) -> str | None:
    """The address of the lesson that a thread says it is about or part of, when that is on the same site."""
    items = [page.thread.main, *(item for item in page.thread.pages if item.is_a("QAPage"))]
    for name in ("about", "isPartOf"):
        for value in (value for item in items for value in item.values(name)):
            address = lesson_address(value)
            if address and site(address) == site(page.url) and not same_thread(address, page.address):
                return address.partition("#")[0]
    return None


def lesson_address(value: Value) -> str | None:
    """The address of a lesson; the front page of a site is none."""
    address = own_address(value) if isinstance(value, Item) else value if isinstance(value, str) else None
    if not is_address(address) or (isinstance(value, Item) and value.types and not value.is_a(*LESSONS)):
        return None
    return without_session(str(address)) if urlsplit(str(address)).path.strip("/") else None


def lesson_here(page: ThreadPage) -> Item | None:
    """The article or video on the thread's own page that the thread says it is about."""
    for value in page.thread.main.values("about", "isPartOf"):
        if isinstance(value, Item) and value.is_a(*(name for name in LESSONS if not name.endswith("Page"))):
            address = own_address(value)
            if address is None or same_thread(address, page.address):
                return value
    return None


def category(page: ThreadPage) -> tuple[str | None, str | None]:
    """The name and address of the part of the forum that a thread stands in: the last crumb but the thread itself."""
    section = values.line(page.thread.main, page.url, "articleSection")
    crumbs: list[tuple[float, str, str | None]] = []
    for entry in (e for item in page.items if item.is_a("BreadcrumbList") for e in item.items("itemListElement")):
        target = next(iter(entry.items("item")), entry)
        named = next((value for value in entry.values("item") if isinstance(value, str)), None)
        address = own_address(target) or named
        name = values.line(entry, page.url, "name") or values.line(target, page.url, "name")
        if name and name != page.title and not (is_address(address) and same_thread(str(address), page.address)):
            crumbs.append((values.integer(values.line(entry, page.url, "position")) or CRUMBS, name, address))
    crumbs = sorted(crumbs, key=lambda crumb: crumb[0])[1:] or crumbs if len(crumbs) > 1 else crumbs
    if crumbs:
        return crumbs[-1][1], crumbs[-1][2] if is_address(crumbs[-1][2]) else None
    return section, None


def subject(page: ThreadPage) -> str | None:
    """The topic that a thread names without a page of its own."""
    things = [item for item in page.thread.main.items("about") if item.is_a(*THINGS)]
    return next((name for name in (values.line(item, page.url, "name") for item in things) if name), None)


def lesson(page: ThreadPage, by_category: bool, about: Record) -> Record:
    """The lesson of a thread that declares no other page: the thread itself, or its category.

    Only a thread below the article that it is about has a text.
    """
    name, address = category(page)
    article = lesson_here(page)
    text = values.first_text(article, page.url, "articleBody", "text", "transcript") if article else None
    title = values.line(article, page.url, "headline", "name") if article else None
    whole = by_category and name and not text
    return {
        "lesson_id": (place(str(address), page.url) if address else f"category/{name}") if whole else page.thread_id,
        "kind": "page",
        "title": name if whole else title or page.title,
        "url": address if whole else page.address,
        "subject": about.get("subject") or (None if whole else subject(page)),
        "course": about.get("course") or (None if whole else name),
        "language": None if whole else values.language(page.thread.main, page.url),
        "license": about.get("license") if whole else page.license or values.license_name(about.get("license")),
        "text": text or "",
    }
