import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.masking import decode_entities, mask


@given(st.text(alphabet=st.sampled_from("a?>`$\\()[]{}/<~ \n")))
def test_no_character_moves(text):
    assert len(mask(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    ["`a?`", "``a ` b?``", "```\na?\n```", "$a?$", "$$a?$$", "\\(a?\\)", "\\[a?\\]", "> a?", "https://example.org/?a=1",
     "www.example.org/?a=1", "[quote]a?[/quote]", "[CODE]a?[/CODE]", "<pre>a?</pre>", "~~~\na?\n~~~",
     "\\begin{align}a?\\end{align}", "ftp://example.org/?a", "<code>a?</code>", "f('a?')", "> a\nb?",
     "[quote][quote]a?[/quote]a?[/quote]", "    a?; // a", "\tif a == b: # a?", "\\d+\\.?\\d*", "\\?a",
     "[a?](https://example.org/a)", "[a?](#b?c)", "![a?](b.png)"],
)  # fmt: skip
def test_what_is_not_prose_loses_its_marks(text):
    assert "?" not in mask(f"{text} end")


@pytest.mark.parametrize(
    "text",
    [
        "$5? or $6?",
        "a > b? c",
        "https://example.org/a?",
        "www.example.org/a?)",
        "5 < 6? 7 > 6?",
        "    a?",
        "> a.\nb?",
        "('a?')",
        "[a?] (b?)",
        "a❓",
    ],
)
def test_prose_keeps_its_marks(text):
    assert mask(text).count("?") == text.count("?") + text.count("❓")


def test_tags_leave_blanks_and_breaks():
    assert mask("<p>a</p><b>c</b>") == "\n  a\n      c    "
    assert mask("a <b and c> d") == "a <b and c> d"


def test_entities_are_decoded_with_the_place_of_each_character():
    text = "a &lt; b&nbsp;&amp;c &bogus; &#63;"
    decoded, origins = decode_entities(text)
    assert decoded == "a < b\xa0&c &bogus; &#63;"
    assert len(origins) == len(decoded) + 1
    assert [text[origins[decoded.index(sign)]] for sign in "a<bc"] == ["a", "&", "b", "c"]
    assert origins[-1] == len(text)
