"""Answer-tone phrases (KhanQ A.4): what only makes sense behind the question."""

import re

from transforms.triples.prompt_types import AUXILIARY
from transforms.triples.rewrites import cut
from transforms.triples.wording import delete_conjunctions

_YES_NO = (
    r"(?:yes and no|no and yes|(?:a )?(?:(?:little|tiny) )?bit of both(?:,? i(?:['’]d| would) say)?"
    r"|(?:no|yes)(?:,? (?:no|yes)){1,3}|yes|no|yep|yup|nope|nah|yeah|yea|sure|exactly|correct|right|indeed|absolutely"
    r"|definitely|certainly|precisely|you(?:['’]re| are) (?:absolutely |totally )?(?:right|correct|wrong)"
    r"|that(?:['’]s| is) (?:right|correct|true)"
    r"|of course(?: not)?|not (?:really|exactly|quite|necessarily)|good catch|correction|it depends|true)"
)
# `Yes it does a bit`, `No, they are not`: the question's own words again.
_AGAIN = (
    rf"(?:,?\s(?:it|they|he|she|we|you|that|this|there|i)\s(?:{AUXILIARY})(?:\snot)?"
    r"(?:\s(?:a (?:bit|little)|indeed|too))?)"
)
_ECHO = rf"(?:it|they|he|she|we|you|that|this|there) (?:{AUXILIARY})(?: not)?(?=\s?[.;:!])"
_AGREEMENT = re.compile(
    r"^(?:(?:(?:the )?(?:short |simple |quick )?answer(?: is|:| to (?:your|this|that) question is),?:?\s|in short,?\s"
    r"|(?:well|oh|hmm+|er|uh),?\s)?"
    rf"(?:{_YES_NO}{_AGAIN}?|{_ECHO})(?:\s*(?:[,.!;:–—]|-\s)[\s,.!;:–—]*(?:(?:because|since)\s+(?!of\b))?|\s+(?:because|since|as)\s+(?!of\b)))+",
    re.IGNORECASE,
)
_I_THINK = r"(?:i(?:['’]d| would) say|i (?:think|believe|guess|suppose|assume|reckon))"
_TONE = re.compile(
    r"(?:(?:the )?(?:short|long|longer|quick|simple) (?:answer|version)\s?[:,-]\s*"
    r"|(?:in short|in a nutshell|long story short|simply put|to put it simply),\s*"
    r"|tl;?dr\b\s?[:,;-]?\s*|(?:easy|simple|simply)\s?[:!]\s*"
    r"|(?:the|my) (?:short |simple |quick )?answer(?: to (?:your|this|that|the) question)? is(?: that\s|:)\s*"
    r"|(?:(?:this|that|it)(?:['’]?s| is)|the reason is|this happens|it happens) (?:because|that)\s+(?!of\b)"
    r"|(?:to answer your question|in answer to your question)[,:]?\s+"
    r"|(?:(?:just|one|a|another|small|quick|little) ){0,3}(?:(?:thing|point|note|remark) to add"
    r"|addition)\b[^.:!?]{0,60}:\s*"
    r"|as i (?:said|mentioned|wrote|explained)\b[^,.!?]{0,40},\s*"
    r"|i think you(?:['’]re| are| were) (?:asking|talking|referring)\b[^.!?\n]{0,100}[.!?]\s*"
    rf"|{_I_THINK} that\s+|(?:{_I_THINK}|in my opinion|as far as i know|imo),?\s+"
    r"(?=(?:the|it|this|that|they|a|an|there|because|we|when|if)\b))",
    re.IGNORECASE,
)
_AS_TOLD = re.compile(
    r",? as (?:sal|he|she|they|the (?:video|article|teacher|instructor)|you) (?:also )?(?:says?|said|states?|stated"
    r"|mentioned|explained|shows?|showed|pointed out)(?: (?:in|at|during) (?:the|this|that) (?:video|article|lesson"
    r"|lecture|beginning|end))?(?=\s*[,.;:!?])",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"^because\s+(?!of\b)", re.IGNORECASE)
# With such a tag a sentence still tells what it says.
_TAGGED = re.compile(
    rf",?\s(?:ok|okay|right|huh|see|you know|you see|got it|(?<=,\s)(?:{AUXILIARY}) (?:it|they|there|he|she|we))\s?\?",
    re.IGNORECASE,
)
# A phrase may hide another one: `Short answer: no. Longer answer: this is because`.
_ROUNDS = 3


def delete_answer_tone(text: str) -> str:
    """KhanQ A.4, answer-tone phrases: `yes,`, `no, it does not:`, `short answer:`, `this is because`, `..., right?`"""
    found = _TAGGED.sub(".", text) if "?" in text else text
    if " as " in found:
        found = _AS_TOLD.sub("", found)
    for _ in range(_ROUNDS):
        before = found
        found = _BECAUSE.sub("", cut(_TONE, _AGREEMENT.sub("", found)))
        if found == before:
            break
    return text if found == text else delete_conjunctions(found)
