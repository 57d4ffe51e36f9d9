"""The words that announce a telephone number (`call me at`, `Ph:`, `мой телефон`, `手机`), seen from the number.

A plain number behind them is a telephone's, whatever its form. A word that has other meanings too (`call`, `ring`)
announces only with the person to be called, or as a request.
"""

import re

# Names of the thing, in the languages in which learners write.
_THING = (
    r"tele(?:phone|fono|foon|fone|fon|fonum)s?|tel[ée]fonos?|t[ée]l[ée]phone|t[ée]l|(?:cell|mobile)?\s?phone"
    r"|(?:my|his|her|our|work)\scell|mobile?|móvil|movil|celular|cellulare|cel|portable|handy(?:nummer)?|rufnummer|telefonnummer|telefoonnummer"
    r"|gsm|fax|ph|mob|whats\s?app|wh?atsap|viber|telegram|hotline|helpline|telefonnr|cep"
    r"|телефона?|тел|моб|мобильный|ватсап|вотсап|whatsapp|هاتف|هاتفي|جوال|جوالي|واتساب|موبايل|تلفن|موبایل|رقمي|טלפון|נייד"
    r"|मोबाइल|फ़ोन|फोन|नंबर|ফোন|মোবাইল|फ़ोन"
)
_NUMBER_OF = (
    r"(?:my|mi|meine|mon|meu|mijn|il\smio|our|his|her|contact|mein|min|mit|phone|mobile|tel|skype|мой|наш)"
    r"\s(?:new\s|own\s|private\s|direct\s|cell\s|work\s|home\s)?(?:numbers?|n[uú]meros?|num[ée]ros?|nummer|num|no|nr|digits|номер|numara)"
)
# To be called, by whom: the person makes the verb one of telephones.
_REQUEST = (
    r"(?:call|ring|phone|dial|text|sms|message|msg|reach|contact|ping|buzz|whatsapp|hit)\s(?:me|us|him|her|them|back)"
    r"(?:\sup|\sback)?|contact|gimme\sa\s(?:call|ring)|(?:give|drop)\s(?:me|us)\sa\s(?:call|ring|buzz|text|line)"
    r"|appelez[\s-]moi|appelle[\s-]moi|écri(?:vez|s)[\s-]moi|joignable|contactez[\s-]moi"
    r"|escr[ií]b[ae]me|escr[ií]banme|ll[aá]m[ae]me|ll[aá]menme|ligue\spara|me\slig(?:a|ue)|chiam(?:ami|atemi)|scrivimi"
    r"|ruf(?:t|en\ssie)?\smich(?:\san)?|erreichbar|erreicht\smich|bel\sme|bereikbaar|ring\smig|beni\sara(?:yın)?"
    r"|(?:по)?звони(?:те)?(?:\sмне)?|(?:на)?пиши(?:те)?(?:\sмне)?|zadzwoń|dzwoń|اتصل(?:وا)?(?:\sبي)?"
)
_FILLER = (
    r"me|us|him|her|on|at|under|to|no|nr|num|numbers?|n[uú]mero|num[ée]ro|nummer|is|ist|est|es|é|è|my|now|al|au|le|el|no"
    r"|unter|via|anytime|any\stime|directly|back|please|the|our|op|på|by|it|s|по|на|номер|номеру|мне|whatsapp|phone"
    r"|mobile|cell|tel|auf|der|die|em|para|pelo|ao|or|here|up|هو|है|पर"
)
_CJK = r"手机号?码?|手機|电话号?码?|電話番?号?|微信号?|携帯番?号?|联系方式|전화번?호?|연락처|휴대폰|핸드폰|โทร"
_GAP = rf"(?:[\s:.=#/*_~|,<>\[\]()’'–—-]|(?<!\w)(?:{_FILLER})(?!\w)|[是为は은는]){{0,16}}"
_ANNOUNCER = re.compile(
    rf"(?:(?<!\w)(?:{_THING}|{_NUMBER_OF}|{_REQUEST})(?!\w)|(?=[^\x00-\u02ff])(?:{_CJK})|\[phone\](?=\s?(?:or|and|oder|und|ou|et|o|y|/)\s))"
    rf"({_GAP}|\s?(?:or|and|oder|und|ou|et|o|y|/)\s)\Z",
    re.IGNORECASE,
)
# A request to nobody named: `Call 9876543210`, `please ring the desk on 867 5309`, but not `we call 2147483647 prime`.
_IMPERATIVE = re.compile(
    r"(?:\A|[.!?;:,(\n–—-]\s*|(?<!\w)(?:please|pls|plz|or|and|then|to|just|can|could|should|must|may|might|also|so)\s)"
    r"(?:call|ring|dial|text|phone|sms)\s(?:now\s|me\s)?(?:the\s(?:\w+\s){1,3}|our\s(?:\w+\s){1,3})?"
    r"(?:on\s|at\s|under\s)?[(+＋]{0,2}\Z",
    re.IGNORECASE,
)
# What goes on in this way counts, measures or speaks of the number.
_GOES_ON = re.compile(
    r"\s?[%°×*^=/]|\s(?!(?:or|and|for|if|when|after|before|between|now|today|tonight|tomorrow|any\s?time|any|to|with|on"
    r"|at|please|thanks|thx|but|so|from|until|till|during|weekdays?|mornings?|evenings?|only|in|as|then|ext|extension|x"
    r"|und|oder|y|o|ou|et|и|или|asap|ok|we|she|he|they|you|my|the|a|about|because|since|i|there|it|home|office|work)"
    r"\b)[A-Za-zА-я]"
)
# Or it is said behind the number.
_SAID_LATER = re.compile(
    r"\s(?:is|was)\s(?:my|our|his|her)\s(?:\w+\s){0,2}(?:numbers?|phone|cell|mobile|whatsapp)\b"
    r"|\s\((?:cell|mobile|phone|home|office|work|whats\s?app)\)",
    re.IGNORECASE,
)
# The last word before the number, by which most numbers are told at once to be announced by nothing.
_LAST_WORD = re.compile(r"([^\W\d_]+)[^\w\]]*\Z")
_MAY_ANNOUNCE = re.compile(
    rf"{_THING}|{_FILLER}|numbers?|n[uú]meros?|num[ée]ros?|num|digits|numara|cell|call|ring|dial|buzz|text|line|contact"
    r"|them|now|desk|or|and|oder|und|ou|et|o|y|para|liga|ligue|mich|moi|mig|sie|an|ara\w*|ll[aá]m\w+|escr[ií]b\w+|chiam\w+"
    r"|scrivimi|joignable|erreichbar|bereikbaar|rufnummer|sms|whatsapp|[^\x00-\u02ff]\w*",
    re.IGNORECASE,
)
_LOOKS_BACK = 60  # characters: an announcer, what fills, and no more


def is_announced(text: str, start: int, end: int) -> bool:
    """Whether the words before a number make it a telephone's, and those behind it do not take that back."""
    if _SAID_LATER.match(text, end):
        return True
    begin = max(0, start - _LOOKS_BACK)
    last = _LAST_WORD.search(text, begin, start)
    if last and not _MAY_ANNOUNCE.fullmatch(last[1]):
        return False
    found = _ANNOUNCER.search(text, begin, start)
    if found is None:
        return _IMPERATIVE.search(text, begin, start) is not None and _GOES_ON.match(text, end) is None
    said = found[1].strip(" \t\n.")
    return bool(said) or _GOES_ON.match(text, end) is None or text[end + 1 : end + 2].isupper()
