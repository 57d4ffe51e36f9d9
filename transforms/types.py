"""Suggest what kind of question each one is: by interrogative, by reasoning, by Bloom level."""

import re

from transforms.result import Ledger, Params, Result, Tables

DEEP = {"cause", "consequence", "procedural"}  # KhanQ 4.3

# QG-STEC 2010's list; the first interrogative of the sentence decides, "how" is our addition.
_INTERROGATIVE = re.compile(
    r"\b(how (?:many|much|long|often|far|old|big|fast|tall)|who(?:se|m)?|where|when|which|what|why|how come|how)\b", re.I
)
_AUXILIARY = re.compile(
    r"^(?:(?:so|and|but|or|then|also|well),? )*(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|may|"
    r"might|must|has|have|had|isn|aren|wasn|weren|don|doesn|didn|can|couldn|won|wouldn|shouldn|hasn|haven|hadn|ain)"
    r"(?:['’]?t)?\b",
    re.I,
)
# In order: the first pattern that is found names the type (Cao & Wang 2021, types by what the answer must give).
_REASONING = [
    ("judgmental", r"\b(?:do you think|your (?:opinion|favou?rite)|should (?:i|we|you|one)|would you|is it (?:ok|okay|worth|better)|best)\b"),
    ("comparison", r"\b(?:differen(?:ce|t)|compared?|versus|vs|better than|more .{1,30} than|similar(?:ity)?|differ)\b"),
    ("example", r"\b(?:examples?|some (?:good|other|ways)|such as|kinds of|what are some|any other|suggest|recommend)\b"),
    ("consequence", r"\b(?:what (?:would |will |does |could )?happens?|happen(?:s|ed)? (?:to|if|when)|effects?|affect|result|consequences?|impact|what if)\b"),
    ("cause", r"\b(?:why|how come|reasons?|causes?|what makes|because of what)\b"),
    ("extent", r"\bhow (?:many|much|long|often|far|old|big|fast|tall|large|likely|strong|deep|hot|cold|accurate)\b"),
    ("procedural", r"\b(?:how (?:do|does|did|can|could|to|would|is|are|was|were|will|should|might)|ways? to|steps|process|method)\b"),
    ("disjunction", r"\b(?:is|are|was|were|do|does|did|can|will|would|should)\b.{2,}\bor\b"),
]  # fmt: skip
_COMPILED = [(name, re.compile(pattern, re.I)) for name, pattern in _REASONING]

_BLOOM = {
    "verification": ["understanding"],
    "disjunction": ["understanding"],
    "concept": ["remembering"],
    "extent": ["remembering"],
    "example": ["understanding", "applying"],
    "comparison": ["analyzing"],
    "cause": ["understanding", "analyzing"],
    "consequence": ["applying", "analyzing"],
    "procedural": ["applying"],
    "judgmental": ["evaluating"],
}


def question_type(text: str) -> str:
    """The type by interrogative word."""
    found = _INTERROGATIVE.search(text)
    if _AUXILIARY.match(text) and not (found and found.start() < 4):
        return "yes/no"
    if not found:
        return "yes/no" if _AUXILIARY.search(text) else "other"
    word = found[1].lower()
    if word.startswith("who"):
        return "who"
    if word in ("where", "when", "which", "what", "why"):
        return word
    if word == "how come":
        return "why"
    return "how many" if " " in word else "how"


def reasoning_type(text: str) -> str:
    """The type by what an answer must give: the first rule that fits, else by the form of the sentence."""
    for name, pattern in _COMPILED:
        if pattern.search(text):
            return name
    kind = question_type(text)
    if kind == "yes/no":
        return "verification"
    return "procedural" if kind == "how" else "concept"


def suggest_types(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: questions. Output: types. Rejects: none."""
    ledger = Ledger("types")
    for question in inputs["questions"].select(["question_id", "lesson_id", "text"]).to_pylist():
        reasoning = reasoning_type(question["text"])
        ledger.add(
            "types",
            {
                "question_id": question["question_id"],
                "lesson_id": question["lesson_id"],
                "question_type": question_type(question["text"]),
                "reasoning_type": reasoning,
                "deep": reasoning in DEEP,
                "bloom_levels": _BLOOM[reasoning],
            },
        )
        ledger.keep(question["lesson_id"])
    return ledger.result("types")
