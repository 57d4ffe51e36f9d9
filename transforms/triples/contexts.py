"""Turn an answer into an independent paragraph (KhanQ A.4)."""

import re
from collections.abc import Sequence

from transforms.sentences import split
from transforms.triples.following import HIDDEN
from transforms.triples.rewrites import Rule, fold, mentions, rewrite, sentence_case
from transforms.triples.wording import CLEANING

# An answer longer than this is cut at its last whole sentence: a context is a paragraph.
_LONGEST = 6_000

_AGREEMENT = re.compile(
    r"^(?:(?:yes|no|yep|nope|yeah|sure|exactly|correct|right|you(?:['’]re| are) (?:right|correct|wrong)|of course"
    r"|indeed|not (?:really|exactly|quite|necessarily)|absolutely|good catch|correction)"
    r"\s*(?:[,.!;:–—]|-\s)[\s,.!;:–—]*)+",
    re.IGNORECASE,
)
_TONE = re.compile(
    r"(?:(?<=[.!?] )|^)(?:(?:the )?(?:short|long|longer|quick|simple) (?:answer|version)\s?[:,-]\s*"
    r"|(?:(?:this|that|it)(?:'s|’s| is)|the reason is|this happens|it happens) (?:because|that)\s+"
    r"|(?:to answer your question|in answer to your question)[,:]?\s+"
    r"|(?:i (?:think|believe|guess|suppose)|in my opinion|as far as i know|imo)(?: that)?,?\s+"
    r"(?=(?:the|it|this|that|they|a|an|there|because|we|when|if)\b))",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"^because\s+", re.IGNORECASE)
_LINK = re.compile(
    r"\[([^\]\[\n]{1,200})\]\((?:https?://|/|www\.)[^\s)]{1,500}\)|<?(?:https?://|www\.)[^\s<>\"]+>?", re.IGNORECASE
)
_SOURCE = re.compile(
    r"(?:\(|\b)(?:source|sources|see|link|reference|references|from|here)\s?[:\-]\s?(?=\)|$|[.\s]{0,5}$)\)?",
    re.IGNORECASE,
)
_CONTACT = re.compile(
    r"(?<!\S)[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}|\+?\b\d{1,3}[ -]\(?\d{3}\)?[ -]\d{3}[ -]\d{2,4}\b"
    r"|\[(?:email|phone|user)\][,:]?"
)
_DIGITS = re.compile(r"\d{3}[ -]")
_ITEM = re.compile(r"(?m)^[ \t]*(?:[-*+•]|#{1,6})[ \t]+")
_TO_ASKER = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
_END_MARK = re.compile(r"[.!?…:;)\"'”’\]]$")


def delete_answer_tone(text: str) -> str:
    """KhanQ A.4, answer-tone phrases: `yes,`, `short answer:`, `this is because`."""
    return _BECAUSE.sub("", _TONE.sub("", _AGREEMENT.sub("", text)))


def delete_links(text: str) -> str:
    """KhanQ A.4, external information: addresses go, the words of a link stay."""
    if not mentions(text, ("http", "www.", "](")):
        return text
    found = _LINK.sub(lambda m: m[1] or "", text)
    return _SOURCE.sub("", found) if found != text else text


def delete_contacts(text: str) -> str:
    """KhanQ A.4, external information: e-mail addresses and telephone numbers, names addressed; scrubbed ones too."""
    return _CONTACT.sub("", text) if "@" in text or "[" in text or _DIGITS.search(text) else text


def delete_open_questions(text: str, asked: str = "") -> str:
    """KhanQ A.4, questions asked but not answered: those at the end, those put to the asker, the asker's own."""
    if "?" not in text:
        return text
    sentences = split(text)
    while sentences and sentences[-1].rstrip("\"')”! ").endswith("?"):
        sentences.pop()
    kept = [s for s in sentences if not (s.endswith("?") and (_TO_ASKER.search(s) or s.lower() == asked))]
    return text if len(kept) == len(split(text)) else " ".join(kept)


def end_mark(text: str) -> str:
    """A mark at the end, as a paragraph has."""
    return text if _END_MARK.search(text) or not text else text + "."


def _rules(asked: str) -> Sequence[Rule]:
    return (
        ("links", delete_links),
        ("contacts", delete_contacts),
        *CLEANING,
        ("answer_tone", delete_answer_tone),
        ("open_questions", lambda text: delete_open_questions(text, asked)),
        ("sentence_case", sentence_case),
        ("end_mark", end_mark),
    )


def make_context(answer: str, asked: str = "") -> tuple[str, list[str]]:
    """The context that an answer to the asked sentence gives, and the rules that changed it."""
    text = answer[: 2 * _LONGEST]
    own = _ITEM.sub("", HIDDEN.sub(" ", text))
    if len(own) > _LONGEST:
        own = own[:_LONGEST]
        own = own[: own.rfind(". ") + 1] or own
    context, names = rewrite(own, _rules(fold(asked).lower()))
    # Code and quoted lines are another voice than the paragraph's.
    return context, (["quoted_lines"] if HIDDEN.search(text) else []) + names
