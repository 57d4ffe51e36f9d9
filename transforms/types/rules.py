"""Reasoning types by rules: cues in the asking clause, then a precedence (types as in Cao & Wang 2021).

A cue that ends in `?` is weak: it decides only when no strong one does.
"""

import re
from dataclasses import dataclass

from transforms.types.wording import AUXILIARY, WH, clause, normal

SUPERLATIVE = re.compile(r"\b(?:best|worst|most|least|favou?rite|biggest|\w{3,}est)\b")
_FIRST_WH = re.compile(rf"(?:{WH})\b")
_FIRST_AUXILIARY = re.compile(rf"(?:{AUXILIARY})\b")
# "or" between alternatives, not "or so", "or something".
_ALTERNATIVE = re.compile(
    r"\bor\b(?! (?:what|not|so|something|anything|anyone|anybody|other|whatever|more|somewhere)\b)"
)
_DEGREE = (
    "many|much|long|often|far|old|big|fast|tall|large|likely|small|high|low|deep|hot|cold|close|late|"
    "early|soon|quickly|"
    "frequently|well|bad|good|hard|difficult|easy|strong|heavy|important|dangerous|safe|expensive|cheap|"
    "common|accurate|"
    "effective|reliable|rare|realistic|true|real|thick|wide|loud|bright|young|rich|poor|powerful|serious|healthy|toxic|"
    "slow|short|little|few|dark|dense|popular|significant|successful|useful|valid|harmful|certain|precise|stable"
)
_MEASURE = (
    "percent(?:age)?|number|amount|costs?|price|age|speed|temperature|distance|weight|height|size|extent|"
    "rate|salary|odds|"
    "chances?|probability|population|length|duration|limit|degree|ratio|income|pay|depth|volume|frequency|mass|density"
)

_CUES = {
    "comparison": [
        r"\bdifferen(?:ces?|t from|t than)\b|\bdiffers?\b|\bcompared?\b|\bcomparison\b|\bversus\b|\bvs\b|\bsimilarit|"
        r"\bin common\b|\bdistinguish|\bhow different\b|\brelation(?:ship)? between\b|\bas (?:good|effective|bad) as\b|"
        r"\bunlike\b|\bsimilar to\b",
        rf"^(?:{AUXILIARY})\b.*\b(?:more|less|better|worse|\w{{3,}}er)\b.* than\b",
        r"^(?!would you).*\b(?:better|worse|cheaper|faster|bigger|stronger|safer|easier|more \w+|\w{4,}ier)\b.*\bor\b",
    ],
    "judgmental": [
        rf"^(?:{AUXILIARY}) (?:you|anyone|anybody|people).{{0,20}}\b(?:think|believe|feel|like|prefer|agree|"
        rf"enjoy|consider|"
        r"support|care|trust|regret|want|love|hate)\b",
        r"\bdo you (?:really |ever |personally |honestly )?(?:think|believe|feel)\b|\bin your opinion\b|"
        r"\bthoughts on\b|"
        r"\byour (?:opinions?|thoughts?|views?|take|feelings?|ideal|dream)\b|\bwould you (?:rather|like|"
        r"prefer|want|choose|"
        r"do|say|be)\b|\bhow do you feel\b",
        r"^(?:should|would you|ought)\b",
        r"^how (?:have|has|is|was|were|are) (?:you|your)\b|^how would you\b",
    ],
    "judgmental?": [
        r"^(?:is|are|was|were)\b.*\b(?:ok|okay|wrong|worth|fair|moral|ethical|weird|stupid|rude|good|bad|"
        r"right|acceptable|"
        r"overrated|justified|cool|ugly|pretty|wise)\b",
        r"^(?:do|are) you\b",
    ],
    "cause": [
        r"^(?:why|how come)\b",
        r"^what (?:is|are|was|were) the (?:main |real |primary |biggest )?(?:reasons?|causes?|rationale|motivations?|"
        r"explanation|logic|point)\b",
        r"^what (?:would |could |can |might |will |is |was )?(?:caus(?:es?|ed|ing)|made?|makes|led|leads|"
        r"drives?|determines?|"
        r"prevent(?:s|ing|ed)?|explains?|keeps?|stops?)\b",
        r"\bfor what reason|^what (?:reasons?|factors?)\b|\bexplain(?: to me)? why\b|\bhow is (?:that|this|"
        r"it) explained\b",
        r"^(?!is |are |do |does ).*\bwhy (?:is|are|do|does|did|was|were|can|would|has|have)\b",
    ],
    "extent": [
        rf"^(?:\w+ ){{0,2}}?how (?:{_DEGREE})\b",
        r"^(?:(?:at|in|for|to|by|within|about) )?(?:what|which) (?:is the |was the |are the |is your |"
        r"is an? )?(?:exact |"
        r"current |average |total |approximate |estimated |maximum |minimum |normal |max |min ){0,2}"
        rf"(?:{_MEASURE})\b",
    ],
    "consequence": [
        r"^what (?:would |will |does |could |might |can |exactly |actually |really ){0,2}happen(?:s|ed|"
        r"ing)?\b|^what if\b",
        r"^(?!why).*\b(?:(?:side )?effects?|consequences?|impact(?:s|ed)?|affect(?:s|ed)?|pros and cons|"
        r"(?:dis)?advantages?|"
        r"benefits?|implications?|risks? (?:of|in)|dangers? of|results? of|outcomes? of|influenced?)\b",
        r"\bwhat (?:would|will) (?:it|life|the world|this|follow|become)\b|\bhow (?:would|"
        r"will) .* (?:be different|change|"
        r"react)\b",
    ],
    "procedural": [
        r"^how (?:do|does|did|can|could|to|should|is|are|was|were|will|would|has|have|exactly|the|else|about|"
        r"might|a|an|i|"
        r"you|we|they)\b",
    ],
    "procedural?": [
        r"\b(?:ways?|steps?|methods?|procedures?|process|techniques?|trick|secret|key) (?:to|of|for|"
        r"on)\b(?! be\b)|\bhow to\b",
        r"^what (?:should|do|can|must|could) (?:i|we|you|one) (?:do|need|say|have to)\b|\btips\b",
        r"^what (?:is|are) the (?:best |easiest |fastest |cheapest |quickest |right |proper )?(?:ways?|"
        r"process|procedure|"
        r"methods?|steps)\b",
    ],
    "example": [
        r"\bexamples?\b|^what (?:is|are|was|were) (?:some|something|one|your|things|any)\b|\brecommend|\bsuggest|"
        r"\bwhat (?:other|else|kinds?|types?|sorts?)\b|\bany (?:good|other|ideas?|suggestions?|advice|"
        r"recommendations?)\b",
        r"^(?:are|is) there any\b|^have you ever\b|^has any ?(?:one|body)\b|\bknow (?:of )?(?:any|a|some|good|where)\b|"
        r"\b(?:name|list|give) (?:me )?(?:some|a few|any|two|three)\b|\bwhere can (?:i|you|we|one)\b",
        r"^what (?:is|was) an? .*\b(?:that|you|your|to|which|who)\b",
    ],
    "example?": [
        r"^(?:what|which) (?!(?:is|are|was|were|do|does|did|would|will|can|could|should|if|has|have|had|about|"
        r"the|happen\w*)\b)\w",
        r"^what (?:do|did|have|would|are|were) you\b|^what (?:are|were) (?:the )?\w+s\b",
    ],
    "concept": [
        r"\bmean(?:s|ing|t)?\b|\bdefin(?:e|ition)|\bwhat is (?:it|life) like\b|\bexplain (?:what|the)\b|\bcalled\b|"
        r"\bstands? for\b|\b(?:name|history|purpose|function|role|significance) of\b",
    ],
    "concept?": [r"^(?:what|who) (?:is|are|was|were|does)\b|^(?:when|where|who|whom|whose)\b"],
}  # fmt: skip
_PATTERNS = {name: [re.compile(pattern) for pattern in patterns] for name, patterns in _CUES.items()}
_OPINION = re.compile(r"\bthink\b|\byour (?:opinions?|thoughts?|views?|take|feelings?)\b")
_CHOICE_OF_TASTE = re.compile(r"would you rather|do you (?:prefer|say|like)")


@dataclass(frozen=True)
class Reading:
    """What the rules see in one question."""

    whole: str
    clause: str
    cues: frozenset[str]
    opener: str  # the question word or auxiliary verb that begins the clause, or nothing

    @property
    def asks_by_verb(self) -> bool:
        """Whether an auxiliary verb opens the clause, as in a yes/no question."""
        return _FIRST_AUXILIARY.match(self.clause) is not None


def read(text: str) -> Reading:
    """The cues of one question."""
    whole = normal(text)
    asking = clause(whole)
    cues = {name for name, patterns in _PATTERNS.items() if any(p.search(asking) for p in patterns)}
    if re.match(r"if you (?:could|had|were|can)\b", whole):
        cues.add("judgmental")
    wh = _FIRST_WH.match(asking)
    verb = _FIRST_AUXILIARY.match(asking)
    if _ALTERNATIVE.search(asking) and (verb or asking.startswith(("which", "who", "what"))):
        cues.add("disjunction")
    if wh and wh[0] not in ("why", "how") and SUPERLATIVE.search(asking):
        cues.add("example")
    opener = wh[0] if wh else verb[0] if verb else ""
    return Reading(whole, asking, frozenset(cues), opener)


def reasoning_type(reading: Reading) -> str:
    """The type that the first fitting line names."""
    cues, asking, verb = reading.cues, reading.clause, reading.asks_by_verb
    names_things = "example" in cues and asking.startswith(("what", "which", "who")) and not _OPINION.search(asking)
    taste = "disjunction" in cues and _CHOICE_OF_TASTE.match(asking)
    precedence = [
        ("cause", "cause" in cues and asking.startswith(("why", "how come", "what", "for what"))),
        ("judgmental", "judgmental" in cues and not taste and not names_things),
        ("comparison", "comparison" in cues),
        ("extent", "extent" in cues),
        ("consequence", "consequence" in cues and not verb),
        ("procedural", "procedural" in cues),
        ("disjunction", "disjunction" in cues and verb),
        ("procedural", "procedural?" in cues and not verb),
        ("example", "example" in cues),
        ("judgmental", "judgmental?" in cues),
        ("disjunction", "disjunction" in cues),
        ("concept", "concept" in cues and not verb),
        ("example", "example?" in cues),
        ("concept", "concept?" in cues),
        ("verification", verb),
        ("procedural", reading.opener == "how"),
        ("cause", "cause" in cues),
        ("verification", re.search(rf"\b(?:{AUXILIARY})\b", asking) and not re.search(rf"\b(?:{WH})\b", asking)),
    ]
    return next((name for name, fits in precedence if fits), "concept")
