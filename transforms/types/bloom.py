"""Bloom's revised taxonomy (Anderson & Krathwohl 2001): the levels that a question may ask for, as suggestions."""

import re

from expectations.types import BLOOM_LEVELS

# Verbs and phrases that name a level, whatever the type of the question.
_PHRASES = {
    "remembering": r"\b(?:defin(?:e|ition)|name of|list|recall|who (?:was|is|were)|what year|called)\b",
    "understanding": r"\b(?:explain|mean(?:s|ing)?|understand|describe|summari[sz]e|in other words|interpret|why)\b",
    "applying": r"\b(?:how (?:do|can|would|should) (?:i|we|you|one)|calculate|compute|solve|use|apply|"
    "work out|find the)\b",
    "analyzing": r"\b(?:differen(?:ce|t)|compare|relationship|distinguish|versus|vs|why|cause|depends? on|evidence)\b",
    "evaluating": r"\b(?:better|best|worse|should|worth|opinion|agree|justif(?:y|ied)|do you think|valid|"
    "criticis[em])\b",
    "creating": r"\b(?:design|invent|what if|come up with|write an?|build|propose|plan for|make up)\b",
}
_PATTERNS = {level: re.compile(pattern, re.IGNORECASE) for level, pattern in _PHRASES.items()}
_BY_TYPE = {
    "verification": {"understanding"},
    "disjunction": {"understanding"},
    "concept": {"remembering"},
    "extent": {"remembering"},
    "example": {"understanding"},
    "comparison": {"analyzing"},
    "cause": {"understanding", "analyzing"},
    "consequence": {"applying", "analyzing"},
    "procedural": {"applying"},
    "judgmental": {"evaluating"},
}


def bloom_levels(text: str, reasoning: str) -> list[str]:
    """The level of the reasoning type and those that the wording names, from low to high."""
    shown = text[:1000]
    found = _BY_TYPE[reasoning] | {level for level, pattern in _PATTERNS.items() if pattern.search(shown)}
    return [level for level in BLOOM_LEVELS if level in found]
