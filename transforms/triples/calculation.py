"""Questions that need a calculation but give no formula (KhanQ A.1)."""

import re

_UNITS = (
    r"k?m/s|kmph|km/?h|mph|k?g|mg|k?m|cm|mm|nm|m?l|k?j|k?n|k?w|v|a|mol|moles?|atm|k?pa|hz|ohms?|volts?|amps?|s"
    r"|sec(?:ond)?s?|min(?:ute)?s?|h|hours?|days?|weeks?|months?|years?|(?:kilo|centi|milli|nano|micro)?met(?:er|re)s?"
    r"|(?:kilo|milli|micro)?grams?|kilos?|(?:milli)?lit(?:er|re)s?|(?:kilo)?joules?|newtons?|(?:kilo)?watts?|(?:kilo)?pascals?"
    r"|degrees|dollars?|euros?|cents?|percent|molar|feet|inch(?:es)?|miles?|tons?|pounds?|times"
)
_NUMBER_WORD = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety|hundred|thousand|million|half an?)"
)
_QUANTITY = re.compile(
    rf"(?:(?<![\w.])\d[\d.,]{{0,12}}|\b{_NUMBER_WORD}(?=\s))\s?"
    rf"(?:%|°\s?[cf]?\b|(?:{_UNITS})\b)|[$€£]\s?\d[\d.,]{{0,12}}",
    re.IGNORECASE,
)
# `in 1812` is a date.
_NUMBER = re.compile(r"(?<![\w.^])(?!(?:1\d|20)\d\d\b(?!\s?%))\d[\d.,]{0,12}(?![\w^])")
_MEASURE = (
    r"(?:speed|velocity|(?:ac|de)celeration|distance|mass|volume|force|energy|area|perimeter|circumference|radius|diameter"
    r"|height|length|width|depth|age|size|ph|concentration|molarity"
    r"|density|current|voltage|resistance|time|value|total|percentage|number|population|weight|pressure|temperature|angle"
    r"|slope|rate|ratio|price|salary|balance"
    r"|cost|profit|interest|sum|mean|average|momentum|torque|work|power|frequency|wavelength|yield|probability)"
)
_COMPUTE = re.compile(
    r"\b(?:calculate|compute|work out|solve for|how (?:many|much|far|fast|long|tall|high|heavy|old)"
    r"|(?:find|determine) (?:the|its|their|his|her) (?:\w+ ){0,3}?"
    rf"{_MEASURE}|(?:what|which) {_MEASURE}"
    r"|when (?:do|does|will) (?:they|it|he|she) (?:meet|catch|overtake|arrive|reach|hit|land|pass))\b",
    re.IGNORECASE,
)
# What two quantities are given for is an amount, whatever its name; a reason or a role is none.
_WHAT_IS_THE = re.compile(
    r"\bwhat(?:['’]s| is| are| was| were| will be| would be| should be) (?:the|its|their|his|her|my) "
    r"(?!(?:[\w-]+ ){0,2}(?:reason|role|function|purpose|point|cause|explanation|difference|similarity|relation"
    r"|relationship|connection|effect|impact|influence|meaning|mechanism|process|name|structure|use|significance|importance|advantage"
    r"|disadvantage|benefit|evidence|problem|result|consequence|type|kind|form|colou?r|shape|nature|source|origin|product"
    r"|deal|chance|basis|logic|state|phase|idea|risk|part)s?\b)",
    re.IGNORECASE,
)
_WHAT_MEASURE = re.compile(rf"{_WHAT_IS_THE.pattern}(?:[\w-]+ ){{0,3}}?{_MEASURE}\b", re.IGNORECASE)
_REASONS = re.compile(
    r"\b(?:why|how(?! (?:many|much|far|fast|long|tall|high|heavy|old)\b)|explain|called|named)\b", re.IGNORECASE
)
# A formula has a letter behind its sign; `m = 5 kg` gives a quantity, and `3x + 5 = 20` is to be solved.
_FORMULA = re.compile(
    rf"=\s*(?:[^\W\d_]|[\d\s./*×·√^()+−-]{{1,20}}(?!(?:{_UNITS}|is|in|at|of|to|if|an|on|we|or|by|so|it|as|do)\b)"
    r"[^\W\d_]{1,2}(?![^\W\d_]))",
    re.IGNORECASE,
)
_SOLVE = re.compile(r"\b(?:solve\b[^.?]{0,60}=|what(?:['’]s| is) [b-hj-z]\s*\?|convert \d)", re.IGNORECASE)
_HOW_MUCH = re.compile(r"\bhow (?:many|much|far|fast|long|tall|high|heavy|old)\b", re.IGNORECASE)
# One speed or height is enough for these: `A ball is thrown at 20 m/s. How high does it go?`
_HOW_FAR = re.compile(r"\bhow (?:far|fast|high) (?:will|would|does|do|did|can) (?:it|they|he|she|the)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow many (\w+)", re.IGNORECASE)
_SEVERAL = 2
# What is asked for is reckoned from what is given.
_RECKONED = re.compile(
    r"\bhow many (?:times|more|fewer|less)\b|\b(?:left|in total|altogether|each|per)\b", re.IGNORECASE
)


def _counted(things: str, given: str) -> bool:
    """Whether the things asked for are counted before: `6 eggs in a box ... How many eggs`."""
    one = things[:-1] if things.endswith("s") else things
    return re.search(rf"\d\s{re.escape(one)}", given, re.IGNORECASE) is not None


def gives_formula(text: str) -> bool:
    """Whether there is an equation with a letter on its right side, other than a unit."""
    return "=" in text and bool(_FORMULA.search(text))


def needs_calculation(text: str) -> bool:
    """KhanQ A.1: quantities with units and another one asked for, or numbers and an amount to be reckoned from them.

    Numbers alone do not make a sum: `In 1812 he lost 20,000 of 600,000 men. How many of them fell ill?`
    """
    if gives_formula(text):
        return False
    given, numbers = len(_QUANTITY.findall(text)), len(_NUMBER.findall(text))
    if _SOLVE.search(text) and (given or "=" in text):
        return True
    if _COMPUTE.search(text) and given >= _SEVERAL:
        return True
    asked_for = _WHAT_IS_THE.search(text)
    enough = given >= _SEVERAL or (numbers >= _SEVERAL and _WHAT_MEASURE.search(text))
    if asked_for and enough and not _REASONS.search(text, asked_for.end()):
        return True
    if _HOW_FAR.search(text) and _QUANTITY.search(text):
        return True
    asked = list(_HOW_MUCH.finditer(text))
    if not asked or numbers < _SEVERAL:
        return False
    before, question = text[: asked[-1].start()], text[asked[-1].start() :]
    many = _HOW_MANY.match(question)
    return bool(
        _NUMBER.search(question) or _RECKONED.search(question) or (many and _counted(many[1], before)) or not many
    )
