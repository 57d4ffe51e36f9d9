"""Spelling and obvious grammar (KhanQ A.5): only words that are wrong in any sentence of any subject.

A dictionary corrector turns rare science words into common ones, so this is a closed list.
"""

import re

_RIGHT = {
    "teh": "the", "dont": "don't", "doesnt": "doesn't", "isnt": "isn't", "cant": "can't", "arent": "aren't",
    "wouldnt": "wouldn't", "shouldnt": "shouldn't", "couldnt": "couldn't", "didnt": "didn't", "wasnt": "wasn't",
    "werent": "weren't", "hasnt": "hasn't", "havent": "haven't", "do'nt": "don't", "recieve": "receive",
    "recieves": "receives", "recieved": "received", "seperate": "separate", "seperated": "separated",
    "occured": "occurred", "occuring": "occurring", "occurence": "occurrence", "becuase": "because",
    "becasue": "because", "beacuse": "because", "becouse": "because", "bcoz": "because", "bcz": "because",
    "cuz": "because", "wich": "which", "whcih": "which", "definately": "definitely", "definatly": "definitely",
    "thier": "their", "plz": "please", "pls": "please", "alot": "a lot", "untill": "until", "wether": "whether",
    "diffrent": "different", "diferent": "different", "diffrence": "difference", "beleive": "believe",
    "belive": "believe", "acheive": "achieve", "begining": "beginning", "concious": "conscious",
    "enviroment": "environment", "existance": "existence", "explaination": "explanation", "goverment": "government",
    "happend": "happened", "happends": "happens", "hapen": "happen", "hapens": "happens", "independant": "independent",
    "knowlege": "knowledge", "lenght": "length", "strenght": "strength", "maintainance": "maintenance",
    "neccessary": "necessary", "necesary": "necessary", "neccesary": "necessary", "noticable": "noticeable",
    "posible": "possible", "possibile": "possible", "prefered": "preferred", "realy": "really", "refered": "referred",
    "referance": "reference", "similiar": "similar", "sucess": "success", "succesful": "successful",
    "suprise": "surprise", "suprised": "surprised", "tempature": "temperature", "temparature": "temperature",
    "temperture": "temperature", "tommorow": "tomorrow", "truely": "truly", "usualy": "usually", "wierd": "weird",
    "writting": "writing", "accross": "across", "allways": "always", "aparently": "apparently", "arguement": "argument",
    "calender": "calendar", "catagory": "category", "comming": "coming", "commited": "committed",
    "completly": "completely", "dissapear": "disappear", "embarass": "embarrass", "exagerate": "exaggerate",
    "foward": "forward", "freind": "friend", "gaurd": "guard", "hieght": "height", "immediatly": "immediately",
    "intresting": "interesting", "liek": "like", "mispell": "misspell", "nucleous": "nucleus", "ocasion": "occasion",
    "paralell": "parallel", "persue": "pursue", "probaly": "probably", "reccomend": "recommend",
    "repitition": "repetition",
    "dosent": "doesn't", "dosnt": "doesn't", "doesent": "doesn't", "dosen't": "doesn't", "didint": "didn't",
    "protien": "protein", "protiens": "proteins", "molecue": "molecule", "electorn": "electron", "eletron": "electron",
    "reacton": "reaction", "equasion": "equation", "gravitiy": "gravity", "experiement": "experiment",
    "shoud": "should", "somthing": "something", "thats": "that's", "tounge": "tongue", "transfered": "transferred",
    "useing": "using", "vaccum": "vacuum", "vaccuum": "vacuum", "whats": "what's", "i'm": "I'm", "i've": "I've",
    "i'd": "I'd", "i'll": "I'll",
}  # fmt: skip
_WORD = re.compile(r"[a-z'’]+", re.IGNORECASE)
# `i` alone is the pronoun, unless it is a variable, a list mark or part of `i.e.`
_SMALL_I = re.compile(
    r"(?<=[a-z,] )i(?= (?:am|have|had|was|do|don|did|can|could|think|thought|know|would|will|want|see|use)\b)"
)
_DOUBLED = re.compile(r"\b(the|a|an|of|to|is|are|and|in|for)\s+\1\b(?!['’-])")


def _correct(match: re.Match[str]) -> str:
    wrong = match[0]
    right = _RIGHT.get(wrong.lower())
    if right is None or (wrong.isupper() and len(wrong) > 1):
        return wrong
    return right[0].upper() + right[1:] if wrong[0].isupper() else right


def fix_spelling(text: str) -> str:
    """KhanQ A.5, grammar and spelling: misspelt words, a small `i`, a function word written twice."""
    if not _RIGHT.keys().isdisjoint(_WORD.findall(text.lower())):
        text = _WORD.sub(_correct, text)
    return _DOUBLED.sub(r"\1", _SMALL_I.sub("I", text))
