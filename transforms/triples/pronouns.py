"""Pronouns of a question whose noun stands in the prompt (KhanQ A.5)."""

import re

# Only where the noun is beyond doubt: the prompt asks or says that there is such a thing, and names one thing only.
_THERE = re.compile(
    r"\b(?P<verb>is|are|isn['’]?t|aren['’]?t)\s+there\s+(?:an?\s+|any\s+|some\s+)?(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*){0,3}?)"
    r"(?=\s*[?,.]|\s+(?:in|on|for|of|at|that|which|who|as|and|or|to|when|if|with|between|inside|within)\b|\s*$)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|they)\b", re.IGNORECASE)
_OTHER = re.compile(r"\b(?:its|them|their|this|that|these|those|he|she|him|her|one|ones)\b", re.IGNORECASE)


def name_pronoun(prompt: str, question: str) -> str:
    """`Is there a tide on Mars? If so` + `How does it work?`: `it` becomes `the tide`."""
    pronouns = _PRONOUN.findall(question)
    found = list(_THERE.finditer(prompt))
    if len(pronouns) != 1 or len(found) != 1 or _OTHER.search(question):
        return question
    plural = found[0]["verb"].lower().startswith("are")
    if plural != (pronouns[0].lower() == "they") or re.search(rf"\b{re.escape(found[0]['noun'])}\b", question):
        return question
    noun = f"the {found[0]['noun']}"
    return _PRONOUN.sub(lambda m: noun.capitalize() if m.start() == 0 else noun, question)
