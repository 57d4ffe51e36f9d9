"""Choice questions (KhanQ A.2): an option without information goes, two whole questions become two."""

import re

from transforms.triples.prompt_types import AUXILIARY

# A question of its own, `it is X`, is three words.
_SHORTEST = 3

_EMPTY_OPTION = re.compile(
    r",?\s+or (?:not(?: (?:necessarily|always|really|at all))?|no|what|maybe not|it depends"
    r"|(?:does|will|would) it depend|something(?: else| different)?|anything else|else|otherwise|nothing|am i wrong"
    r"|(?:is|are|do|does|did|was|were|can|will) (?:it|they|this|that|there)"
    r"(?: not|n['’]t| (?:just )?(?:something|anything) (?:else|different|other))?)\s*(?=\?)",
    re.IGNORECASE,
)
_OPTION = re.compile(rf",?\s+or\s+(?:else\s+)?(?=(?:{AUXILIARY})\s+\w)", re.IGNORECASE)
_YES_OR_NO = re.compile(rf"(?:then\s+)?(?:{AUXILIARY})\s", re.IGNORECASE)


def delete_empty_option(question: str) -> str:
    """KhanQ A.2, choice question: `or not`, `or is it something else` carry no information."""
    return _EMPTY_OPTION.sub("", question)


def split_choice(question: str) -> list[str]:
    """`Does it melt or does it crack?` as two questions; `Is it ice or snow?` is one."""
    asked = delete_empty_option(question)
    options = [option.strip(" ,") for option in _OPTION.split(asked)]
    if len(options) < 2 or not _YES_OR_NO.match(asked) or min(len(o.split()) for o in options) < _SHORTEST:
        return [question]
    return [option if option.endswith("?") else f"{option}?" for option in options]
