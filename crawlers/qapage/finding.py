"""Finds the one thread that a page is about among everything that it declares."""

from dataclasses import dataclass, field, replace

from crawlers.qapage.addresses import is_address, same_thread
from crawlers.qapage.items import Item, Value, within
from crawlers.qapage.values import author, created_at, line
from crawlers.session import without_session

QUESTION, POSTING = "Question", "DiscussionForumPosting"
REPLIES = ("comment", "comments")
ANSWERS = ("acceptedAnswer", "suggestedAnswer", "answer")
PARTS = ("mainEntity", "hasPart", "itemListElement", "item")
LISTS = ("ItemList", "FAQPage", "Quiz", "CollectionPage")
PAGES = ("QAPage", "WebPage", "ItemPage")


@dataclass
class Found:
    """A thread: its first post, replies that stand beside it, and the page item that says what it is part of."""

    main: Item
    replies: list[Item] = field(default_factory=list)
    pages: list[Item] = field(default_factory=list)
    comments: list[Item] = field(default_factory=list)  # which no item links to

    @property
    def is_question(self) -> bool:
        """Whether it was asked as a question."""
        return self.main.is_a(QUESTION)


def own_address(item: Item) -> str | None:
    """The address that an item gives itself."""
    named = [value for value in item.values("url") if isinstance(value, str) and is_address(value)]
    address = named[0] if named else item.address
    return without_session(str(address)) if is_address(address) else None


def find_thread(items: list[Item], urls: list[str]) -> Found | None:
    """The thread of a page with these addresses (its own, its canonical one); None for pages of another kind."""
    listed = within([item for item in items if item.is_a(*LISTS)], *PARTS)
    pages = [item for item in items if item.is_a(*PAGES)]
    questions = unlisted(items, QUESTION, listed)
    asked = [item for page in pages if page.is_a("QAPage") for item in page.items("mainEntity") if item in questions]
    main = only(asked or [item for item in questions if not item.properties.get("eduQuestionType")], urls)
    if main:
        return completed(Found(main, pages=pages), items)
    postings = unlisted(items, POSTING, listed)
    nested = within(postings, *REPLIES)
    postings = [item for item in postings if id(item) not in nested]
    # Some software marks every post of a thread so: those of this page are one thread, those of other pages a list.
    own = [item for item in postings if is_here(item, urls)]
    if own:
        return completed(Found(own[0], own[1:], pages), items)
    if len(postings) == 1 and (postings[0].items(*REPLIES) or says_something(postings[0], urls[0])):
        return completed(Found(postings[0], pages=pages), items)
    return None


def unlisted(items: list[Item], kind: str, listed: set[int]) -> list[Item]:
    """The items of a kind that are no entries of a list or of a page of frequent questions."""
    return [item for item in items if item.is_a(kind) and id(item) not in listed and not in_list(item)]


def in_list(item: Item) -> bool:
    """Whether an item stands inside the element of a list."""
    around = item.inside
    while around is not None:
        if around.is_a(*LISTS):
            return True
        around = around.inside
    return False


def is_here(item: Item, urls: list[str]) -> bool:
    """Whether an item is of this page: it says so, or says nothing."""
    address = own_address(item)
    return address is None or any(same_thread(address, url) for url in urls)


def only(found: list[Item], urls: list[str]) -> Item | None:
    """The one item, or the one among several that is of this page."""
    if len(found) > 1:
        found = [item for item in found if own_address(item) and is_here(item, urls)]
    return found[0] if len(found) == 1 else None


def says_something(item: Item, url: str) -> bool:
    """Whether a posting has more to say than its headline: in lists of threads it has not."""
    text, title = line(item, url, "text", "articleBody"), line(item, url, "headline", "name")
    return bool(text) and text != title


def completed(thread: Found, items: list[Item]) -> Found:
    """A thread with the answers and comments that stand on the page without being anyone's property."""
    linked: set[int] = {id(value) for item in items for value in all_values(item) if isinstance(value, Item)}
    for item in items:
        if id(item) in linked or item is thread.main:
            continue
        if item.is_a("Answer"):
            thread.replies.append(item)
        elif item.is_a("Comment"):
            thread.comments.append(item)
    return thread


def opened(thread: Found, url: str) -> Found:
    """A thread whose posting is only its title, with the first reply as its first post if the same person wrote it."""
    replies = thread.main.items(*REPLIES)
    if thread.is_question or not replies or says_something(thread.main, url):
        return thread
    first = min(replies, key=lambda reply: created_at(reply, url) or "9")
    who, _ = author(thread.main, url)
    if who is None or author(first, url)[0] != who:
        return thread
    said = {name: values for name, values in first.properties.items() if name not in ("url", "headline", "name")}
    below: list[Value] = [reply for reply in [*replies, *first.items(*REPLIES)] if reply is not first]
    told = thread.main.properties | said | {"comment": below, "comments": []}
    return replace(thread, main=replace(thread.main, properties=told))


def continued(thread: Found, url: str) -> Found:
    """The thread of a later page, which may repeat the first post; where every post is declared for itself it does not,
    and all that are there are replies."""
    main = thread.main
    if thread.is_question or thread.comments or main.items(*REPLIES, *ANSWERS) or not says_something(main, url):
        return thread
    return replace(thread, main=Item(), replies=[main, *thread.replies])


def all_values(item: Item) -> list[Value]:
    """All values of an item."""
    return [value for name in item.properties for value in item.properties[name]]
