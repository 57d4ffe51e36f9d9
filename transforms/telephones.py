"""Telephone numbers in prose: the forms in which they are written, and the numbers that only look like one.

Learners write numbers of every kind. A number is taken for a telephone's when its form says so (a code of a country,
groups as a country prints them) or when the words before it do; long plain numbers without either stay.
"""

import re
from itertools import pairwise

from transforms.announced import is_announced

MARK = "[phone]"
_DASHES = "\u2010-\u2015\u2212-"  # with the sign of minus, which some keyboards write
_DOTS = ".\u00b7\u2022\u2219"
SEPARATORS = rf"()\/{_DOTS}{_DASHES}"  # beside blanks: any of them separates, since later stages fold white space
_BETWEEN = rf"[\s{SEPARATORS}]"
# No form has fewer digits.
_DIGITS = re.compile(rf"\d(?:{_BETWEEN}{{0,3}}\d){{6}}")
# Underscores around a number emphasise it; in the name of a variable letters go on beside them. Scripts without blanks
# have no words.
_LETTER = r"[^\W_\u2e80-\ufeff]"
_BEGIN, _END = rf"(?=[\d(+＋])(?<!{_LETTER})(?<!{_LETTER}_)", rf"(?!_?{_LETTER}|\.\d)"
_OPERAND = rf"{_BEGIN}(?<![.=])(?<!=\s)"
_EXTENSION = r"(?:,?\s?(?:x|ext\.?|extension)\s?\d{1,6})?"
_GAP = r"[^\S\n]"

# With the code of a country. A plus behind a number or a bracket adds, and one with a blank behind it behind any word.
_INTERNATIONAL = re.compile(
    rf"{_OPERAND}(?<![\d)\]]\s)(?:\([+＋]\d{{1,3}}\)|[+＋]\d|(?:^|(?<=[:;(,]\s)|(?<=[:;(]))[+＋]{_GAP}\d"
    rf"|00\s?[1-9]\d{{0,2}}(?={_BETWEEN})|00(?=[1-9]\d{{9,12}}{_END}))[\d\s{SEPARATORS}]{{6,20}}\d{_EXTENSION}{_END}",
    re.MULTILINE,
)
# North America (415-555-2671, also with a 1 before it), Russia (8 (495) 123-45-67), Turkey (0(532) 123 45 67), mobile
# numbers of China (138-0013-8000) and Brazil.
_SIGN = rf"{_GAP}?[{_DASHES}]{_GAP}?|[{_DOTS}]"
_GROUPED = re.compile(
    rf"{_OPERAND}(?:(?:[18](?:{_SIGN}|\s))?(?:\(\d{{3}}\)(?:{_SIGN}|\s)?|\d{{3}}(?:{_SIGN}|[\s/]))\d{{3}}"
    rf"(?:(?:{_SIGN}|\s)\d{{4}}|[{_DASHES}]\d{{2}}[{_DASHES}]\d{{2}})"
    rf"|[08]{_GAP}?\(\d{{3}}\){_GAP}?\d{{3}}[\s{_DASHES}]?\d{{2}}[\s{_DASHES}]?\d{{2}}"
    rf"|8{_GAP}[3489]\d{{2}}{_GAP}\d{{3}}[\s{_DASHES}]\d{{2}}[\s{_DASHES}]\d{{2}}"
    rf"|\(\d{{3}}\)\d{{7}}|1[3-9]\d(?:[{_DASHES}]\d{{4}}){{2}}|1[3-9]\d(?:{_GAP}\d{{4}}){{2}}"
    rf"|\(\d{{2}}\)\s?9\d{{4}}[\s{_DASHES}]\d{{4}}){_EXTENSION}{_END}(?!\s?=)"
)
# Without a code: 555-0123. Three digits, a dash and four are a range, a machine or a part as well (400-4001, 737-8001),
# unless they stand alone on their line; a range ends with no 0123.
_LOCAL = re.compile(
    rf"{_OPERAND}(?:555[{_DASHES}]\d{{4}}|\d{{3}}[{_DASHES}]0\d{{3}}"
    rf"|^\d{{3}}[{_DASHES}](?!1\d|20|\d\d[05]0)\d{{4}}(?=[.!?]?[^\S\n]*$)){_EXTENSION}{_END}(?!\s?=)",
    re.MULTILINE,
)
# As it is dialled inside a country: a trunk 0, and nine to twelve digits in groups, which `_national` counts.
# No digit, point, letter or sign may go on before it or behind it on its line.
_NATIONAL = re.compile(
    rf"{_BEGIN}(?<![.,=/#+−-])(?<!\d:)(?<!\d{_GAP})(?<!=\s)"
    rf"(?:0[1-9](?:\.[0-9]{{2}}){{4}}|0[1-9][0-9]{{1,2}}/[0-9]{{2,3}}(?:\.[0-9]{{2}}){{2}}"
    rf"|(?:\(0[1-9][0-9]{{0,4}}\)(?:{_GAP}|[/-])?|0[1-9][0-9]{{0,4}}(?:{_GAP}?[/{_DASHES}]{_GAP}?|{_GAP}))"
    rf"[0-9]{{2,8}}(?:({_GAP}|[{_DASHES}])[0-9]{{2,6}}(?:\1[0-9]{{2,6}}){{0,4}})?(?:[{_DASHES}][0-9]{{1,4}})?)"
    rf"{_EXTENSION}(?!_?{_LETTER}|[.,:/-]\d|{_GAP}\d)"
)
# Behind words that announce one, any number of its length is one.
_PLAIN = re.compile(rf"{_BEGIN}(?<!\d[.,])(?:[+＋(]{{1,2}}{_GAP}?)?\d(?:{_BETWEEN}{{0,3}}\d){{6,14}}{_EXTENSION}{_END}")
_NUMBER, _DASH = re.compile(r"\d+"), re.compile(f"[{_DASHES}]")
_DECIMAL = re.compile(r"(?<!\S)[+＋]?(?!\d{3}\.\d{4}(?!\d))\d+\.\d+(?!\S)")
_YEAR = r"(?:1\d|20)\d\d"
_NO_NUMBER = re.compile(
    rf"\d+\.\d+|\d{{1,3}}(?:\.\d{{1,3}}){{3}}|\d{{4}}-\d\d-\d\d(?:\D.*)?|\d\d?([./-])\d\d?\1{_YEAR}"
    rf"|{_YEAR}{_GAP}?[/{_DASHES}]{_GAP}?{_YEAR}|\d{{1,3}}(?:\s000){{2,}}|\d+0{{5,}}",
    re.DOTALL,
)
_BLANKS_ONLY = re.compile(r"[\d\s]+")
_BEFORE_IN_ROW, _NEXT_IN_ROW = re.compile(rf"\d{_GAP}\Z"), re.compile(rf"{_GAP}\d")
_CLOCK = re.compile(r"(?:[01]\d|2[0-4])[0-5]\d")


def without_telephones(text: str) -> str:
    """The text with a mark in place of each telephone number."""
    if not _DIGITS.search(text):
        return text
    text = _PLAIN.sub(_announced, text)
    text = _NATIONAL.sub(_national, text)
    return _LOCAL.sub(MARK, _GROUPED.sub(_grouped, _INTERNATIONAL.sub(_international, text)))


def _announced(found: re.Match[str]) -> str:
    """Times, years, addresses of machines and round quantities are no telephone's: `call f 1000000 times`."""
    if _NO_NUMBER.fullmatch(found[0]) or not is_announced(found.string, found.start(), found.end()):
        return found[0]
    return MARK


def _international(found: re.Match[str]) -> str:
    """Nine to fifteen digits, as the world has agreed, that are no sum, decimal, or number of thousands."""
    groups = _NUMBER.findall(found[0].removeprefix("00").lstrip())
    digits = "".join(groups)
    short = 2 * len(digits) < 3 * len(groups)
    thousands = len(groups) > 1 and set("".join(groups[1:])) == {"0"}
    # North America and Russia count their digits: +1 234 567 890 is a number.
    american = digits[0] in "17" and len(groups) > 3 and all(len(group) == 3 for group in groups[1:])
    sum_or_series = digits[0] == "0" or short or thousands or american or _is_series(groups)
    return found[0] if sum_or_series or not 9 <= len(digits) <= 15 or _DECIMAL.search(found[0]) else MARK


def _grouped(found: re.Match[str]) -> str:
    """Bits stay, and sizes of layers (784-256-1024); blanks alone separate what else stands in a row of numbers."""
    groups = _NUMBER.findall(found[0])
    sizes = all(int(group) % 10 == 0 or int(group) % 8 == 0 for group in groups)
    free_of_charge = groups[0][0] == "8" and _DASH.search(found[0])
    if (sizes and not free_of_charge) or set("".join(groups)) <= {"0", "1"}:
        return found[0]
    if not _BLANKS_ONLY.fullmatch(found[0]):
        return MARK
    row = _BEFORE_IN_ROW.search(found.string, max(0, found.start() - 2), found.start()) or _NEXT_IN_ROW.match(
        found.string, found.end()
    )
    american = groups[0][-3:][0] in "23456789" or len(groups[0]) == 1
    return found[0] if row or not (american or len(groups[1]) == 4) else MARK


def _national(found: re.Match[str]) -> str:
    """Rows of bits, of pairs other than five (as in France), of times and octals, and with equal steps stay."""
    groups = _NUMBER.findall(found[0])
    digits = "".join(groups)
    pairs = all(len(group) == 2 for group in groups)
    fours = len(groups) > 1 and all(len(group) == 4 for group in groups)
    times = fours and (all(map(_CLOCK.fullmatch, groups)) or all(group[0] == "0" for group in groups))
    date = len(groups) > 2 and [len(group) for group in groups[:3]] == [2, 2, 4] and re.fullmatch(_YEAR, groups[2])
    series = _is_series(groups) if pairs else set(digits) <= {"0", "1"}
    stays = series or times or date or (pairs and len(groups) != 5)
    return found[0] if stays or not 9 <= len(digits) <= 12 else MARK


def _is_series(groups: list[str]) -> bool:
    """Whether numbers are bits, or go on in equal steps."""
    steps = {int(after) - int(before) for before, after in pairwise(groups)}
    return set("".join(groups)) <= {"0", "1"} or (len(groups) > 2 and len(steps) == 1)
