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
    "text",
    [
        "What's a pas de deux?",
        "Who coined 'je ne sais quoi'?",
        "What is a coup d'état?",
        "Was it a fait accompli?",
        "Who wrote Cien años de soledad?",
        "he said 'je ne sais quoi'",
    ],
)
def test_a_foreign_phrase_does_not_make_a_short_post_foreign(text):
    assert detect(text, "en") == "en"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wo ist der Fehler im Beweis?", "de"),
        ("¿Qué es un fotón?", "es"),
        ("C'est quoi un photon?", "fr"),
        ("Was passiert mit dem Wasser?", "de"),
        ("In welcher Zeile steht das?", "de"),
    ],
)
def test_a_short_foreign_post_stays_foreign(text, language):
    assert detect(text, "en") == language


def test_signs_of_chinese_alone_are_not_japanese():
    assert detect("微分方程式解法", "en") != "ja"


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
