import pytest

from transforms.usefulness.forms import hash_of, is_content
from transforms.usefulness.labels import part_of
from transforms.usefulness.tokens import cut, normalise


def words_of(text: str) -> list[str]:
    found = cut([text])
    return [found.distinct[i] for i in found.positions]


@pytest.mark.parametrize(
    ("post", "label"),
    [
        ("Why doesn't the cell's wall break?", "why does n't the cell 's wall break ?"),
        ("At 4:15, isn't that 3.5 kg?", "at 4:15 , is n't that 3.5 kg ?"),
        ("You cannot “see” it, can you?!", "you can not `` see '' it , can you ? !"),
        ("It’s (almost) the same: right?", "it 's ( almost ) the same : right ?"),
    ],
)
def test_posts_and_tokenised_labels_become_the_same_words(post: str, label: str) -> None:
    assert words_of(post) == words_of(label)


@pytest.mark.parametrize(
    ("raw", "tokenised"),
    [
        ("Is it (a) or [b]?", "is it ( a ) or [ b ] ?"),
        ('He says "why not" here.', "he says `` why not '' here ."),
        ("He says “why not” here.", "he says `` why not '' here ."),
        ("It costs $5, is #2 it?", "it costs $ 5 , is # 2 it ?"),
        ("I cannot, I'm gonna, I wanna, gotta, lemme", "i can not , i 'm gon na , i wan na , got ta , lem me"),
        ("'Tis odd, isn't it?", "'t is odd , is n't it ?"),
    ],
)
def test_a_raw_and_a_tokenised_copy_are_one_text(raw: str, tokenised: str) -> None:
    assert normalise(raw) == normalise(tokenised)
    assert part_of(raw) == part_of(tokenised)


def test_contractions_are_cut_as_in_treebanks() -> None:
    assert words_of("gonna gotta lemme lemna") == ["gon", "na", "got", "ta", "lem", "me", "lemna"]


def test_numbers_and_times_are_one_word_each() -> None:
    assert words_of("add 12 and 3,400.5 at 1:02:03") == ["add", "0", "and", "0", "at", "0:0"]


def test_texts_keep_their_own_words() -> None:
    found = cut(["why?", "", "why not"])
    assert list(found.counts) == [2, 1, 2]
    assert [found.distinct[i] for i in found.positions] == ["why", "?", "", "why", "not"]


def test_letters_of_any_script_stay_together_and_emoji_stand_alone() -> None:
    assert words_of("naïve Größe 质量😀?") == ["naïve", "größe", "质量", "😀", "?"]


@pytest.mark.parametrize("unit", ["'", "?", " '", "0:", "n't", "1.", "a:", "\u0301"])
def test_hostile_text_is_cut_in_bounded_time(unit: str) -> None:
    assert len(cut([unit * 1_000_000]).positions) <= 4001


def test_hashes_are_the_same_on_every_machine() -> None:
    assert hash_of("osmosis") == 12986012689694383561


def test_content_words_name_something() -> None:
    assert [is_content(w) for w in ("osmosis", "the", "n't", "0", "?", "")] == [True] + [False] * 5
