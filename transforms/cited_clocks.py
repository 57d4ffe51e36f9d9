"""Tell times of the video (`at 3:45 he says`) from times of day, durations and ratios.

Learners cite times of the video far more often than others, so a clock is one unless what leads to it or follows it
says otherwise; what speaks of the video (`he says`, `in the video`) says that it is one.
"""

import re
from collections.abc import Iterator

_HINT = re.compile(r":[0-5]\d")
# 10:32, 1:02:03; not the time of a date and not a part of a longer number.
_CLOCK = re.compile(
    r"(?=\d)(?<![\d:.,/])(?<!\d[-:/.]\d\d[ T])(?<!\A[-−])(?<!\s[-−])(?:(\d{1,2}):(?=[0-5]?\d:))?(\d{1,3}):([0-5]\d)"
    r"(?!:?\d|[.,]\d|\s?\d{3}\b)"
)
_REACH = 80  # characters on either side
_SENTENCE_END = re.compile(r"[.!?]\s+(?=\S)|\n")
_WHO = (
    r"(?:he|she|sal|you|it\ssays|(?:the|this|that|your|his|her)\s(?:video|lecturer|teacher|instructor|professor|speaker"
    r"|narrator|clip|transcript))\b"
)
SHOWN = re.compile(rf"(?i)\s?[,)]?\s(?:when\s|where\s|that\s)?{_WHO}")
_IN_VIDEO = re.compile(r"(?i)[^.?!\n]{0,60}\b(?:in|of)\s(?:the|this|your|his|her)\svideo\b")
_ACTOR = re.compile(rf"(?i)\b{_WHO}")

# What follows a clock that is none of the video's.
_DAY_BEHIND = (
    r"(?:\s?[-–]\s?\d\d?:\d\d)?(?:\s?[ap]\.?m\b|\s?o['’]clock|Z\b)|\s(?:noon|midnight|hours|hrs|sharp|today|tomorrow"
    r"|tonight|yesterday|utc|gmt|[ecmp][ds]t|cest|cet|on (?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:in the|this|last|every|each|that|the next|yesterday) (?:morning|afternoon|evening|night|day|weekday"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b"
)
_BEHIND = re.compile(
    rf"(?i){_DAY_BEHIND}|\s(?:and|,)\s(?:then\s)?(?:arrived?s?|returned|returns|got|gets)\s(?:\w+\s){{0,3}}at\s\d"
    r"|\s(?:ratio|scale|odds|dilution|long|in (?:length|total|duration))\b"
)
_BEHIND_BARE = re.compile(r"(?i)\s(?:(?:is|as|the|a|right|correct|best|usual)\s){1,3}(?:ratio|scale|odds|dilution)\b")
_AT_ITS_PLACE = re.compile(
    r"(?i)(?:\b(?:at|around|about|near|from|to|until|till|after|before|by|in|see|watch)\s|[@(~]\s?|\A|\n)\Z"
)

# What leads to one. Everyday events start at any time of day; what a video may show as well, at a round one only.
_EVENT = (
    r"(?:class(?:es)?|school|office hours?|exams?|midterms?|quiz(?:zes)?|homework|assignments?|meetings?|party|curfew"
    r"|bedtime|alarm|breakfast|lunch|dinner|appointment|seminar|webinar)"
)
_PLACE = (
    r"(?:shops?|stores?|library|gym|bank|museum|restaurant|bus(?:es)?|trains?|planes?|flights?|ferry|tram|shift|concert"
    r"|registration|submissions?)"
)
_SHOWN_EVENT = r"(?:lectures?|lessons?|labs?|sessions?|tests?|games?|match|movie|film)"
_STARTS = (
    r"(?:starts?|started|begins?|began|ends?|ended|opens?|opened|closes?|closed|leaves?|left|arrives?|arrived|departs?"
    r"|departed)"
)
_IS = r"(?:is|are|was|were|rings?)"
_WHEN = r"(?:\s(?:at|by|around|about|until|till|from|before|after|between|only|on\s\S{1,12})){0,3}"
_MEETS = (
    r"(?:(?:wak(?:es?|ing)|woke)(?:\sup)?|(?:got|gets?|getting)\sup|sle(?:ep|eps|pt|eping)|falls?\sasleep|fell\sasleep"
    r"|(?:go|goes|going|went)\s(?:to\s)?(?:bed|sleep|school|work|home))"
)
_TRAVELS = (
    r"\b(?:I|we|people|students|workers|passengers?|cars?|trucks?|boats?|ships?|cyclists?|runners?|man|woman|and|my\s\w+"
    r"|(?!He\b|She\b|Sal\b|You\b|It\b)[A-Z][a-z]+)\s(?:leaves?|left|arrives?|arrived|departs?|departed|meets?|met)"
    r"(?:\s(?:home|school|work|town|here|there|(?:the|a|my)\s\w+|for\s\w+)){0,2}"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DATE = (
    rf"(?:\b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s['’]?\d{{2,4}})?"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}(?:\s\d{{4}})?"
    r"|\bon\s\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:s|\s(?:morning|evening))?"
    r"|\b(?:on\sthe\s\d{1,2}(?:st|nd|rd|th)|the\s\d{1,2}(?:st|nd|rd|th)(?=,))|\b(?:today|tomorrow|tonight|yesterday))"
)
_DAY = re.compile(
    rf"(?i:\b(?:{_EVENT}\b(?:\s\w+){{0,2}}?\s(?:{_STARTS}|{_IS})|{_PLACE}\b(?:\s\w+){{0,2}}?\s{_STARTS}){_WHEN}|\b{_MEETS}{_WHEN}|{_DATE},?(?:\sat|\sby|\suntil)?"
    r"|\b(?:deadline|due)(?:\s+(?:of|is|was|are|were|about|around|at|by)){0,2}|[ap]\.?m\.?\s*(?:to|or|and|until|[-–])"
    r"|\b(?:low|high)\s(?:water|tide)(?:\s(?:is|was))?(?:\sat)?|\bsun(?:rise|set)(?:\s(?:is|was))?(?:\sat)?"
    rf")\s*\Z|{_TRAVELS}{_WHEN}\s*\Z"
)
_ROUND_DAY = re.compile(rf"(?i)\b{_SHOWN_EVENT}\s{_STARTS}{_WHEN}\s*\Z")
_NUMBER = re.compile(
    r"(?:(?i:\b(?:ratios?|scale|odds|proportions?|scored?|scores)(?:\s+(?:of|is|was|are|were|about|around|at|by)){0,2}"
    r"|\b(?:mix(?:ed|ing)?|dilut\w+)(?:\s+(?:it|them|in))?"
    r"|\b(?:every|each|lasts?|lasted|lasting|takes?|took|taking|within)(?:\s(?:about|around|only|exactly))?"
    r"|\b(?:boil|bak|cook|heat|stir|wait|hold|held|run|ran|last|play|leave|left|rest|sleep|slept|simmer|soak|dry|cool|stay"
    r"|keep|kept|walk|mix)\w{0,3}(?:\s\w+){0,2}?\sfor(?:\s(?:about|around|only|exactly|another))?"
    r"|\b(?:ran|runs?|swam|swims?|rowed|rows|cycled|skated|walked|finished)\s(?:(?:it|that|[\d,.]+\s?[a-z]+"
    r"|(?:an?|the|his|her|my)\s(?:race|mile|marathon|lap|course|relay|\d+\s?[a-z]+))\s)?in"
    r"|\b(?:records?|personal best|pace|lap time|finishing time)(?:\s(?:is|was|of|stands)){0,2}"
    r")|(?:Genesis|Exodus|Psalms?|Proverbs|Isaiah|Matthew|Mark|Luke|John|Acts|Romans|Corinthians|Hebrews|Revelation"
    r"|Quran|Surah))\s*\Z"
)
_LENGTH = re.compile(r"(?i)\b(?:is|was|are|were|for)\s(?:about\s|around\s|only\s)?\Z")
_MINUTES = re.compile(r"(?i)\s(?:minutes|mins?|seconds|secs?|hours)\b")
_PLAIN = ("", "At", "at", "Around", "around", "From", "from", "In", "in")
# What an exclusion reaches across: the clocks of one phrase, also behind the mark of "with water? or 1:10?".
_LINKED = re.compile(
    r"(?i)\s?(?:[,/&–-]|\b(?:or|and|to|until|till|vs\.?)\b)\s?(?:at\s|the\s|from\s)?|[^.!\n]{0,30}\?\sor\s"
    r"|\s(?:and|or|but)\s\w+\sin\s"
)


def clocks(text: str) -> Iterator[re.Match[str]]:
    """The clocks that are times of the video."""
    found = list(_written(text))
    if not found:
        return iter(())
    excluded = [_kind(text, clock) for clock in found]
    for number in range(1, len(found)):
        excluded[number] = excluded[number] or _spread(text, found[number - 1], found[number], excluded[number - 1])
    for number in range(len(found) - 2, -1, -1):
        if excluded[number + 1] == "day" and not excluded[number]:  # from 9:00 to 10:15 pm
            between = text[found[number].end() : found[number + 1].start()][:_REACH]
            excluded[number] = "day" if _LINKED.fullmatch(between) else ""
    return (clock for clock, kind in zip(found, excluded, strict=True) if not kind)


def _written(text: str) -> Iterator[re.Match[str]]:
    behind = 0
    for hint in _HINT.finditer(text):  # from the colon backwards: three times as fast as a scan
        start = hint.start()
        while start > behind and hint.start() - start < 6 and text[start - 1] in "0123456789:":
            start -= 1
        clock = _CLOCK.match(text, start) if start >= behind else None
        if clock:
            yield clock
            behind = clock.end()


def _kind(text: str, clock: re.Match[str]) -> str:
    """What the clock is, if it is no time of the video: `day` or `number`."""
    start, end = clock.span()
    if _BEHIND.match(text, end):
        return "day"
    if _IN_VIDEO.match(text, end):
        return ""
    first = _clause(text, start)
    if text[first:start].strip(" .?!\n(@") in _PLAIN:  # most of them
        return ""
    if _NUMBER.search(text, first, start):
        return "number"
    if _BEHIND_BARE.match(text, end) and not _AT_ITS_PLACE.search(text, first, start):
        return "number"
    if _MINUTES.match(text, end) and _LENGTH.search(text, first, start):
        return "number"
    if SHOWN.match(text, end):
        return ""
    hour, minute = int(clock[2]), int(clock[3])
    if _DAY.search(text, first, start) or (hour > 6 and minute % 5 == 0 and _ROUND_DAY.search(text, first, start)):
        return "day"
    return ""


def _clause(text: str, end: int) -> int:
    """Where the sentence begins that leads to this place: most clocks stand at its beginning."""
    start = max(0, end - _REACH)
    for sign in (". ", "? ", "! ", "\n"):
        start = max(start, text.rfind(sign, start, end))
    return start


def _spread(text: str, before: re.Match[str], clock: re.Match[str], kind: str) -> str:
    """What the clock before it says of this one."""
    between = text[before.end() : clock.start()]
    if not kind or len(between) > _REACH or SHOWN.match(text, clock.end()):
        return ""
    if _LINKED.fullmatch(between):
        return kind
    # Another time of the same day, if nothing in between speaks of the video.
    apart = _SENTENCE_END.search(between) or _ACTOR.search(between)
    return kind if kind == "day" and not apart else ""
