"""Questions that need a calculation but give no formula (KhanQ A.1)."""

import re

_UNITS = (
    r"k?m/s|kmph|km/?h|mph|k?g|mg|k?m|cm|mm|nm|m?l|k?j|k?n|k?w|v|a|mol|moles?|atm|k?pa|hz|ohms?|volts?|amps?|s"
    r"|sec(?:ond)?s?|min(?:ute)?s?|h|hours?|days?|weeks?|months?|years?|meters?|metres?|grams?|kilos?|kilograms?|litres?"
    r"|liters?|joules?|newtons?|watts?|degrees|dollars?|euros?|cents?|percent|molar|feet|inch(?:es)?|miles?|tons?|pounds?"
)
_QUANTITY = re.compile(
    rf"(?:(?<![\w.])\d[\d.,]{{0,12}}|\b(?:two|three|four|five|six|seven|eight|nine|ten|half an?)(?=\s))\s?"
    rf"(?:%|°\s?[cf]?\b|(?:{_UNITS})\b)|[$€£]\s?\d[\d.,]{{0,12}}",
    re.IGNORECASE,
)
# `in 1812` is a date.
_NUMBER = re.compile(r"(?<![\w.^])(?!(?:1\d|20)\d\d\b(?!\s?%))\d[\d.,]{0,12}(?![\w^])")
_MEASURE = (
    r"(?:speed|velocity|acceleration|distance|mass|volume|force|energy|area|height|length|ph|concentration|molarity"
    r"|density|current|voltage|resistance|time|value|total|percentage|number|weight|pressure|temperature|angle|rate|price"
    r"|cost|profit|interest|sum|mean|average|momentum|power|frequency|wavelength|yield|probability)"
)
_COMPUTE = re.compile(
    r"\b(?:calculate|compute|work out|solve for|how (?:many|much|far|fast|long|tall|high|heavy|old)"
    r"|(?:what (?:is|are|was|will be|would be)|find|determine) (?:the|its|their|his|her) (?:\w+ ){0,3}?"
    rf"{_MEASURE}|(?:what|which) {_MEASURE})\b",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(r"\bhow (?:many|much|far|fast|long|tall|high|heavy|old)\b", re.IGNORECASE)
# One speed or height is enough for these: `A ball is thrown at 20 m/s. How high does it go?`
_HOW_FAR = re.compile(r"\bhow (?:far|fast|high) (?:will|would|does|do|did|can) (?:it|they|he|she|the)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow many (\w+)", re.IGNORECASE)
# What is asked for is reckoned from what is given.
_RECKONED = re.compile(
    r"\bhow many (?:times|more|fewer|less)\b|\b(?:left|in total|altogether|each|per)\b", re.IGNORECASE
)


def _counted(things: str, given: str) -> bool:
    """Whether the things asked for are counted before: `6 eggs in a box ... How many eggs`."""
    one = things[:-1] if things.endswith("s") else things
    return re.search(rf"\d\s{re.escape(one)}", given, re.IGNORECASE) is not None


def needs_calculation(text: str) -> bool:
    """KhanQ A.1: quantities with units and another one asked for, or numbers and an amount to be reckoned from them.

    Numbers alone do not make a sum: `In 1812 he lost 20,000 of 600,000 men. How many of them fell ill?`
    """
    if "=" in text:
        return False
    if _COMPUTE.search(text) and len(_QUANTITY.findall(text)) >= 2:
        return True
    if _HOW_FAR.search(text) and _QUANTITY.search(text):
        return True
    asked = list(_HOW_MUCH.finditer(text))
    if not asked or len(_NUMBER.findall(text)) < 2:
        return False
    given, question = text[: asked[-1].start()], text[asked[-1].start() :]
    many = _HOW_MANY.match(question)
    return bool(
        _NUMBER.search(question) or _RECKONED.search(question) or (many and _counted(many[1], given)) or not many
    )
