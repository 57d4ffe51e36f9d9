"""Mentions of users (`@ann`) and links to their pages, and the words of programs that look like either."""

import re

from transforms.letters import LETTERS, WORD

MARK = "[user]"
# Behind @, what programs mean by it. A word that people are called by is none of these.
_WORDS_OF_CODE = (
    r"property|staticmethod|classmethod|abstractmethod|dataclass|contextmanager|lru_cache|cache|cached_property|wraps"
    r"|overload|override|final|singledispatch|total_ordering|jit|njit|vectorize|pytest|fixture|parametrize|app\.\w+"
    r"|functools\.\w+|numba\.\w+|jax\.jit|tf\.function|torch\.no_grad|pytest\.[\w.]+|\w+\.setter|\w+\.getter"
    r"|Override|Deprecated|SuppressWarnings|FunctionalInterface|SafeVarargs|Test|Before(?:Each|All)?|After(?:Each|All)?"
    r"|Autowired|Bean|Component|Controller|RestController|Service|Repository|Entity|Table|Id|Column|Configuration"
    r"|(?:Get|Post|Put|Delete|Request|Patch)Mapping|RequestParam|PathVariable|RequestBody|Transactional|Inject|Nullable"
    r"|NotNull|NonNull|Data|Getter|Setter|Builder|Input|Output|Injectable|NgModule|State|Binding|Published|ObservedObject"
    r"|Environment|main|objc|escaping|available|discardableResult|interface|implementation|protocol|end|selector|synthesize"
    r"|media|import|keyframes|font-face|supports|charset|namespace|page|layer|container|tailwind|apply|include|mixin"
    r"|extend|use|forward|return|else|if|each|for|while"
    r"|params?|returns?|throws|author|since|version|see|link|deprecated|type|typedef|example|brief|inheritDoc"
    r"|time|btime|show|assert|inline|inbounds|simd|threads|macroexpand|testset|everywhere|view|views"
    r"|click|change|submit|keyup|input|charset|latest|next|echo|off"
)
_ABOUT = r"(?:decorator|annotation|macro|directive|at-rule)s?"
_CODE_BEFORE = re.compile(rf"\b{_ABOUT}\s\Z|\w\(\Z", re.IGNORECASE)
_CODE_BEHIND = re.compile(
    rf"[({{]|/[a-z]|\s?:?=(?!\))|\s{_ABOUT}\b|\s*\n\s*(?:@|(?:async\s+)?def\s|class\s|public\s|private\s|protected\s|fun\s)",
    re.IGNORECASE,
)
# A second letter is enough for Li, and for 田中, whose script has no small letters.
MENTION = re.compile(
    rf"(?<![{LETTERS}@＠/.`\\$])[@＠](?!(?:{_WORDS_OF_CODE})(?![{LETTERS}-]))"
    rf"[^\W\d](?:[{LETTERS}.-]{{1,60}}{WORD}|(?<=[A-Z])[a-z]|(?<=[^\x00-\u024f]){WORD})"
    rf"(?:[@＠][^\W\d][{LETTERS}.-]{{1,60}}{WORD})*"
)
# Links to the page of a user, on any forum or on this one, with the number that may stand before the name. Manuals have
# a chapter for users.
_NAME = rf"[\w%~+-](?:[{LETTERS}%.~+-]{{0,80}}[{LETTERS}%~+-])?"
_HOST = r"(?<![\w@/.-])(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,10}"
_PROFILE = re.compile(
    rf"((?:(?:https?://[^\s<>\"]{{1,200}}?|{_HOST})"
    r"/(?i:users?|u|profiles?|members?)|(?<![\w/.:~-])/(?:u|profiles?)(?=/[A-Za-z][\w-]{2}))/)"
    rf"(?![\w%.~+-]{{1,80}}\.(?i:html?|php|aspx?|jsp|md|pdf)\b)(?:[0-9]{{1,12}}/)?{_NAME}"
)
_MANUAL = re.compile(r"/(?:docs?|documentation|stable|latest|manual|guide|reference)/|//docs?\.|readthedocs")
# On the sites where everybody has a page, it stands right behind the host, and so do a few words of the site's own.
_SITE = re.compile(
    r"((?<![\w.-])(?:https?://)?(?:www\.|m\.|mobile\.|web\.|[a-z]{2}-[a-z]{2}\.|[a-z]{2}\.)?"
    r"(?:t\.me|telegram\.me|instagram\.com|facebook\.com|fb\.com|fb\.me|twitter\.com|x\.com|linkedin\.com/in|vk\.com"
    r"|snapchat\.com/add|threads\.net|paypal\.me|youtube\.com/user|reddit\.com/user)/)"
    r"(?!(?:groups|pages|events?|watch|sharer?|hashtag|search|home|intent|explore|p|reels?|tv|s|i|joinchat|about|help|legal"
    r"|login|video|photo|marketplace|gaming|feed|wall[-\d_]*)(?![\w.-]))@?[\w+](?:[\w.~%+-]{0,80}[\w~%-])",
    re.IGNORECASE,
)
_CALLED = re.compile(r"((?:wa\.me|signal\.me/#p|viber\.click)/)\+?\d{7,15}", re.IGNORECASE)
_HANDLE = re.compile(
    rf"((?:https?://(?![\w.-]{{0,60}}(?:unpkg|jsdelivr|npmjs|esm|skypack|cdn))[\w.:-]{{1,100}}(?:/web)?|{_HOST})/)@{_NAME}"
)
_LINK = re.compile(
    r"/(?:users?|u|profiles?|members?|@)|(?:\.me|instagram\.com|facebook\.com|fb\.com|twitter\.com|x\.com|linkedin\.com/in"
    r"|vk\.com|snapchat\.com|threads\.net|viber\.click)/",
    re.IGNORECASE,
)
# Of all this, what Arrow can look for: wider than the patterns.
LINK = rf"(?i:{_LINK.pattern})"
SUSPICIOUS = rf"[@＠]|{LINK}"


def without_mentions(text: str) -> str:
    """The text with a mark in place of each mention of a user."""
    return MENTION.sub(_mention, text) if "@" in text or "＠" in text else text


def without_profiles(text: str) -> str:
    """The text with a mark in place of the name in each link to the page of a user."""
    if "/" not in text or not _LINK.search(text):
        return text
    text = _CALLED.sub(r"\1[phone]", _SITE.sub(rf"\1{MARK}", text))
    return _PROFILE.sub(_profile, _HANDLE.sub(rf"\1{MARK}", text))


def _mention(found: re.Match[str]) -> str:
    """Code stays: decorators, handles of functions (fzero(@cosine, 1)), variables and packages."""
    text, begin, end = found.string, found.start(), found.end()
    code = _CODE_BEHIND.match(text, end) or _CODE_BEFORE.search(text, max(0, begin - 20), begin)
    return found[0] if code else MARK * (found[0].count("@") + found[0].count("＠"))


def _profile(found: re.Match[str]) -> str:
    return found[0] if _MANUAL.search(found[1]) else found[1] + MARK
