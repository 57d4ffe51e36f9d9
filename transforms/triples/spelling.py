"""Spelling and obvious grammar (KhanQ A.5): words that are wrong in any sentence of any subject, and chat spellings.

What a dictionary tells beyond this list, with the lesson as its witness, is in `dictionary.py`.
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
    "writting": "writing", "accross": "across", "allways": "always", "aparently": "apparently",
    "arguement": "argument", "calender": "calendar", "catagory": "category", "comming": "coming",
    "commited": "committed", "completly": "completely", "dissapear": "disappear", "embarass": "embarrass",
    "exagerate": "exaggerate", "foward": "forward", "freind": "friend", "gaurd": "guard", "hieght": "height",
    "immediatly": "immediately", "intresting": "interesting", "liek": "like", "mispell": "misspell",
    "nucleous": "nucleus", "ocasion": "occasion", "paralell": "parallel", "persue": "pursue", "probaly": "probably",
    "reccomend": "recommend", "repitition": "repetition", "dosent": "doesn't", "dosnt": "doesn't",
    "doesent": "doesn't", "dosen't": "doesn't", "didint": "didn't", "protien": "protein", "protiens": "proteins",
    "molecue": "molecule", "electorn": "electron", "eletron": "electron", "reacton": "reaction",
    "equasion": "equation", "gravitiy": "gravity", "experiement": "experiment", "shoud": "should",
    "somthing": "something", "thats": "that's", "tounge": "tongue", "transfered": "transferred", "useing": "using",
    "vaccum": "vacuum", "vaccuum": "vacuum", "whats": "what's", "i'm": "I'm", "i've": "I've", "i'd": "I'd",
    "i'll": "I'll", "im": "I'm", "ive": "I've", "anwser": "answer", "anwsers": "answers", "awnser": "answer",
    "adress": "address", "taht": "that", "tath": "that", "waht": "what", "hwat": "what", "hte": "the", "adn": "and",
    "tehy": "they", "tihs": "this", "infact": "in fact", "aswell": "as well",
    "oxigen": "oxygen", "oxygin": "oxygen", "hydrogren": "hydrogen", "hidrogen": "hydrogen",
    "nitrogin": "nitrogen", "carbohidrate": "carbohydrate", "chemestry": "chemistry", "phisics": "physics",
    "physiks": "physics", "gravety": "gravity", "enery": "energy", "enrgy": "energy", "heigth": "height",
    "weigth": "weight", "widht": "width", "molecul": "molecule", "molicule": "molecule", "molicules": "molecules",
    "electrone": "electron", "photosinthesis": "photosynthesis", "respration": "respiration",
    "mitochondira": "mitochondria", "membrain": "membrane", "necleus": "nucleus", "nuclues": "nucleus",
    "calulate": "calculate", "caculate": "calculate", "mulitply": "multiply", "mutiply": "multiply",
    "divison": "division", "substract": "subtract", "addtion": "addition", "trinagle": "triangle", "sqaure": "square",
    "squre": "square", "decimel": "decimal", "varible": "variable", "acutally": "actually", "actualy": "actually",
    "allready": "already", "allright": "all right", "beggining": "beginning", "bacause": "because",
    "beacause": "because", "becaus": "because", "becuse": "because", "dicovered": "discovered", "exsist": "exist",
    "exsists": "exists", "familar": "familiar", "hapened": "happened", "happing": "happening", "howcome": "how come",
    "intead": "instead", "pronounciation": "pronunciation", "proccess": "process", "quesion": "question",
    "questin": "question", "reveiw": "review", "seperation": "separation",
    "shouldve": "should've", "similarily": "similarly", "sumthing": "something", "somone": "someone",
    "togther": "together", "undertand": "understand", "usally": "usually", "wheather": "whether", "whther": "whether",
    "wonderring": "wondering", "couldve": "could've", "wouldve": "would've", "doen't": "doesn't", "bcuz": "because",
    "bcos": "because", "becos": "because", "becoz": "because", "coz": "because", "ppl": "people", "tho": "though",
    "thru": "through", "smth": "something", "vacum": "vacuum", "temprature": "temperature",
    "tempreture": "temperature", "tempatures": "temperatures", "atmoshpere": "atmosphere", "atmosfere": "atmosphere",
    "photosynthsis": "photosynthesis", "photosythesis": "photosynthesis", "mitocondria": "mitochondria",
    "chromozome": "chromosome", "chromosones": "chromosomes", "enzime": "enzyme", "enzimes": "enzymes",
    "molecual": "molecule", "moleclue": "molecule", "nuetron": "neutron", "nuetral": "neutral",
    "positivly": "positively", "negitive": "negative", "negativly": "negatively", "equlibrium": "equilibrium",
    "equillibrium": "equilibrium", "velosity": "velocity", "accelaration": "acceleration",
    "acceleraton": "acceleration", "magnatude": "magnitude", "presure": "pressure", "energey": "energy",
    "frequancy": "frequency", "desity": "density", "eletric": "electric", "eletricity": "electricity",
    "electrisity": "electricity", "resistence": "resistance", "experement": "experiment", "expirement": "experiment",
    "hypothisis": "hypothesis", "evoloution": "evolution", "speices": "species", "buisness": "business",
    "curency": "currency", "econmy": "economy", "empror": "emperor", "emporer": "emperor", "soliders": "soldiers",
    "religon": "religion", "parlament": "parliament", "parliment": "parliament", "revoultion": "revolution",
    "politican": "politician", "artical": "article", "paragragh": "paragraph", "sentance": "sentence",
    "grammer": "grammar", "excercise": "exercise", "exersise": "exercise", "awsome": "awesome", "basicly": "basically",
    "especialy": "especially", "exept": "except", "finaly": "finally", "generaly": "generally",
    "gravitional": "gravitational", "happenned": "happened", "imediately": "immediately", "importent": "important",
    "increse": "increase", "decrese": "decrease", "knowledgable": "knowledgeable", "libary": "library",
    "litle": "little", "mathmatics": "mathematics", "mathamatics": "mathematics", "naturaly": "naturally",
    "nessesary": "necessary", "offical": "official", "orignal": "original", "particulary": "particularly",
    "peice": "piece", "peices": "pieces", "poeple": "people", "peopel": "people", "probly": "probably",
    "probally": "probably", "prolly": "probably", "propertys": "properties", "questoin": "question",
    "quesiton": "question", "reasearch": "research", "recomend": "recommend", "relevent": "relevant",
    "rythm": "rhythm", "sceince": "science", "sieze": "seize", "simular": "similar", "simmilar": "similar",
    "sould": "should", "wuld": "would", "coud": "could", "shuld": "should", "specificly": "specifically",
    "stuctures": "structures", "struture": "structure", "suface": "surface", "suposed": "supposed",
    "suppossed": "supposed", "surley": "surely", "theyre": "they're", "therfore": "therefore", "togather": "together",
    "trully": "truly", "tryed": "tried", "twelth": "twelfth", "undestand": "understand", "understnad": "understand",
    "unkown": "unknown", "varient": "variant", "wasent": "wasn't", "youre": "you're",
}  # fmt: skip
_WORD = re.compile(r"[a-z'’]+", re.IGNORECASE)
# `i` alone is the pronoun, unless it is a variable, a list mark or part of `i.e.`
_SMALL_I = re.compile(
    r"(?<=[a-z,] )i(?= (?:am|have|had|was|do|don|did|can|could|think|thought|know|would|will|want|see|use)\b)"
)
# Words in a place where only another one can stand; the first is a cheap look before the pattern.
_GRAMMAR = (
    # Chat: `u` and `r` are words only where a variable cannot stand, see `_VARIABLE`.
    (
        "u",
        re.compile(r"\bu (?=(?:r|are|have|do|don|did|get|say|said|want|need|know|think|mean|look|see|use|guys)\b)"),
        "you ",
    ),
    (
        "u",
        re.compile(
            r"\b((?:[Dd]o(?:n['’]?t)?|[Dd]id(?:n['’]?t)?|[Cc]an|[Cc]ould|[Ww]ould|[Ww]ill|[Ss]hould|[Aa]re|[Hh]ave"
            r"|thank|tell|help|give|for|to|with|from|if|when)) u\b"
        ),
        r"\1 you",
    ),
    (
        "r",
        re.compile(
            r"\b([Yy]ou|[Ww]e|[Tt]hey|[Tt]hese|[Tt]hose|[Tt]here|[Ww]hy|[Hh]ow|[Ww]here|[Ww]hat|[Ww]ho)"
            r" r (?=[a-z]{2})(?!(?:is|was|equals|and|or|to|in|of)\b)"
        ),
        r"\1 are ",
    ),
    (
        "r",
        re.compile(r"(?<=[a-z]{2}[a-rtv-z]s) r (?=(?:not|the|an?|so|very|all|always|made|negative|positive)\b)"),
        " are ",
    ),
    ("ur", re.compile(r"\bur (?=(?:an?|the|not|right|wrong|going|so|\w{3,}ing)\b)"), "you're "),
    ("ur", re.compile(r"(?<![-.\w])ur(?![-.\w])"), "your"),
    ("i", _SMALL_I, "I"),
    ("its", re.compile(r"\b([Ii])ts (?=(?:an?|the|not)\b)"), r"\1t's "),
    ("of", re.compile(r"\b((?:could|would|should|must|might)(?:n['’]t)?) of\b(?! course)"), r"\1 have"),
    ("their", re.compile(r"\b([Tt])heir (?=(?:is|are|was|were)\b)"), r"\1here "),
    # `His wont` is a noun.
    ("wont", re.compile(r"(?<![serym] )\b([Ww])ont\b(?! to\b)"), r"\1on't"),
)
# Where `u` or `r` stands in a formula or with a number, it is a variable or a unit throughout.
_VARIABLE = re.compile(
    r"(?<![a-z])[ur]\s?[=<>+*/^(\[\d_]|[=<>+*/^(\d]\s?[ur]\b|\b(?:the|of|by|variable|radius|where|let) [ur]\b"
    r"|\b[ur] (?:is|was|equals|and|or)\b"
)
_DOUBLED = re.compile(r"\b(the|a|an|of|to|is|are|and|in|for)\s+\1\b(?!['’-])")


def _correct(match: re.Match[str]) -> str:
    wrong = match[0]
    right = _RIGHT.get(wrong.lower())
    if right is None or (wrong.isupper() and len(wrong) > 1):
        return wrong
    return right[0].upper() + right[1:] if wrong[0].isupper() else right


def fix_spelling(text: str) -> str:
    """KhanQ A.5, grammar and spelling: misspelt words, `its a`, `could of`, a small `i`, a word written twice."""
    said = set(_WORD.findall(text.lower()))
    if not said.isdisjoint(_RIGHT):
        text = _WORD.sub(_correct, text)
        said |= set(_WORD.findall(text.lower()))
    variable = not said.isdisjoint("ur") and _VARIABLE.search(text)
    for hint, wrong, right in _GRAMMAR:
        if hint in said and not (variable and hint in ("u", "r")):
            text = wrong.sub(right, text)
    return _DOUBLED.sub(r"\1", text)
