import pytest

from transforms.language import detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I do not see why the curve turns down here", "en"),
        ("HOW CAN A LIQUID BE COLDER THAN ICE?", "en"),
        ("¿Por qué el hielo flota?", "es"),
        ("Warum schwimmt das Eis auf dem Wasser?", "de"),
        ("pourquoi ça flotte encore", "fr"),
        ("почему лёд", "ru"),
        ("氷はなぜ浮く", "ja"),
    ],
)
def test_language_of_a_text_long_enough_to_tell(text, language):
    assert detect(text, "xx") == language


@pytest.mark.parametrize(
    "text", ["", "ok", "nice vid", "gr8 thx m8", "42", "😀😀😀😀", "\ufffd\ufffd\ufffd", "E = mc^2", "α β"]
)
def test_a_text_too_short_takes_the_fallback(text):
    assert detect(text, "pt") == "pt"


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/some/very/long/english/path ok",
        "`while true do something else end`",
        "$\\frac{alpha}{beta} + gamma$",
    ],
)
def test_links_code_and_formulas_do_not_count(text):
    assert detect(text, "pt") == "pt"


def test_a_long_post_is_read_in_part():
    assert detect("This is plain English prose. " * 40_000, "xx") == "en"
