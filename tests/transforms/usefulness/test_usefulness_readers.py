import tracemalloc
from io import BytesIO

import numpy as np
import pytest

from transforms.usefulness.labels import Labelled, Settings
from transforms.usefulness.model import Classifier
from transforms.usefulness.readers import read_fasttext, read_glove, read_text, read_word2vec
from transforms.usefulness.train import train
from transforms.usefulness.vectors import WordLlamaVectors

ROWS = {"ice": [1.0, 2.0, 3.0], "größe": [0.5, -1.0, 0.0], "steam": [7.0, 8.0, 9.0]}
GLOVE = "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in ROWS.items()).encode()
FASTTEXT = b"3 3\n" + GLOVE
MARK = b"\xef\xbb\xbf"


def word2vec(separator: bytes = b"\n") -> bytes:
    rows = [word.encode() + b" " + np.array(row, dtype="<f4").tobytes() + separator for word, row in ROWS.items()]
    return b"3 3\n" + b"".join(rows)


@pytest.mark.parametrize(
    ("read", "content"),
    [
        (read_word2vec, word2vec()),
        (read_word2vec, word2vec(b"")),
        *((read, content) for read in (read_glove, read_text) for content in (GLOVE, MARK + GLOVE)),
        *((read, content) for read in (read_fasttext, read_text) for content in (FASTTEXT, MARK + FASTTEXT)),
        (read_glove, GLOVE.replace(b" ", b"\t")),
        (read_text, GLOVE + b"\n"),
        (read_text, FASTTEXT.replace(b" ", b"\t").replace(b"\n", b"\r\n")),
    ],
)
def test_each_format_gives_its_vectors_and_zeros_for_unknown_words(read, content) -> None:  # type: ignore[no-untyped-def]
    vectors = read(BytesIO(content))
    assert vectors.dimension == 3
    assert vectors.of(["steam", "fog", "größe"]).tolist() == [ROWS["steam"], [0.0] * 3, ROWS["größe"]]
    assert vectors.of(["ice"]).tolist() == [ROWS["ice"]]


@pytest.mark.parametrize(
    ("read", "content"), [(read_word2vec, word2vec()), (read_glove, GLOVE), (read_fasttext, FASTTEXT)]
)
def test_a_limit_ends_the_reading(read, content) -> None:  # type: ignore[no-untyped-def]
    assert read(BytesIO(content), limit=1).of(["ice", "steam"]).tolist() == [ROWS["ice"], [0.0] * 3]


@pytest.mark.parametrize("size", range(4, len(word2vec(b""))))
def test_a_word2vec_file_cut_anywhere_is_an_error(size: int) -> None:
    with pytest.raises(ValueError, match="cut off"):
        read_word2vec(BytesIO(word2vec(b"")[:size]))


@pytest.mark.parametrize(
    ("content", "message"),
    [(word2vec(), "suffix .bin"), (b"\x1f\x8b\x08\x00", "packed"), (GLOVE + b"\n" + GLOVE, "blank line")],
)
def test_a_file_of_another_form_is_named(content: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_text(BytesIO(content))


@pytest.mark.parametrize("content", [b"", b"3\n", b"three 3\n", b"ice 1.0 2.0\n", b"0 3\n", b"3 0\n", b"3 99999999\n"])
def test_a_wrong_header_is_an_error(content: bytes) -> None:
    for read in (read_word2vec, read_fasttext):
        with pytest.raises(ValueError, match=r"first line|states"):
            read(BytesIO(content))


@pytest.mark.parametrize("header", [b"3 4\n", b"3 2\n", b"3 1\n", b"2 3\n", b"1 3\n", b"1 1\n"])
@pytest.mark.parametrize("separator", [b"\n", b""])
def test_a_word2vec_file_with_another_header_is_an_error(header: bytes, separator: bytes) -> None:
    with pytest.raises(ValueError, match=r"cut off|dimension|finite|goes on"):
        read_word2vec(BytesIO(word2vec(separator).replace(b"3 3\n", header, 1)))


@pytest.mark.parametrize("name", ["größe".encode("latin-1"), b""])
def test_a_word2vec_file_whose_words_cannot_be_read_is_an_error(name: bytes) -> None:
    with pytest.raises(ValueError, match="no readable word where word 2 should be"):
        read_word2vec(BytesIO(word2vec().replace("größe".encode(), name)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GLOVE[:-12], "word 3"),
        (GLOVE[:-2], "word 3: the file ends within its line"),
        (GLOVE[:-1], "word 3: the file ends within its line"),
        (GLOVE + b"fog 1.0 -2e30 3.0\n", r"word 4: a number of 2e\+30"),
        (GLOVE + b"fog 1.0 1e400 3.0\n", "word 4: a number that is not finite"),
        (GLOVE + b"fog 1.0 2.0\n", "word 4: 2 numbers where 3"),
        (GLOVE + b"fog 1.0 2.0 3.0 4.0\n", "word 4: more than the 3"),
        (GLOVE + b"fog 1.0 two 3.0\n", "word 4: not a vector"),
        (GLOVE + b"fog 1.0 nan 3.0\n", "word 4: a number that is not finite"),
        (b"", "no words"),
    ],
)
def test_a_glove_file_that_is_cut_or_uneven_is_an_error(content: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_glove(BytesIO(content))


def test_a_required_dimension_is_checked() -> None:
    with pytest.raises(ValueError, match="3 numbers where 300"):
        read_glove(BytesIO(GLOVE), dimension=300)
    with pytest.raises(ValueError, match="dimension 3, not 300"):
        read_fasttext(BytesIO(FASTTEXT), dimension=300)


def test_a_fasttext_file_with_lines_missing_is_an_error() -> None:
    with pytest.raises(ValueError, match="2 of 3 words"):
        read_fasttext(BytesIO(b"".join(FASTTEXT.splitlines(keepends=True)[:3])))
    with pytest.raises(ValueError, match="ends within its line"):
        read_fasttext(BytesIO(FASTTEXT[:-2]))
    with pytest.raises(ValueError, match="wrong header: 3 of 2 words"):
        read_fasttext(BytesIO(FASTTEXT.replace(b"3 3\n", b"2 3\n")))


def test_a_glove_word_may_contain_a_space() -> None:
    assert read_glove(BytesIO(GLOVE + b"dry ice 1.0 1.0 1.0\n")).of(["dry ice"]).tolist() == [[1.0] * 3]


@pytest.mark.parametrize("kind", ["blend", "cnn"])
def test_a_model_trains_on_a_table_and_asks_for_it_again(labels: list[Labelled], kind: str) -> None:
    vectors = read_glove(BytesIO(GLOVE))
    classifier = train(labels[::4], Settings(kind=kind, filters=4, epochs=1, rank=4), vectors).classifier
    arrays, description = classifier.to_files()
    again = Classifier.from_files(arrays, description, vectors)
    assert np.array_equal(again.scores(["why is ice?"]), classifier.scores(["why is ice?"]))
    with pytest.raises(ValueError, match="was trained on the vectors 'table-3-"):
        Classifier.from_files(arrays, description, WordLlamaVectors())


@pytest.mark.parametrize("binary", [True, False])
def test_reading_needs_little_more_memory_than_the_table(binary: bool) -> None:
    words, dimension = 3000, 300  # 3.6 MB; the usual files hold a thousand times as much
    row = np.full(dimension, 0.5, dtype="<f4").tobytes() if binary else b"0.5 " * dimension + b"\n"
    file = BytesIO(f"{words} {dimension}\n".encode() + b"".join(b"word%d " % n + row for n in range(words)))
    tracemalloc.start()
    try:
        (read_word2vec if binary else read_text)(file)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.8 * 4 * words * dimension
