"""Which question marks of a post end a question, and where that question begins."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.question_marks import find_questions


def questions_of(text):
    return [" ".join(text[start:end].split()) for start, end in find_questions(text)]


CASES = {
    "repeated marks": [
        ("Wait, what?? I lost you there.", ["Wait, what??"]),
        ("How can a photon have no mass???? Please help", ["How can a photon have no mass????"]),
        ("Is it zero? ? I am puzzled.", ["Is it zero? ?"]),
    ],
    "mixed marks": [
        ("So it just disappears?! That makes no sense.", ["So it just disappears?!"]),
        ("You mean the cell eats itself!? Wow.", ["You mean the cell eats itself!?"]),
        ("He dropped it twice?!?! Did it break?", ["He dropped it twice?!?!", "Did it break?"]),
        ("So all the heat is gone !!! ??? Where to?", ["So all the heat is gone !!! ???", "Where to?"]),
        ("Is it on the test❓ please say", ["Is it on the test❓"]),
        ("Is that so⁉ I doubt it", ["Is that so⁉"]),
    ],
    "ellipsis": [
        ("So the slope would be...? I get stuck here.", ["So the slope would be...?"]),
        ("And the remainder is…? Nobody says it.", ["And the remainder is…?"]),
        ("What happens next?... I paused the video.", ["What happens next?..."]),
        ("So the slope is 4 ... ? I am stuck.", ["So the slope is 4 ... ?"]),
        ("so nobody pays . . . ?", ["so nobody pays . . . ?"]),
        ("Is 0.333... = 1/3? maybe", ["Is 0.333... = 1/3?"]),
    ],
    "smiley": [
        ("Is this on the exam? :) Also, why is lead soft?", ["Is this on the exam?", "Also, why is lead soft?"]),
        ("can you do one on tides? ;-) thanks", ["can you do one on tides?"]),
        ("Does gold rust? xD And does silver?", ["Does gold rust?", "And does silver?"]),
        ("Lovely lesson :) What is a quark?", ["What is a quark?"]),
        ("thanks <3 which app is it?", ["which app is it?"]),
        ("Is it over? ^_^ Is there more? (: Or not?", ["Is it over?", "Is there more?", "Or not?"]),
        ("Given f(x) = 3x) what is x?", ["Given f(x) = 3x) what is x?"]),
        ('He asked "is it over?" ;)', ['He asked "is it over?"']),
        ("Thanks:) why is it so?", ["why is it so?"]),
        ("nice:)what is a vector?", ["what is a vector?"]),
        ("Is the ratio (a:b) the same?", ["Is the ratio (a:b) the same?"]),
    ],
    "quotation": [
        ('He asks "so where does it go?" and then moves on.', []),
        ('What is meant by "is it closed?" in the second proof?',
         ['What is meant by "is it closed?" in the second proof?']),
        ("The caption reads “who pays the tax?” Then it stops.", ["The caption reads “who pays the tax?”"]),
        ('What does "?" stand for in the table?', ['What does "?" stand for in the table?']),
        ('He asked "is it?"' + " " * 60 + "and left.", ['He asked "is it?"']),
        ("How do 'why?' and 'what for?'?", ["How do 'why?' and 'what for?'?"]),
    ],
    "brackets": [
        ("Is the answer 12 (or 13?) in the end?", ["Is the answer 12 (or 13?) in the end?"]),
        ("I divided by two (is that allowed?) and got nine.", ["is that allowed?"]),
        ("I got 40 N (did I round too early?). Thanks", ["did I round too early?"]),
        ("Is it 40 N (or 41?). Thanks", ["Is it 40 N (or 41?)"]),
        ('It is a note ("who reads this?") to all.', []),
        ("The year is 570 (?) or so. Is that known?", ["Is that known?"]),
    ],
    "no space behind": [
        ("Why does ice float?I thought solids sink.", ["Why does ice float?"]),
        ("is it linear?if not,what is it?", ["is it linear?", "if not,what is it?"]),
        ("Nice video!why is the sign negative?", ["why is the sign negative?"]),
        ("I see the trick.Does it work for cubes?", ["Does it work for cubes?"]),
        ("I see the trick.why does it work?", ["why does it work?"]),
    ],
    "abbreviations": [
        ("Do small ions, e.g. lithium, move faster?", ["Do small ions, e.g. lithium, move faster?"]),
        ("Was Dr. Curie the first to measure it?", ["Was Dr. Curie the first to measure it?"]),
        ("Is the root approx. 1.4 or larger?", ["Is the root approx. 1.4 or larger?"]),
        ("Does eq. 3 hold at rest?", ["Does eq. 3 hold at rest?"]),
        ("It lists oxides, salts, etc. Which one is basic?", ["Which one is basic?"]),
        ("Is it shown in ch. 3?", ["Is it shown in ch. 3?"]),
        ("At 20 K, is the coeff. of friction const. or not?", ["At 20 K, is the coeff. of friction const. or not?"]),
        ("Is Lemma 4.2. false?", ["Is Lemma 4.2. false?"]),
        ("Did the govt. ever pay it back?", ["Did the govt. ever pay it back?"]),
        ("Was it on Fri. 13?", ["Was it on Fri. 13?"]),
        ("What happens to plants, birds etc. if it is dark?", ["What happens to plants, birds etc. if it is dark?"]),
        ("Does Ms. Curie win?", ["Does Ms. Curie win?"]),
        ("When it rains. are they wet?", ["are they wet?"]),
        ("Why is gold so valuable. something about bonds?", ["something about bonds?"]),
        ("why is it red. it was blue. is it rust?", ["is it rust?"]),
        ("It was about the U.K. what changed?", ["what changed?"]),
        ("Was the U.K. king in it?", ["Was the U.K. king in it?"]),
        ("Did J. A. Smith say so?", ["Did J. A. Smith say so?"]),
    ],
    "units": [
        ("Do we need 3.5 kg. of water?", ["Do we need 3.5 kg. of water?"]),
        ("Can a plank of 2 m. in length hold him?", ["Can a plank of 2 m. in length hold him?"]),
        ("The block weighs 5 kg. why does it float?", ["why does it float?"]),
        ("It fell 9 m. Why did it not break?", ["Why did it not break?"]),
        ("Is a drop of 20cm. or more dangerous?", ["Is a drop of 20cm. or more dangerous?"]),
        ("She runs 9 km/h. How far is that?", ["How far is that?"]),
        ("it falls at 3 m/s. what comes next?", ["what comes next?"]),
        ("He solves for y. Why y?", ["Why y?"]),
        ("we look at point b. is it the top?", ["is it the top?"]),
    ],
    "decimals": [
        ("Is 0.999 the same as 1?", ["Is 0.999 the same as 1?"]),
        ("Why is pi 3.14 and not 3.15? I measured.", ["Why is pi 3.14 and not 3.15?"]),
        ("How is .5 written in base 2?", ["How is .5 written in base 2?"]),
    ],
    "links": [
        ("See https://example.org/find?q=heat&p=2 for more.", []),
        ("Have you read https://example.org/page? It helps.", ["Have you read https://example.org/page?"]),
        ("At example.org/watch?v=abc he says no. Is he right?", ["Is he right?"]),
        ("http://example.org/help? says nothing", []),
        ("https://example.org/why?\nI read it.", []),
        ("See example.org/find?heat. It is long.", []),
        ("ftp://example.org/a?b is gone. Is there a copy?", ["Is there a copy?"]),
        ("(https://example.org/a?b=2) What is it?", ["What is it?"]),
        ("See [What is heat?](https://example.org/a) for more.", []),
        ("Is [What is heat?](https://example.org/a) right?", ["Is [What is heat?](https://example.org/a) right?"]),
        ("![what is it?](pole.png) Where is the pole?", ["Where is the pole?"]),
    ],
    "code": [
        ("I wrote `x = a ? b : c` and it failed.", []),
        ("```\nprint('ready?')\n```\nWhat does it print?", ["What does it print?"]),
        ('My line printf("again?"); never runs. What is wrong?', ["What is wrong?"]),
        ("What is ```a?b``` good for?", ["What is ```a?b``` good for?"]),
        ("Why does `ok?` end in a mark?", ["Why does `ok?` end in a mark?"]),
        ("I ran re.sub('colou?r', s) twice. Why?", ["Why?"]),
        ("It says /^ab?c$/ there. Is 'a?b' one too?", ["Is 'a?b' one too?"]),
        ("Is \\d+\\.?\\d* greedy?", ["Is \\d+\\.?\\d* greedy?"]),
        ('print("Is it on?") shows nothing', []),
        ("Look:\n    int r = n > 0 ? 1 : 0; // ok?\nIs it ok?", ["Is it ok?"]),
        ("    Is a paragraph with an indent a question?", ["Is a paragraph with an indent a question?"]),
        ("What is the ? operator for?", ["What is the ? operator for?"]),
        ("Can I use a ?? b here?", ["Can I use a ?? b here?"]),
        ("which is it, a or b ? i say a", ["which is it, a or b ?"]),
        ("rm file?.txt fails. Why?", ["Why?"]),
        ("Is Map<String, ?> a type?", ["Is Map<String, ?> a type?"]),
        ("Is where a = ? AND b = 2 valid?", ["Is where a = ? AND b = 2 valid?"]),
    ],
    "formulas": [
        ("The proof shows $a \\overset{?}{=} b$ holds.", []),
        ("Is it $5? Or is it $6?", ["Is it $5?", "Or is it $6?"]),
        ("Solve 2 + ? = 5 first. What comes next?", ["What comes next?"]),
        ("Why is \\(x ? y\\) not defined?", ["Why is \\(x ? y\\) not defined?"]),
        ("The rule is x>0 ? 1 : 0 for all x.", []),
        ("4 + ? = 9 and ? - 2 = 3. Which is odd?", ["Which is odd?"]),
        ("How is ?/4 = 6/8 solved?", ["How is ?/4 = 6/8 solved?"]),
        ("P(A)=? and P(B)=? are asked. Where do I begin?", ["Where do I begin?"]),
        ("y² = 9, y = ?", []),
        ("What is 2 + 2 = ?", ["What is 2 + 2 = ?"]),
        ("Is m! odd for m > 1?", ["Is m! odd for m > 1?"]),
        ("What is 6! divided by 4!? I got 30.", ["What is 6! divided by 4!?"]),
        ("Why is 0! = 1?", ["Why is 0! = 1?"]),
        ("If 5! = 120, what is 0!?", ["If 5! = 120, what is 0!?"]),
        ("I passed! =D is there more?", ["is there more?"]),
        ("It goes 2, 4, ?, 8 and so on. Which is it?", ["Which is it?"]),
        ("I scored 5! is that good?", ["is that good?"]),
        ("Is it **so**? because I doubt it", ["Is it **so**?"]),
        ("Does it need C++? because I know C", ["Does it need C++?"]),
        ("√2 is a root of which equation?", ["√2 is a root of which equation?"]),
    ],
    "lists and lines": [
        ("1. What is torque?\n2. Where does it act?", ["What is torque?", "Where does it act?"]),
        ("- why two poles?\n- why not one?\n* or three?", ["why two poles?", "why not one?", "or three?"]),
        ("What is the\ndifference between heat and work?", ["What is the difference between heat and work?"]),
        ("thanks for this lesson\nwhy is the sky dark at night?", ["why is the sky dark at night?"]),
        ("a) is it even?\nb) is it prime?", ["is it even?", "is it prime?"]),
        ("(i) Is it odd? (ii) Is it even?", ["Is it odd?", "Is it even?"]),
        ("1️⃣ What is it?\n2️⃣ Where is it?", ["What is it?", "Where is it?"]),
        ("1.What is it?2.Where is it?", ["What is it?", "Where is it?"]),
        ("(4:15) Why the minus?", ["Why the minus?"]),
        ("| a | b |\n| is it? | no |", ["is it?"]),
        ("What is the capital\n?", ["What is the capital ?"]),
        ("I saw it.\n?!\nWhere was it\n ?? ", ["Where was it ??"]),
    ],
    "quoted posts": [
        ("> Why is it blue?\nBecause short waves scatter.", []),
        ("  > > Is it?\n> It is.\n\nBut does red scatter too?", ["But does red scatter too?"]),
        ("[quote=ann]where is it?[/quote] I looked. Where was it?", ["Where was it?"]),
        ("&gt; is it so?\nWho says that?", ["Who says that?"]),
        ("> Why is the sea salty\nand the rain not?\n\nGood one.", []),
        ("> It is salty.\nbut why?", ["but why?"]),
        ("[quote]Is [quote]it?[/quote] so?[/quote] Who says so?", ["Who says so?"]),
        ("<blockquote>Is it? <blockquote>No?</blockquote> Yes?</blockquote> Is it mine?", ["Is it mine?"]),
    ],
    "emoji": [
        ("Is it a metal? 😀 Or a salt?", ["Is it a metal?", "Or a salt?"]),
        ("🤔🤔 how do they know the age?", ["how do they know the age?"]),
        ("😭😭😭???", []),
        ("Nice 👏👏 Why is it positive?", ["Why is it positive?"]),
        ("So good 😂 what about families?", ["what about families?"]),
        ("What 😭 is 😭 that?", ["What 😭 is 😭 that?"]),
    ],
    "entities": [
        ("Is 3 &lt; 4 always true?", ["Is 3 &lt; 4 always true?"]),
        ("What&#39;s inside? &quot;Nothing&quot; she said.", ["What&#39;s inside?"]),
        ("Why &quot;is it full?&quot; and not empty?&nbsp;Odd.", ["Why &quot;is it full?&quot; and not empty?"]),
    ],
    "markup": [
        ("<p>Why is it so?</p><p>Because.</p>", ["Why is it so?"]),
        ("I see.<br/>Is it so?<br>Thanks", ["Is it so?"]),
        ("<b>Is it bold?</b> yes", ["Is it bold?"]),
        ("**Is it bold?** yes", ["Is it bold?"]),
        ("**Question:** why is it so?", ["**Question:** why is it so?"]),
        ("*Why* is it __so__?", ["*Why* is it __so__?"]),
        ("if a <b and c> d, is it so?", ["if a <b and c> d, is it so?"]),
        ("A `<hr>` is a line. Is `<br>` one?", ["Is `<br>` one?"]),
    ],
    "in a row": [
        ("Who? When? Why did nobody stop it?", ["Who?", "When?", "Why did nobody stop it?"]),
        ("what is a mole ? why 12 grams ? who chose it ?", ["what is a mole ?", "why 12 grams ?", "who chose it ?"]),
        ("Is it 4? Is it 5? I say six.", ["Is it 4?", "Is it 5?"]),
    ],
    "other languages": [
        ("¿Por qué flota el hielo? No entiendo.", ["¿Por qué flota el hielo?"]),
        ("Pourquoi la glace flotte ? merci", ["Pourquoi la glace flotte ?"]),
        ("氷はなぜ浮きますか？わかりません。", ["氷はなぜ浮きますか？"]),
    ],
    "lost characters": [
        ("I don?t get it and it?s late. Why does it spin?", ["Why does it spin?"]),
        ("we?re told it\ufffd\ufffds round. is it?", ["is it?"]),
        ("Caf\u00c3\u00a9 prices rise, but why?", ["Caf\u00c3\u00a9 prices rise, but why?"]),
        ("\ufeffIs it so?\u200b Is it?", ["Is it so?", "Is it?"]),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"), [pytest.param(*case, id=name) for name, cases in CASES.items() for case in cases]
)
def test_the_questions_of_a_post(text, expected):
    assert questions_of(text) == expected


@given(st.text(alphabet=st.sampled_from("ab Z.?!\"'()\n>`$&;:=1kg😀¿？❓_<p/")))
@settings(max_examples=500)
def test_offsets_are_in_order_and_every_question_has_a_mark_and_a_letter(text):
    behind = 0
    for start, end in find_questions(text):
        assert behind <= start < end <= len(text)
        assert any(mark in text[start:end] for mark in "?？❓")
        assert any(sign.isalpha() or sign in "`$" for sign in text[start:end])
        behind = end
