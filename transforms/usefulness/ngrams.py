"""Hashed n-grams of words, of skeletons and of characters, weighted by TF-IDF."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.usefulness.forms import CONTENT, Forms, hash_of
from transforms.usefulness.tokens import Words

BITS = 18  # 262,144 places for about 30,000 n-grams that occur twice in 5,000 questions
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # the golden ratio in 64 bits: spreads neighbouring values


@dataclass(frozen=True)
class Grams:
    """One entry for each n-gram of each text: which text, which place; and how many texts there are."""

    text: NDArray[np.int64]
    place: NDArray[np.int64]
    texts: int


def _place(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    return ((hashes * _FACTOR) >> np.uint64(64 - BITS)).astype(np.int64)


def _sequences(hashes: NDArray[np.uint64], text: NDArray[np.int64], longest: int, texts: int) -> Grams:
    """All runs of 1 to `longest` neighbours within a text."""
    owners, places = [text], [_place(hashes)]
    running = hashes
    for length in range(2, longest + 1):
        if len(hashes) < length:
            break
        running = running[:-1] * _FACTOR + hashes[length - 1 :]
        inside = text[: len(running)] == text[length - 1 :]
        owners.append(text[: len(running)][inside])
        places.append(_place(running[inside] + np.uint64(length)))
    return Grams(np.concatenate(owners), np.concatenate(places), texts)


def _with_start(words: Words, hashes: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The hash of every word, a mark put before each text, and the text each belongs to."""
    text = np.repeat(np.arange(len(words.counts)), words.counts)
    all_hashes = np.insert(hashes[words.positions], words.starts[:-1], np.uint64(hash_of("<start>")))
    all_texts = np.insert(text, words.starts[:-1], np.arange(len(words.counts)))
    return all_hashes, all_texts


def word_grams(words: Words, forms: Forms) -> Grams:
    """Runs of 1 to 3 words."""
    return _sequences(*_with_start(words, forms.hashes), 3, len(words.counts))


def skeleton_grams(words: Words, forms: Forms) -> Grams:
    """Runs of 1 to 5 parts of the skeleton, in which a run of content words is one part."""
    content = np.uint64(hash_of(CONTENT))
    hashes, text = _with_start(words, np.where(forms.is_content, content, forms.hashes))
    repeated = np.zeros(len(hashes), dtype=bool)
    repeated[1:] = (hashes[1:] == content) & (hashes[:-1] == content)
    return _sequences(hashes[~repeated], text[~repeated], 5, len(words.counts))


def character_grams(words: Words, forms: Forms) -> Grams:
    """Runs of 2 to 5 characters within a word and the spaces around it."""
    each = [
        [hash_of(padded[i : i + n]) for n in range(2, 6) for i in range(len(padded) - n + 1)]
        for padded in (f" {word} " for word in words.distinct)
    ]
    sizes = np.array([len(found) for found in each], dtype=np.int64)
    flat = _place(np.array([value for found in each for value in found], dtype=np.uint64))
    begins = np.concatenate([[0], np.cumsum(sizes)])
    text = np.repeat(np.arange(len(words.counts)), words.counts)
    taken = sizes[words.positions]
    inner = np.arange(int(taken.sum())) - np.repeat(np.cumsum(taken) - taken, taken)
    return Grams(np.repeat(text, taken), flat[np.repeat(begins[words.positions], taken) + inner], len(words.counts))


BLOCKS: dict[str, Callable[[Words, Forms], Grams]] = {
    "words": word_grams,
    "skeletons": skeleton_grams,
    "characters": character_grams,
}


def _texts_with(grams: Grams, kept: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """In how many texts each place occurs; of the kept ones only, if any are named."""
    pairs = np.unique(grams.text * (1 << BITS) + grams.place)
    if kept is not None:
        pairs = pairs[kept[pairs >> BITS]]
    return np.bincount(pairs & ((1 << BITS) - 1), minlength=1 << BITS)


def inverse_frequency(grams: Grams) -> NDArray[np.float64]:
    """The weight of each place: rarer is heavier, and what occurs in one text only weighs nothing."""
    frequency = _texts_with(grams)
    weight = np.log((1 + grams.texts) / (1 + frequency)) + 1
    return np.where(frequency >= 2, weight, 0.0)


def contrast(grams: Grams, useful: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each place, the root of the log-ratio of its shares in the two classes: 0 where it tells nothing."""
    one, other = (1.0 + _texts_with(grams, useful == value) for value in (1, 0))
    return np.asarray(np.sqrt(np.abs(np.log((one / one.sum()) / (other / other.sum())))))


def lengths(grams: Grams, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The norm of each text, every occurrence taken by itself, so that a text is scored by sums alone."""
    squares = np.bincount(grams.text, weights=np.square(weights)[grams.place], minlength=grams.texts)
    return np.sqrt(np.maximum(squares, 1e-12))
