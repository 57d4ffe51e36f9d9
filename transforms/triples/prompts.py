"""Split a question, with the post around it, into prompt + question (KhanQ A.2)."""

import re
from dataclasses import dataclass

from transforms.sentences import split
from transforms.triples.choices import split_choice
from transforms.triples.clauses import count_words, split_embedded, split_leading, split_trailing
from transforms.triples.content import WORD
from transforms.triples.following import HIDDEN, HOLE, is_chat, preceding, sentences_before, statement_behind
from transforms.triples.prompt_types import CONDITION, PREPOSITION, prompt_type
from transforms.triples.rewrites import sentence_case
from transforms.triples.talk import cut_lead_in

# What one looks at around a question: enough for any prompt that a person would keep, and a bound for hostile text.
_BEFORE, _AFTER, _LONGEST = 3_000, 600, 1_500

_PAUSE = re.compile(r"(?<=[.!…])\s+")
_OR = re.compile(r"^or\b[\s,]*", re.IGNORECASE)
_LAST_CONJUNCTION = re.compile(r"(?<!\bif)(?:[\s,;]+|\.{2,9})(?:but|and|so|or)$", re.IGNORECASE)
_MARKS = (".", "?", "!", "…", ",", ";", ":", '"', "”", ")")
_SENTENCE_MARKS = (".", "?", "!")
_STRIPPED = " ,;:-–—"


@dataclass(frozen=True)
class Draft:
    """A prompt, the question that follows from it, the form of the prompt, and the rules of A.2 that cut text."""

    prompt: str
    question: str
    prompt_type: str
    edits: tuple[str, ...] = ()
    # The other options of a choice.
    others: tuple[str, ...] = ()


def fold(text: str) -> str:
    """White space folded."""
    return " ".join(text.split())


def _other_option(text: str, start: int, question: str, before: str, answered: frozenset[str]) -> Draft | None:
    """KhanQ A.2, choice question: `X? Or Y?` is two questions, and both have the prompt of the first."""
    pieces = sentences_before(before)
    if not pieces or not pieces[-1].endswith("?"):
        return None
    end = len(text[:start].rstrip())
    begin = text.rfind(pieces[-1][:20], 0, end)
    first = _split(text, begin, end, answered) if begin >= 0 and fold(text[begin:end]) == pieces[-1] else None
    if first is None:
        return None
    return Draft(first.prompt, _OR.sub("", question), first.prompt_type, ("choice",))


def _before(text: str, start: int) -> str:
    """What stands before the question; where code and quoted lines were, a mark tells that the sentence has a hole."""
    before = text[max(0, start - _BEFORE) : start]
    if ">" in before or "`" in before:
        before = HIDDEN.sub(HOLE, before)
    return before.partition(" ")[2] if start > _BEFORE else before


def _behind(text: str, end: int) -> list[str]:
    """The two sentences behind the question in its paragraph."""
    after = text[end : end + _AFTER].partition("\n\n")[0]
    if ">" in after or "`" in after:
        after = HIDDEN.sub(HOLE, after)
    return [sentence for sentence in split(after) if WORD.search(sentence)][:2]


def draft(text: str, start: int, end: int, answered: frozenset[str] = frozenset()) -> Draft | None:
    """The prompt and question of the sentence at these offsets of a post, or nothing when there is no prompt.

    `answered` are the content words of the answers: they tell whether two questions were understood as one.
    """
    if end - start > _LONGEST:
        return None
    sentence = fold(text[start:end]).lstrip(_STRIPPED)
    other = _other_option(text, start, sentence, _before(text, start), answered) if _OR.match(sentence) else None
    return other or _split(text, start, end, answered)


def _joined(parts: list[str]) -> str:
    """KhanQ A.2, several prompts: one after the other, with a comma where one has no mark at its end."""
    joined = ""
    for part in parts:
        begun = sentence_case(part) if joined.endswith(_SENTENCE_MARKS) else part
        joined += f" {begun}" if begun.endswith(_MARKS) else f" {begun},"
    return joined


def _split(text: str, start: int, end: int, answered: frozenset[str]) -> Draft | None:
    whole, before = fold(text[start:end]).lstrip(_STRIPPED), _before(text, start)
    sentence = cut_lead_in(whole)
    clause, question = split_leading(sentence)
    parts = preceding(before, sentence, answered)
    edits: tuple[str, ...] = ("conversation",) if sentence != whole else ()
    kept = [piece for piece in _PAUSE.split(clause) if piece and not is_chat(piece)] if is_chat(clause) else [clause]
    if clause and kept != [clause]:
        edits = ("conversation",)
    parts += [piece for piece in kept if piece]
    after = _behind(text, end)
    if after and re.match(r"because\b", after[0], re.IGNORECASE) and not after[0].endswith("?"):
        # KhanQ A.2: several prompts become one; a reason given behind the question comes first.
        parts.insert(0, after[0])
    if not parts:
        tail, question = split_embedded(question)
        if not tail:
            tail, question = split_trailing(question)
        behind = tail or statement_behind(sentence, after)
        parts = [behind] if behind else []
    prompt = _LAST_CONJUNCTION.sub("", _joined(parts).strip(_STRIPPED)).strip(_STRIPPED)
    if count_words(prompt) < 2 or not question.strip():
        return None
    # A clause or phrase of the same sentence limits either option; a choice that follows other sentences stays whole.
    limited = CONDITION.match(clause) or PREPOSITION.match(clause)
    first, *others = split_choice(question.strip()) if limited else [question.strip()]
    return Draft(prompt, first, prompt_type(prompt), (*edits, "choice") if others else edits, tuple(others))
