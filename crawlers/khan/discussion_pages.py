"""The discussion below a lesson: questions with answers, comments, replies; REST and GraphQL items are alike."""

import json
from typing import Any, NamedTuple

from crawlers.khan import public_url
from crawlers.khan.tree_pages import first
from crawlers.page import JsonPage, PageError, Record

KINDS = {"question": "question", "answer": "answer", "comment": "comment", "reply": "comment"}
TYPENAMES = {"QuestionFeedback": "question", "AnswerFeedback": "answer"}


class Unfinished(NamedTuple):
    """A post of which more was said than came along: its answers (of a question) or replies."""

    key: str
    thread: str
    answers: bool
    expand: str  # the name by which it is shown expanded, often the same as the key
    mark: str  # changes when there is more


class DiscussionPage(JsonPage):
    """One page of a discussion: of its questions, its comments, or the answers or replies to one post."""

    def __init__(self, body: bytes | str, url: str, parent: str | None = None, thread: str | None = None) -> None:
        """Parse the page; below `parent`, when it is a page of answers or replies."""
        super().__init__(body, url)
        self.parent, self.thread = parent, thread
        self.envelope: Any = self.unwrapped()
        entries = self.envelope.get("feedback") if isinstance(self.envelope, dict) else self.envelope
        if entries is not None and not isinstance(entries, list):
            raise PageError(f"{url}: `feedback` is no list; has the site's interface changed?")
        self.is_null = entries is None
        self.count = len(entries or [])
        self.items: list[Record] = [entry for entry in entries or [] if isinstance(entry, dict)]

    def unwrapped(self) -> Any:
        """The part of the document that holds `feedback`: the document itself in REST, which may be a bare list."""
        if isinstance(self.data, list):
            return self.data
        if not isinstance(self.data, dict) or not {"feedback", "data"} & set(self.data) or self.find("errors"):
            problem = json.dumps(self.find("errors") or "neither `feedback` nor `data`")[:300]
            raise PageError(f"{self.url}: {problem}", "graphql_error" if self.find("errors") else "unexpected_page")
        if "data" not in self.data:
            return self.data
        return self.find("data", "feedbackRepliesPaginated") or self.find("data", "feedback") or {}

    @property
    def cursor(self) -> str | None:
        """Where the next page begins, when the site says so and there is one."""
        over = self.complete or (self.complete is None and not self.count)
        return None if over or not isinstance(self.envelope, dict) else first(self.envelope, "cursor")

    @property
    def complete(self) -> bool | None:
        """Whether the site says that this is the last page; None when it does not say."""
        if not isinstance(self.envelope, dict):
            return None
        said = self.envelope.get("isComplete", self.envelope.get("is_complete", self.envelope.get("complete")))
        return said if isinstance(said, bool) else None

    def goes_on(self, limit: int) -> bool:
        """Whether a page with the next number may exist: the site says so, or this one is full."""
        return self.count > 0 and (self.complete is False or (self.complete is None and self.count >= limit))

    @property
    def has_answers(self) -> bool:
        """Whether the page shows an answer, as a page of a question's answers must."""
        return any(kind_of(item) == "answer" or answers_of(item) for item in self.items)

    def posts(self, lesson_id: str) -> list[Record]:
        """All posts of the page, answers after their question; what the site shows as deleted is left out."""
        found: list[Record] = []
        for item in filter(alive, self.items):
            post = self.post(item, lesson_id, self.parent, self.thread)
            found.append(post)
            answers = filter(alive, answers_of(item))
            found += [self.post(answer, lesson_id, post["post_id"], post["thread_id"]) for answer in answers]
        return found

    def post(self, item: Record, lesson_id: str, parent: str | None, thread: str | None) -> Record:
        """One post."""
        key = self.key(item)
        kind = kind_of(item) or ("comment" if parent else "post")
        if kind == "question":  # which is also shown, expanded, on pages that were asked for its answers
            parent, thread = None, key
        elif kind == "answer":
            parent = first(item, "questionKey", "question_key") or thread or parent
        author: Record = item["author"] if isinstance(item.get("author"), dict) else {}
        nickname = first(item, "authorNickname", "author_nickname") or first(author, "nickname")
        votes = item.get("sumVotesIncremented", item.get("sum_votes_incremented"))
        return {
            "post_id": key,
            "lesson_id": lesson_id,
            "thread_id": thread or parent or key,
            "parent_id": parent,
            "kind": kind,
            "author": first(item, "authorKaid", "author_kaid") or first(author, "kaid", "id")
            or nickname,
            "author_names": [nickname] if nickname else [],
            "author_role": "instructor" if from_author(item) else None,
            "created_at": first(item, "date"),
            "votes": votes if isinstance(votes, int) and not isinstance(votes, bool) else None,
            "accepted": False,
            "text": str(item.get("content") or "").strip(),
            "url": public_url(first(item, "permalink", "focusUrl", "focus_url"), self.url),
            # Posts are not under a Creative Commons licence by default, whatever the lesson's is.
            "license": None,
        }  # fmt: skip

    def unfinished(self) -> list[Unfinished]:
        """The posts of which the page holds only a part."""
        found: list[Unfinished] = []
        for item in filter(alive, self.items):
            key = self.key(item)
            thread = key if kind_of(item) == "question" else self.thread or key
            answers, expected = answers_of(item), number(item, "answerCount", "answer_count")
            more = kind_of(item) == "question" and expected > len(answers)
            if more:
                mark = f"{expected} {first(item, 'lastAnswerDate', 'last_answer_date')}"
                found.append(Unfinished(key, thread, True, expand_key(item) or key, mark))
            # Replies to a question are asked for in the same way as its answers, and come with them.
            posts = [*([] if more else [item]), *filter(alive, answers)]
            for post in posts:
                if count := number(post, "replyCount", "reply_count"):
                    name = self.key(post)
                    found.append(Unfinished(name, thread, False, expand_key(post) or name, str(count)))
        return found

    def key(self, item: Record) -> str:
        """A post's own id."""
        key = first(item, "key", "expandKey", "expand_key", "id")
        if key is None:
            raise PageError(f"{self.url}: a post has no `key`; has the site's interface changed?")
        return key


def expand_key(item: Record) -> str | None:
    """The name by which a post is shown expanded."""
    return first(item, "expandKey", "expand_key")


def kind_of(item: Record) -> str | None:
    """The kind of a post, None when the item does not say."""
    said = (first(item, "type", "feedbackType", "feedback_type") or "").lower()
    return KINDS.get(said) or TYPENAMES.get(first(item, "__typename") or "")


def answers_of(item: Record) -> list[Record]:
    """The answers that came along with a question; nulls are dropped."""
    answers = item.get("answers")
    return [answer for answer in answers if isinstance(answer, dict)] if isinstance(answers, list) else []


def alive(item: Record) -> bool:
    """Whether a post is shown; a deleted question takes its answers along."""
    return not (item.get("appearsAsDeleted") or item.get("appears_as_deleted") or item.get("deleted"))


def from_author(item: Record) -> bool:
    """Whether the author of the lesson wrote the post."""
    return bool(item.get("fromVideoAuthor") or item.get("from_video_author"))


def number(item: Record, *names: str) -> int:
    """The first of some counts that is there, else 0."""
    found = (item.get(name) for name in names)
    return next((value for value in found if isinstance(value, int) and not isinstance(value, bool)), 0)
