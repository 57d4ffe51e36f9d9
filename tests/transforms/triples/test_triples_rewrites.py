"""A rule that changes nothing leaves no trace; one that does is named, in order."""

import re

from hypothesis import given
from hypothesis import strategies as st

from transforms.triples.contexts import make_context
from transforms.triples.rewrites import cut, fold, mentions, rewrite, sentence_case, tidy
from transforms.triples.wording import PROMPT_RULES, QUESTION_RULES


def test_the_names_of_the_rules_that_changed_the_text() -> None:
    rules = [("no_a", lambda t: t.replace("a", "")), ("no_z", lambda t: t.replace("z", "")), ("upper", str.upper)]
    assert rewrite("  bat   ,", rules) == ("BT", ["no_a", "upper"])


def test_what_a_deletion_leaves_behind() -> None:
    assert tidy(" , the sail . is wet ,") == "the sail. is wet"
    assert fold(" the\n sail ?") == "the sail ?"


def test_names_keep_their_small_letter() -> None:
    assert sentence_case("pH rises") == "pH rises"
    assert sentence_case("sails rise") == "Sails rise"
    assert sentence_case("") == ""


def test_cut_works_at_the_beginning_of_every_sentence() -> None:
    pattern = re.compile(r"so,\s", re.IGNORECASE)
    assert cut(pattern, "So, sails. So, ropes, so, masts.") == "sails. Ropes, so, masts."
    assert cut(pattern, "So, So, sails. pH.") == "So, sails. pH."
    assert cut(pattern, "Sails.") == "Sails."


def test_mentions_ignores_case() -> None:
    assert mentions("See HTTP", ("http",))
    assert not mentions("See", ("http",))


@given(st.text(max_size=400))
def test_untouched_text_has_no_edits_and_edits_mean_a_change(text: str) -> None:
    for rules in (PROMPT_RULES, QUESTION_RULES):
        found, names = rewrite(text, rules)
        assert len(names) == len(set(names))
        assert names or found == fold(text)


@given(st.text(alphabet="ab .,!?:()*_`\"'>-\n0123456789°C", max_size=300))
def test_no_field_ends_in_blanks(text: str) -> None:
    for found, _ in (rewrite(text, PROMPT_RULES), rewrite(text, QUESTION_RULES), make_context(text)):
        assert found == found.strip()
