"""Pronouns of a question whose noun stands in the prompt (KhanQ A.5)."""

import re

# Only where the noun is beyond doubt: the prompt asks or says that there is such a thing, and names one thing only.
_THERE = re.compile(
    r"\b(?P<verb>is|are|isn['’]?t|aren['’]?t)\s+there\s+(?:an?\s+|any\s+|some\s+)?(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*){0,3}?)"
    r"(?=\s*[?,.]|\s+(?:in|on|for|of|at|that|which|who|as|and|or|to|when|if|with|between|inside|within)\b|\s*$)",
    re.IGNORECASE,
)
# Or it is one short statement about many things or a body of people, and every other noun in it is single.
_GROUP = re.compile(
    r"(?P<noun>(?:The|All|Most|Many|These|Those) (?:[a-z-]+ )?[a-z-]+) "
    r"(?P<verb>is|are|was|were|has|have|had|can|could|do|does|did|will|would|must) (?P<rest>[^.?!,;:]{1,60})\.?$"
)
_BODY = re.compile(
    r"\b(?:senate|army|government|parliament|council|court|church|company|team|crew|police|public|navy|empire|family)$"
)
_THEY_CAN = re.compile(r"\b(?:could|can|did|would|will|should|must|might) they\b", re.IGNORECASE)
_PLURAL = re.compile(r"\b[a-z]{2,}[^\Wsui]s\b|\b(?:people|children|men|women)\b")
_PRONOUN = re.compile(r"\b(?:it|they)\b", re.IGNORECASE)
_OTHER = re.compile(r"\b(?:its|them|their|this|that|these|those|he|she|him|her|one|ones)\b", re.IGNORECASE)


def _thing_there(prompt: str, pronoun: str) -> str | None:
    """`Is there a tide on Mars?`: the tide."""
    found = list(_THERE.finditer(prompt))
    if len(found) != 1 or found[0]["verb"].lower().startswith("are") != (pronoun == "they"):
        return None
    return f"the {found[0]['noun']}"


def _group(prompt: str, question: str) -> str | None:
    """`The bees can see.`: the bees; `The senate had no army.`: the senate, where the verb fits one as well as many."""
    found = _GROUP.match(prompt)
    if not found or _PLURAL.search(found["rest"]):
        return None
    many = _PLURAL.search(found["noun"]) and found["verb"] not in ("is", "was", "has", "does")
    if not many and not (_BODY.search(found["noun"]) and _THEY_CAN.search(question)):
        return None
    return found["noun"][0].lower() + found["noun"][1:]


def name_pronoun(prompt: str, question: str) -> str:
    """`Is there a tide on Mars? If so` + `How does it work?`: `it` becomes `the tide`."""
    pronouns = _PRONOUN.findall(question)
    if len(pronouns) != 1 or _OTHER.search(question):
        return question
    pronoun = pronouns[0].lower()
    noun = _thing_there(prompt, pronoun) or (_group(prompt, question) if pronoun == "they" else None)
    if noun is None or re.search(rf"\b{re.escape(noun.partition(' ')[2])}\b", question):
        return question
    return _PRONOUN.sub(lambda m: noun[0].upper() + noun[1:] if m.start() == 0 else noun, question)
