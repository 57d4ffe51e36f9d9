"""Hide the question marks that end nothing: blanks of equations, code outside backticks, queries of links."""

import re

from transforms.sentences import words

# Behind a quotation, a bracket or a lone mark, these words begin a new sentence even in lower case.
STARTS_ANEW = re.compile(r"(?i:why|what|how|where|who|which|can|could|does|do|did|i|please|thanks?|thank|any)\b|[A-Z]")
# A mark in mid-sentence is followed by lower case, but not by one of these, with which careless writers begin.
BEGINS = words(
    "a also an and any anyone anybody because but hello hey hi he i if im it its ive like my no ok okay or please pls "
    "plz she so someone thank thanks that the then there these they this those was we well were yes you"
)
_REACH = 64  # characters on either side: hostile text costs linear time
_ENDS_NOTHING = re.compile(
    r"(?<=[a-z])\?(?:s|t|re|ve|ll|m|d)\b(?!:)"  # an apostrophe lost in another encoding: don?t
    r"|(?<=\S)\?[\w.-]{1,40}=\S"  # the query of a link without https://
    r"|(?<=[\w)\]])\?[\w.'\"-]{1,20}:[\w'\"-]"  # x>0?1:0
    r"|(?<=\s)\?\s[^?:]{1,40}\s:\s"  # a ? b : c
    r"|(?:(?<=[/×÷=<>^−])|(?<=[/×÷=<>^−]\s)|(?<=[\s\d)][+*])|(?<=[\s\d)][+*]\s))"  # x = ? and
    rf"\?(?:(?=\s(?:AND|OR)\b)|(?!\s*+(?:\Z|[?!]|{STARTS_ANEW.pattern})))"
    r"|(?<![^\s(\[=+*/×÷<>^−])\?\s{0,2}(?:[=+*/×÷^]\s{0,2}(?:\d|[a-z]\b|\()|[-−]\s?[\d.]+\s?=)"  # ? + 2 = 5
    r"|(?:(?<=[(\[])|(?<=[(\[]\s))\?"  # (?)
    r"|(?:(?<=,)|(?<=,\s))\?[,>]"  # 2, 4, ?, 8 and Map<String, ?>
    r"|(?<=[\"'“‘])\?[\"'”’]"  # the sign itself: "?"
    r"|(?<=\w)\?\.[a-z]"  # file?.txt, name?.first
    r"|\?[\"'”’]+[)\]}]+;"  # printf("why?");
    r"|\?(?:://|:\s?(?:string|number|boolean|any|unknown|null)\b|:\s?\w+(?:\[\])?\s?[;,}])"  # name?: string
    r"|(?<=[\w)])\?\[(?:0|[a-z]|[\"']\w*[\"'])\]"  # rows?[0], but not the note of "Why?[1]"
    r"|(?<=\{)\?\}"
    r"|(?:(?<=\s)|(?<![^({]))\?[a-zA-Z]\w{0,20}=\w"  # ?v=2
    r"|(?<=\w)\?/\w"  # Is it a?/b?
    r"|(?<=\.[*+])\?(?=[^\s?!]|\s+[^\sA-Z?])"  # .*? and .+?
)
# A mark behind these is code if the sentence goes on: a*?, \\d+?, f()?, $?
_CODE_BEFORE = re.compile(r"(?:(?:\w\*|[)\]_][*+]|\w\(\)|\([^()\s]{0,20}[|*+\\\[][^()\s]{0,20}\))|(?<!\S)\$)\Z")
_NULL_OR = re.compile(r"(?:=\s?[\w.()]{1,30}|(?<!\w)[b-hj-z])\s\Z")  # x = a ?? b
_NAME = re.compile(r"(?<!\S)\?[a-z]\w*")  # SELECT ?person
# Behind these words the mark is a thing spoken of: "what does the ? operator do", "why is ? allowed".
_SPOKEN_OF = re.compile(r"(?i)\b(?:an?|the|each|every|and|or|your|my|(?:what|why|where|how) (?:is|are|does|do))\s\Z")
_NOUN = re.compile(r"\?+[:.]?\s+(?=[a-z])")
_FOLLOWING = re.compile(r"\?\s+([a-z]+)(\s*\Z|[.,!?])?")
_DOMAIN = re.compile(r"\w\.[a-zA-Z]{2,6}/")
_QUOTE_OPEN = re.compile(r"(?:\A|[(=,\[])[rbfuRBFU]{0,2}[\"'“‘][^\"']*\Z")
_QUOTE_SHUT = re.compile(r"[^\"'?]+[\"'”’]")


def hide_idle_marks(line: str) -> str:
    """The line with `_` for each mark that ends nothing."""
    idle: list[int] = []
    mark = line.find("?")
    while mark >= 0:
        plain = line[mark - 1 : mark].isalnum() and line[mark + 1 : mark + 2] in " \t"  # nearly all of them
        if not plain and ((idle and idle[-1] == mark - 1) or _is_idle(line, mark)):
            idle.append(mark)
        mark = line.find("?", mark + 1)
    if not idle:
        return line
    signs = list(line)
    for mark in idle:
        signs[mark] = "_"
    return "".join(signs)


def _is_idle(line: str, mark: int) -> bool:
    before, behind = line[mark - 1 : mark], line[mark + 1 : mark + 2]
    if _ENDS_NOTHING.match(line, mark, mark + _REACH):
        return True
    if before.isspace() or not mark:
        return _is_spoken_of(line, mark) or _is_a_name(line, mark)
    if behind in " \t":
        return before in "*+)$" and _sentence_goes_on(line, mark) and _ends_like_code(line, mark)
    return _is_within_code(line[max(0, mark - _REACH) : mark], line[mark + 1 : mark + _REACH])


def _ends_like_code(line: str, mark: int) -> bool:
    return _CODE_BEFORE.search(line, max(0, mark - _REACH), mark) is not None


def _sentence_goes_on(line: str, mark: int) -> bool:
    """Whether lower case follows that begins no sentence."""
    following = _FOLLOWING.match(line, mark)
    if following is None or following[1] in BEGINS:
        return False
    return (following[2] is not None and following[1] == "do") or not STARTS_ANEW.match(following[1])


def _is_a_name(line: str, mark: int) -> bool:
    """Whether it is `??` between two values, or a name that begins with a mark and has another beside it: SPARQL."""
    if line.startswith("?? ", mark):
        return _NULL_OR.search(line, max(0, mark - _REACH), mark) is not None and line[mark + 3 :][:1].isalnum()
    name = _NAME.match(line, mark)
    if not name or STARTS_ANEW.match(line, mark + 1):
        return False
    return bool(_NAME.search(line, name.end(), name.end() + _REACH) or _NAME.search(line, max(0, mark - _REACH), mark))


def _is_spoken_of(line: str, mark: int) -> bool:
    noun = _NOUN.match(line, mark)
    if not noun or STARTS_ANEW.match(line, noun.end()):
        return False
    if line[mark - 3 : mark] in ("'s ", "’s "):  # Rust's ? operator
        return _sentence_goes_on(line, mark)
    return _SPOKEN_OF.search(line, max(0, mark - 16), mark) is not None


def _is_within_code(before: str, behind: str) -> bool:
    """Whether the word is a link, a pattern or quoted code: site.org/a?b, /ab?c/, 'colou?r'."""
    before, behind = before[before.rfind(" ") + 1 :], behind.partition(" ")[0]
    return (
        (behind[0].isalnum() and _DOMAIN.search(before) is not None)
        or (before.lstrip("\"'(").startswith("/") and "/" in behind)
        or (behind[0].isalnum() and (before.startswith("^") or behind.endswith("$")))
        or (_QUOTE_SHUT.match(behind) is not None and _QUOTE_OPEN.search(before) is not None)
    )
