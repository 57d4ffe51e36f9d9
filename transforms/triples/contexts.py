"""Turn an answer into an independent paragraph (KhanQ A.4)."""

import re
from collections.abc import Sequence

from transforms.sentences import split
from transforms.triples.rewrites import CLEANING, Rule, rewrite, sentence_case

# An answer longer than this is cut at its last whole sentence: a context is a paragraph.
_LONGEST = 6_000

_TONE = re.compile(
    r"^(?:(?:yes|no|yep|nope|yeah|sure|exactly|correct|right|not (?:really|exactly|quite|necessarily)|of course|indeed|absolutely|good catch)"
    r"\s*(?:[,.!;:–—]|-\s)+\s*)+"
    r"|(?:(?<=[.!?] )|^)(?:(?:the )?(?:short|long|longer|quick|simple) (?:answer|version)\s*[:,-]\s*"
    r"|(?:(?:this|that|it)(?:'s|’s| is)|the reason is|this happens|it happens) (?:because|that)\s+|(?:to answer your question|in answer to your question)[,:]?\s+"
    r"|(?:i (?:think|believe|guess|suppose)|in my opinion|as far as i know|imo)(?: that)?,?\s+(?=(?:the|it|this|that|they|a|an|there|because|we|when|if)\b))",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"\[([^\]\[\n]{1,200})\]\((?:https?://|/|www\.)[^\s)]{1,500}\)|<?(?:https?://|www\.)[^\s<>\"]+>?", re.IGNORECASE
)
_SOURCE = re.compile(r"(?:\(|\b)(?:source|sources|see|link|reference|references|from|here)\s*[:\-]\s*(?=\)|$|[.\s]*$)\)?", re.IGNORECASE)
_CONTACT = re.compile(r"(?<!\S)[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}|\+?\d{1,3}[ -]\(?\d{3}\)?[ -]\d{3}[ -]\d{2,4}\b")
_FENCE = re.compile(r"```[^`]*(?:```|\Z)|(?m:^[ \t]*>.*$)")
_BECAUSE = re.compile(r"^because\s+", re.IGNORECASE)
_ITEM = re.compile(r"(?m)^[ \t]*(?:[-*+•]|#{1,6})[ \t]+")


def delete_answer_tone(text: str) -> str:
    """KhanQ A.4, answer-tone phrases: `yes,`, `short answer:`, `this is because`."""
    return _BECAUSE.sub("", _TONE.sub("", text))


def delete_links(text: str) -> str:
    """KhanQ A.4, external information: addresses go, the words of a link stay."""
    found = _LINK.sub(lambda m: m[1] or "", text)
    return _SOURCE.sub("", found) if found != text else text


def delete_contacts(text: str) -> str:
    """KhanQ A.4, external information: e-mail addresses and telephone numbers."""
    return _CONTACT.sub("", text)


def delete_open_questions(text: str) -> str:
    """KhanQ A.4, questions asked but not answered: those at the end, and those put to the asker."""
    if "?" not in text:
        return text
    sentences = split(text)
    while sentences and sentences[-1].rstrip("\"')”").endswith("?"):
        sentences.pop()
    asked = re.compile(r"\b(?:you|your)\b", re.IGNORECASE)
    return " ".join(s for s in sentences if not (s.endswith("?") and asked.search(s)))


def finish(text: str) -> str:
    """A mark at the end, as a paragraph has."""
    return text if re.search(r"[.!?…:;)\"'”’\]]$", text) or not text else text + "."


CONTEXT_RULES: Sequence[Rule] = (
    ("links", delete_links),  # KhanQ A.4
    ("contacts", delete_contacts),  # KhanQ A.4
    *CLEANING,
    ("answer_tone", delete_answer_tone),  # KhanQ A.4
    ("open_questions", delete_open_questions),  # KhanQ A.4
    ("sentence_case", sentence_case),
    ("end_mark", finish),
)


def make_context(answer: str) -> tuple[str, list[str]]:
    """The context that an answer gives, and the rules that changed it."""
    text = _ITEM.sub("", _FENCE.sub(" ", answer[: 2 * _LONGEST]))
    if len(text) > _LONGEST:
        text = text[:_LONGEST]
        text = text[: text.rfind(". ") + 1] or text
    return rewrite(text, CONTEXT_RULES)
