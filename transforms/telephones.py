"""Telephone numbers in prose: the forms in which they are written, and the numbers that only look like one.

Learners write numbers of every kind. A number is taken for a telephone's when its form says so (a code of a country,
groups as a country prints them) or when the words before it do; long plain numbers without either stay.
"""

import re
from itertools import pairwise

MARK = "[phone]"
_DASHES = "\u2010-\u2015-"
SEPARATORS = rf"().\/{_DASHES}"  # beside blanks: any of them separates, since later stages fold white space
_BETWEEN = rf"[\s{SEPARATORS}]"
# No form has fewer digits.
_DIGITS = re.compile(rf"\d(?:{_BETWEEN}{{0,3}}\d){{6}}")
_END = r"(?!\w|\.\d)"
_OPERAND = r"(?<![\w.=])(?<!=\s)"

# With the code of a country. A plus behind a number or a bracket adds.
_INTERNATIONAL = re.compile(
    rf"{_OPERAND}(?<![\d)\]]\s)(?:\([+＋]\d{{1,3}}\)|[+＋]\d|00\s?[1-9]\d{{0,2}}(?={_BETWEEN}))"
    rf"[\d\s{SEPARATORS}]{{6,20}}\d{_END}"
)
# North America (415-555-2671, also with a 1 before it), Russia (8 (495) 123-45-67), mobile numbers of Brazil.
_GROUPED = re.compile(
    rf"{_OPERAND}(?:(?:[18][\s.{_DASHES}])?(?:\(\d{{3}}\)[\s.{_DASHES}]?|\d{{3}}[\s.{_DASHES}])\d{{3}}"
    rf"(?:[\s.{_DASHES}]\d{{4}}|[{_DASHES}]\d{{2}}[{_DASHES}]\d{{2}})"
    rf"|\(\d{{2}}\)\s?9\d{{4}}[\s{_DASHES}]\d{{4}}){_END}"
)
# Without a code: 555-0123. Three digits, a dash and four are a range as well (500-1500 g, 476-1453).
_LOCAL = re.compile(rf"{_OPERAND}(?:555[{_DASHES}]\d{{4}}|\d{{3}}[{_DASHES}](?!1\d|20|\d\d[05]0)\d{{4}}){_END}(?!\s?=)")
# As it is dialled inside a country: a trunk 0, and nine to twelve digits in groups, which `_national` counts.
# No digit, point, letter or sign may go on before it or behind it on its line.
_GAP = r"[^\S\n]"
_NATIONAL = re.compile(
    rf"(?<![\w.,=/#+-])(?<!\d:)(?<!\d{_GAP})(?<!=\s)"
    rf"(?:0[1-9](?:\.[0-9]{{2}}){{4}}|0[1-9][0-9]{{1,2}}/[0-9]{{2,3}}(?:\.[0-9]{{2}}){{2}}"
    rf"|(?:\(0[1-9][0-9]{{0,4}}\)(?:{_GAP}|[/-])?|0[1-9][0-9]{{0,4}}(?:{_GAP}?[/{_DASHES}]{_GAP}?|{_GAP}))"
    rf"[0-9]{{2,8}}(?:({_GAP}|[{_DASHES}])[0-9]{{2,6}}(?:\1[0-9]{{2,6}}){{0,4}})?(?:[{_DASHES}][0-9]{{1,4}})?)"
    rf"(?!\w|[.,:/-]\d|{_GAP}\d)"
)
# Behind words that announce one (call me at, Tel., WhatsApp:, mi número es) any number of its length is one.
_ANNOUNCED = re.compile(
    r"(?i:\b(tele(?:phone|fono|foon|fone|fon)|tel[ée]fono|t[ée]l[ée]phone|t[ée]l|m[oó]vil|celular|(?:cell\s?)?phone"
    r"|mobile|handy(?:nummer)?|fax|whats\s?app|hotline|helpline|call|ring|dial|sms|text(?=\s(?:me|us))"
    r"|(?:my|mi|meine|mon)\s(?:number|n[uú]mero|nummer)))"
    r"((?:[\s:.=#]|\b(?i:me|us|him|her|on|at|under|no|nr|numbers?|n[uú]mero|nummer|is|ist|est|es|my|now|al|au"
    r"|unter)\b){1,16})"
    rf"([+＋(]{{0,2}}\d(?:{_BETWEEN}{{0,3}}\d){{6,14}}){_END}"
)
_NUMBER, _DASH = re.compile(r"\d+"), re.compile(f"[{_DASHES}]")
_DECIMAL = re.compile(r"(?<!\S)[+＋]?(?!\d{3}\.\d{4}(?!\d))\d+\.\d+(?!\S)")
_NO_NUMBER = re.compile(r"\d+\.\d+|\d{1,3}(?:\.\d{1,3}){3}|\d{4}-\d\d-\d\d(?:\D.*)?", re.DOTALL)


def without_telephones(text: str) -> str:
    """The text with a mark in place of each telephone number."""
    if not _DIGITS.search(text):
        return text
    text = _ANNOUNCED.sub(_announced, text)
    text = _NATIONAL.sub(_national, text)
    return _LOCAL.sub(MARK, _GROUPED.sub(_grouped, _INTERNATIONAL.sub(_international, text)))


def _announced(found: re.Match[str]) -> str:
    """Times, addresses of machines and round quantities are no telephone's: `call f 1000000 times`."""
    number = found[3]
    return found[0] if number.endswith("000") or _NO_NUMBER.fullmatch(number) else found[1] + found[2] + MARK


def _international(found: re.Match[str]) -> str:
    """Nine to fifteen digits, as the world has agreed, that are no sum, decimal, or number of thousands."""
    groups = _NUMBER.findall(found[0].removeprefix("00").lstrip())
    digits = "".join(groups)
    short = 2 * len(digits) < 3 * len(groups)
    thousands = len(groups) > 1 and set("".join(groups[1:])) == {"0"}
    sum_or_series = digits[0] == "0" or short or thousands or _is_series(groups)
    return found[0] if sum_or_series or not 9 <= len(digits) <= 15 or _DECIMAL.search(found[0]) else MARK


def _grouped(found: re.Match[str]) -> str:
    """Bits stay, and hundreds without a dash: `the points 100 200 3000`."""
    groups = _NUMBER.findall(found[0])
    hundreds = not _DASH.search(found[0]) and all(group.endswith("00") for group in groups)
    return found[0] if hundreds or set("".join(groups)) <= {"0", "1"} else MARK


def _national(found: re.Match[str]) -> str:
    """Rows of bits, of pairs other than five (as in France) and with equal steps stay."""
    groups = _NUMBER.findall(found[0])
    digits = "".join(groups)
    pairs = all(len(group) == 2 for group in groups)
    series = _is_series(groups) if pairs else set(digits) <= {"0", "1"}
    return found[0] if series or (pairs and len(groups) != 5) or not 9 <= len(digits) <= 12 else MARK


def _is_series(groups: list[str]) -> bool:
    """Whether numbers are bits, or go on in equal steps."""
    steps = {int(after) - int(before) for before, after in pairwise(groups)}
    return set("".join(groups)) <= {"0", "1"} or (len(groups) > 2 and len(steps) == 1)
