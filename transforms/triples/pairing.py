"""From the answers to one question to contexts, or to the reasons why not (KhanQ A.3, A.4)."""

from dataclasses import dataclass, field
from typing import Any

from transforms.triples.answer_filters import answer_reason, refuses
from transforms.triples.asking import LONGEST_POST
from transforms.triples.content import content_words
from transforms.triples.contexts import make_context
from transforms.triples.contradictions import contradict
from transforms.triples.question_filters import not_understood

Row = dict[str, Any]
_JOINABLE = ("answer_too_short", "answer_not_standalone")
# An answer in other words than the question's belongs to the others when it shares these many with them.
_SHARED_WORDS = 2
# A context is a paragraph: no more answers are joined than give one.
_MOST_JOINED_CHARACTERS = 1_000


@dataclass(frozen=True)
class Context:
    """A context, the answers it is made of, and the rules that changed it."""

    answers: list[Row]
    text: str
    edits: list[str]


@dataclass
class Contexts:
    """What became of the answers to one question; an answer with the text of a kept one is merged into it."""

    kept: list[Context] = field(default_factory=list)
    dropped: list[tuple[Row, str]] = field(default_factory=list)
    merged: list[tuple[Row, int]] = field(default_factory=list)


def make_contexts(replies: list[Row], asked: str, topic: str, minimum: int) -> Contexts:
    """Keep each answer that makes a context; try the short and leaning ones joined (KhanQ A.3, several answers)."""
    found = Contexts()
    weak: list[tuple[Context, str]] = []
    seen: dict[str, int] = {}
    for reply in replies:
        answer = reply["text"][:LONGEST_POST]
        text, edits = make_context(answer, asked)
        reason = "not_understood" if not_understood(answer) else answer_reason(answer, text, topic, minimum)
        in_other_words = reason == "answer_does_not_answer" and not refuses(answer, text)
        if reason and (reason in _JOINABLE or in_other_words):
            weak.append((Context([reply], text, edits), reason))
        elif reason:
            found.dropped.append((reply, reason))
        elif text in seen:
            found.merged.append((reply, seen[text]))
        else:
            seen[text] = len(found.kept)
            found.kept.append(Context([reply], text, edits))
    joined = _join(_joinable(weak), topic, minimum)
    if joined:
        found.kept.append(joined)
    used = {id(answer) for answer in joined.answers} if joined else set[int]()
    found.dropped += [(c.answers[0], reason) for c, reason in weak if id(c.answers[0]) not in used]
    return found


def _joinable(weak: list[tuple[Context, str]]) -> list[Context]:
    """The answers that speak about one thing: the question's, and those in other words that share some with them."""
    spoken_of: set[str] = set()
    for context, reason in weak:
        spoken_of |= content_words(context.text) if reason in _JOINABLE else set()
    return [
        context
        for context, reason in weak
        if reason in _JOINABLE or len(content_words(context.text) & spoken_of) >= _SHARED_WORDS
    ]


def _join(parts: list[Context], topic: str, minimum: int) -> Context | None:
    """The answers as one paragraph, when it passes A.3 and they do not contradict each other."""
    chosen: list[Context] = []
    for part in parts:
        new = part.text and part.text not in {c.text for c in chosen}
        if new and sum(len(c.text) for c in chosen) + len(part.text) <= _MOST_JOINED_CHARACTERS:
            chosen.append(part)
    answers = [answer for part in chosen for answer in part.answers]
    text = " ".join(part.text for part in chosen)
    said = [answer["text"][:LONGEST_POST] for answer in answers]
    if len(chosen) < 2 or contradict(said, [part.text for part in chosen]):
        return None
    if answer_reason(text, text, topic, minimum):
        return None
    return Context(answers, text, [*(edit for part in chosen for edit in part.edits), "joined"])
