"""Turn an answer into an independent paragraph (KhanQ A.4)."""

import re
from collections.abc import Sequence
from itertools import pairwise

from transforms.sentences import split
from transforms.triples.asides import delete_asides
from transforms.triples.external import delete_contacts, delete_links
from transforms.triples.following import HIDDEN
from transforms.triples.lists import mark_lines
from transforms.triples.off_subject import not_a_question
from transforms.triples.rewrites import Rule, fold, rewrite, sentence_case
from transforms.triples.tone import delete_answer_tone
from transforms.triples.wording import CLEANING

# An answer longer than this is cut at its last whole sentence: a context is a paragraph.
_LONGEST = 6_000

# What leads up to code is no longer than this.
_LONGEST_LEAD = 200
_BOUNDARIES = (". ", "! ", "? ", "; ", "\n")
_TO_ASKER = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
_SHORTEST_TALK = 3
_RESTS_ON_QUESTION = re.compile(
    r"(?:well,? |so,? )?(?:because\b|(?:that|this|it|they|those|these)(?:['’]s|['’]re)?\b|yes\b|no\b|nope\b"
    r"|the (?:answer|reason)\b|neither\b|both\b)",
    re.IGNORECASE,
)
_SEEKS_ASSENT = re.compile(
    r"(?:so |and |ok(?:ay)? )?(?:(?:does|do|did|is|are|was|am|will|can|have) (?:that|this|it|i|you)\b"
    r"(?! (?:ever|so\b|happen|work|mean|possible|called|know (?:why|how|what)|wonder))"
    r"|make sense|get it|got it|right|clear|understood|ok(?:ay)?\b|see\b|any (?:other|more) )",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
# The asker's question in about the same words; of few words, all must be the same.
_SHORTEST_REPEATED, _SAME_WORDS = 4, 0.8
_END_MARK = re.compile(r"[.!?…:;)\"'”’\]]$")


def delete_own_question(text: str, asked: str) -> str:
    """KhanQ A.4: the asker's own question, repeated: whole, as a part of it, or in about the same words."""
    if "?" not in text or not asked:
        return text
    sentences = split(text)
    kept = [s for s in sentences if not (s.endswith("?") and _repeats(s, asked))]
    return text if len(kept) == len(sentences) else " ".join(kept)


def _repeats(question: str, asked: str) -> bool:
    own, theirs = (_WORD.findall(text.lower()) for text in (question, asked))
    if len(own) < _SHORTEST_REPEATED:
        return own == theirs
    return sum(word in theirs for word in own) >= _SAME_WORDS * len(own)


def delete_open_questions(text: str) -> str:
    """KhanQ A.4, questions asked but not answered: at the end, and those put to the asker (`Am I right?`).

    `Why?` alone is a question that the answer goes on to answer, and so is one whose answer would dangle without it.
    """
    if "?" not in text:
        return text
    sentences = split(text)
    while sentences and sentences[-1].rstrip("\"')”! ").endswith("?"):
        sentences.pop()
    kept = [
        sentence
        for sentence, following in pairwise([*sentences, ""])
        if not (sentence.endswith("?") and _to_asker(sentence)) or _answered(sentence, following)
    ]
    return text if len(kept) == len(split(text)) else " ".join(kept)


def _to_asker(question: str) -> bool:
    return bool(_TO_ASKER.search(question)) or (len(question.split()) >= _SHORTEST_TALK and not_a_question(question))


def _answered(question: str, following: str) -> bool:
    return bool(_RESTS_ON_QUESTION.match(following)) and not _SEEKS_ASSENT.match(question)


def _leads_up(text: str) -> str:
    """The text without the beginning of a sentence at its end."""
    said = text.rstrip()
    start = max((said.rfind(mark) + len(mark) for mark in _BOUNDARIES if mark in said), default=0)
    return text if said.endswith((".", "!", "?", ";")) or len(said) - start > _LONGEST_LEAD else said[:start]


def without_hidden(text: str) -> str:
    """The answer without quoted lines and code; what only leads up to the code goes with it: `we could write`."""
    kept, position = "", 0
    for hidden in HIDDEN.finditer(text):
        kept += text[position : hidden.start()]
        kept = (_leads_up(kept) if hidden[0].startswith("`") else kept) + " "
        position = hidden.end()
    return kept + text[position:]


def end_mark(text: str) -> str:
    """A mark at the end, as a paragraph has."""
    return text if _END_MARK.search(text) or not text else text + "."


def _rules(asked: str) -> Sequence[Rule]:
    return (
        ("links", delete_links),
        ("contacts", delete_contacts),
        *CLEANING,
        ("conversation", delete_asides),
        ("open_questions", lambda text: delete_own_question(text, asked)),
        ("answer_tone", delete_answer_tone),
        ("open_questions", delete_open_questions),
        ("sentence_case", sentence_case),
        ("end_mark", end_mark),
    )


def make_context(answer: str, asked: str = "") -> tuple[str, list[str]]:
    """The context that an answer to the asked sentence gives, and the rules that changed it."""
    text = answer[: 2 * _LONGEST]
    said = without_hidden(text)
    own = mark_lines(said)
    # Code and quoted lines are another voice than the paragraph's.
    before = ["quoted_lines"] if said != text else []
    if own != said and fold(own) != fold(said):
        before.append("list_items")
    if len(own) > _LONGEST:
        own = own[:_LONGEST]
        own = own[: own.rfind(". ") + 1] or own
    context, names = rewrite(own, _rules(asked))
    return context, list(dict.fromkeys([*before, *names]))
