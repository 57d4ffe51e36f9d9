"""A page of any site, parsed into the thread that it declares by schema.org."""

import hashlib
import re
from functools import cached_property
from typing import NamedTuple

from crawlers.page import PageError, Record, Unfit, attribute, titled
from crawlers.qapage import values
from crawlers.qapage.addresses import (
    continues,
    first_page,
    is_second,
    page_number,
    place,
    same_thread,
    thread_address,
)
from crawlers.qapage.finding import (
    ANSWERS,
    REPLIES,
    Found,
    continued,
    find_thread,
    opened,
    own_address,
    says_something,
)
from crawlers.qapage.items import Item
from crawlers.qapage.json_ld import JsonLd
from crawlers.qapage.links import LinkedPage, relations
from crawlers.qapage.microdata import microdata

Placed = tuple[Item, str, Item | None, bool]


class Dropped(NamedTuple):
    """A post that cannot be taken."""

    reason: str
    kind: str
    url: str


MIN_TEXT = 1_000_000
DECLARES = re.compile(r"\b(?:QAPage|DiscussionForumPosting)\b")


class ThreadPage(LinkedPage):
    """A page that may hold a thread; for a later page, the first has told the address and the kind of replies."""

    def __init__(self, html: str, url: str, thread: str | None = None, replies: str | None = None) -> None:
        """Read everything that the page declares."""
        super().__init__(html, url)
        self.max_text = max(MIN_TEXT, 2 * len(html))
        url = self.url
        self.json_ld = JsonLd(self.soup, url)
        self.continued, self.told_replies = thread, replies
        urls = [address for address in (thread, url, self.canonical) if address]
        # Microdata first: its text is the page's own markup, with code as it was.
        both = [microdata(self.soup, url), self.json_ld.items]
        found = [found for found in (find_thread(items, urls) for items in both) if found and self.goes_on(found)]
        self.items = [item for items in both for item in items]
        self.found: Found | None = max(found, key=lambda thread: len(self.flat(thread)), default=None)
        if self.found and self.later:
            self.told_replies = self.replies
            self.found = continued(self.found, url)
        elif self.found:
            self.found = opened(self.found, url)
        self.dropped: list[Dropped] = []

    @cached_property
    def before(self) -> str | None:
        """The address of the page before, when this one only has a 2 behind it."""
        return next((url for url in self.addresses("prev") if is_second(self.url, url)), None)

    @cached_property
    def later(self) -> bool:
        """Whether this is not the thread's first page, by what led here, by its number, or by what comes before it."""
        numbered = max(map(page_number, (self.url, self.canonical or self.url))) > 1
        return bool(self.continued or self.before) or numbered

    def goes_on(self, found: Found) -> bool:
        """Whether a later page is still of the thread: `rel=next` may lead to the next thread instead."""
        address = own_address(found.main)
        return not (self.continued and address) or continues(address, self.continued)

    @property
    def refused(self) -> str | None:
        """Why the page is no thread although it declares questions."""
        if self.found is None and any(item.is_a("FAQPage") for item in self.items):
            return "faq_page"
        return None

    def check(self) -> None:
        """A page that declares a thread in JSON that nobody can read is an error."""
        if self.found is None and any(DECLARES.search(text) for text in self.json_ld.broken):
            kind = PageError if self.continued else Unfit
            raise kind(f"{self.url}: the JSON-LD that declares the thread is broken", "bad_json_ld")

    @property
    def thread(self) -> Found:
        """The thread, which must be there."""
        if self.found is None:
            raise PageError(f"{self.url}: no QAPage and no DiscussionForumPosting", "no_thread")
        return self.found

    @cached_property
    def address(self) -> str:
        """The address of the thread's first page: what it says itself, or the page's canonical one."""
        here = self.canonical or self.url
        own = own_address(self.thread.main)
        if own and "#" in own and not same_thread(own, here):  # the address of the first post, not of the thread
            own = None
        return self.continued or thread_address(own or self.before or (first_page(here) if self.later else here))

    @cached_property
    def thread_id(self) -> str:
        """The native id of the thread and of its first post."""
        return place(self.address, self.url)

    @property
    def next_urls(self) -> list[str]:
        """The address of the thread's next page: where `rel=next` leads, else the next number that is linked."""
        named = [url for url in self.addresses("next") if self.is_further(url)]
        if named:
            return list(dict.fromkeys(named))
        here = max(page_number(self.url), 1)
        later = [(page_number(url), url) for url in self.outgoing if page_number(url) > here and self.is_further(url)]
        return [min(later)[1]] if later else []

    def is_further(self, url: str) -> bool:
        """Whether an address can be a further page of the thread."""
        return continues(url, self.address) or continues(url, self.url)

    @property
    def title(self) -> str:
        """The title of the thread: declared, else the page's one heading."""
        headings = self.all("h1")
        heading = " ".join(headings[0].get_text().split()) if len(headings) == 1 else ""
        return values.line(self.thread.main, self.url, "headline", "name") or heading

    @property
    def license(self) -> str | None:
        """The licence of what the page shows."""
        told = [value for item in (self.thread.main, *self.thread.pages) for value in item.values("license")]
        named = [value for value in told if isinstance(value, str)]
        named += [value.address for value in told if isinstance(value, Item) and value.address]
        named += [attribute(tag, "href") or "" for tag in self.linking if "license" in relations(tag)]
        return values.license_name(next((name for name in named if name), None))

    @property
    def replies(self) -> str:
        """The kind of replies to the thread's first post."""
        return self.told_replies or self.kind_of_replies(self.thread)

    def kind_of_replies(self, thread: Found) -> str:
        """Comments below a question, answers below a post; below a title or an article, people begin to talk."""
        if thread.is_question:
            return "comment"
        return "answer" if says_something(thread.main, self.url) else "post"

    def flat(self, thread: Found) -> list[Placed]:
        """All posts of a thread with kind, parent and whether accepted, each once, parents first."""
        main = thread.main
        order: list[Placed] = [(main, "question" if thread.is_question else "post", None, False)]
        seen = {id(main)}
        accepted = {id(item) for item in main.items("acceptedAnswer")}
        answers = [*main.items(*ANSWERS), *thread.replies]
        below = self.told_replies or self.kind_of_replies(thread)
        kinds = {id(main): "question"}
        waiting = [(item, "answer" if thread.is_question else below, main) for item in answers] + [
            (item, below, main) for item in main.items(*REPLIES)
        ]
        waiting += [(item, "comment", self.around(item, main)) for item in thread.comments]
        place = 0
        while place < len(waiting):
            item, kind, parent = waiting[place]
            place += 1
            if id(item) not in seen:
                named = next((other for other in item.items("parentItem") if id(other) in seen), parent)
                if named is not parent and not item.is_a("Answer"):
                    kind = "answer" if kinds.get(id(named)) == "post" else "comment"
                parent = named
                kinds[id(item)] = kind
                seen.add(id(item))
                order.append((item, kind, parent, id(item) in accepted))
                under = "answer" if kind == "post" else "comment"
                waiting += [(reply, under, item) for reply in item.items(*REPLIES, "suggestedAnswer")]
        return order

    def around(self, comment: Item, main: Item) -> Item:
        """The post that a comment stands in, the thread's first when it stands in none."""
        item = comment.inside
        while item is not None and not item.is_a("Answer", "Comment", "Question", "DiscussionForumPosting"):
            item = item.inside
        return item or main

    def posts(self, lesson_id: str, license: str | None = None) -> list[Record]:
        """The posts of the page; on a later page of a thread, without its first."""
        found: dict[str, Record] = {}
        ids: dict[int, str | None] = {}
        length = 0
        license = self.license or values.license_name(license)
        for item, kind, parent, accepted in self.flat(self.thread):
            record = self.post(item, kind, accepted, license)
            length += len(record["text"])
            if length > self.max_text:  # posts declared inside the text of posts show it over and over
                raise PageError(f"{self.url}: the posts have more text than the page", "too_large")
            record["lesson_id"], record["thread_id"] = lesson_id, self.thread_id
            record["parent_id"] = None if parent is None else self.known_parent(ids, parent)
            if not self.complete(record, parent is None):
                ids[id(item)] = record["parent_id"] if parent is not None or not self.later else self.thread_id
                continue
            name = self.identity(item, record, parent is None, found)
            ids[id(item)] = name
            if name in found:  # the accepted answer is often declared among the suggested ones too
                found[name]["accepted"] = found[name]["accepted"] or record["accepted"]
                continue
            if parent is not None or not self.later:
                found[name] = {"post_id": name} | record
        return list(found.values())

    def known_parent(self, ids: dict[int, str | None], parent: Item) -> str | None:
        """The id of the parent; of one that was dropped, the post above it."""
        return ids.get(id(parent), self.thread_id)

    def post(self, item: Item, kind: str, accepted: bool, license: str | None) -> Record:
        """One post, as far as it can be known by itself."""
        author, role = values.author(item, self.url)
        text = values.first_text(item, self.url, "text", "articleBody", "description") or ""
        title = self.title if item is self.thread.main else None
        if kind == "post" and item is self.thread.main and not says_something(item, self.url):
            text, title = "", None  # a headline is no post
        elif title and " ".join(text.split()).startswith(title):
            title = None
        own = [value for value in item.values("license") if isinstance(value, str)]
        return {
            "lesson_id": "", "thread_id": "", "parent_id": None, "kind": kind, "author": author, "author_role": role,
            "created_at": values.created_at(item, self.url), "votes": values.votes(item, self.url),
            "accepted": accepted, "text": titled(title, text),
            "url": own_address(item) or self.here(item), "license": values.license_name(own[0]) if own else license,
            "language": values.language(item, self.url),
        }  # fmt: skip

    def here(self, item: Item) -> str:
        """The address of an item that gives itself none: its element on the thread's page."""
        named = attribute(item.node, "id") if item.node else None
        return f"{self.address}#{named}" if named and item is not self.thread.main else self.address

    def complete(self, record: Record, first: bool) -> bool:
        """Whether a post has text, an author and a date: what has not is written by a marketing department."""
        missing = "no_text" if not record["text"] else "no_author" if not record["author"] else None
        missing = missing or ("no_date" if not record["created_at"] else None)
        if missing and first and record["kind"] == "question" and not self.later:
            raise Unfit(f"{self.url}: the question has {missing.replace('_', ' ')}", missing)
        if missing and not (first and self.later):
            self.dropped.append(Dropped(missing, record["kind"], record["url"]))
        return missing is None

    def identity(self, item: Item, record: Record, first: bool, found: dict[str, Record]) -> str:
        """A post's native id: of its own address, of its element's, else of who wrote it when."""
        if first:
            return self.thread_id
        address = own_address(item)
        named = attribute(item.node, "id") if item.node else None
        name = None
        if address and "#" in address and same_thread(address, self.address):
            name = f"{self.thread_id}#{address.partition('#')[2]}"
        elif address and not same_thread(address, self.address):
            name = place(address, self.url)
        elif named:
            name = f"{self.thread_id}#{named}"
        same = ("author", "created_at")
        if name and (name not in found or all(found[name][key] == record[key] for key in same)):
            return name
        basis = f"{record['author']}\n{record['created_at']}\n{record['kind']}\n{record['parent_id']}"
        digest = hashlib.blake2b(basis.encode("utf-8", "replace"), digest_size=8).hexdigest()
        names = (f"{self.thread_id}#{digest}" + (f"-{number}" if number else "") for number in range(len(found) + 1))
        return next(name for name in names if name not in found or found[name]["text"] == record["text"])
