"""A quadratic form on pooled word vectors: the half of the default model that knows which words are alike.

A text is six vectors: the sums of its content words and of its function words, a sum that fades from the first word on,
and its first three words; plus a few signs. The exact minimiser of the squared error over all products of two of these
numbers is found through the kernel (x·z + 1)², and cut to its strongest directions. Sums are divided by what their
length would be if words were orthogonal, so a score is made of table rows that are looked up and added.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from transforms.usefulness.forms import GROUPS, Forms
from transforms.usefulness.tokens import Words

Floats = NDArray[np.float64]
FADE = 0.8
FIRST = 3
SIGNS = 4 + len(GROUPS)
_SUMS, _FADING, _FIRST = np.sqrt([0.7, 0.8, 0.1])  # shares of the parts in x·z


@dataclass(frozen=True)
class Parts:
    """For every word of every text, its text, and its weight in the two sums."""

    text: NDArray[np.int64]
    summed: Floats
    fading: Floats
    first: NDArray[np.int64]  # the first words of each text as positions in `distinct`, -1 for none


def signs(words: Words, forms: Forms) -> Floats:
    """How long a text is, in words, content words and long words; and which groups of words occur in it."""
    counts = words.counts
    text = np.repeat(np.arange(len(counts)), counts)
    content = np.bincount(text, weights=forms.is_content[words.positions], minlength=len(counts))
    long = np.bincount(text, weights=forms.is_long[words.positions], minlength=len(counts))
    sizes = np.stack([counts / 20, np.log(np.maximum(counts, 1)), content / 5, long / 3], axis=1)
    present = np.zeros((len(counts), len(GROUPS) + 1))
    present[text, forms.group[words.positions]] = 1.0
    return 0.3 * np.concatenate([sizes, present[:, :-1]], axis=1)


def _parts(words: Words, forms: Forms) -> Parts:
    counts = words.counts
    text = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(text)) - np.repeat(words.starts[:-1], counts)
    norms = np.linalg.norm(forms.vectors, axis=1)[words.positions]
    group = 2 * text + forms.is_content[words.positions]
    squares = np.bincount(group, weights=norms**2, minlength=2 * len(counts))[group]
    fading = FADE**place
    fading_squares = np.bincount(text, weights=fading**2, minlength=len(counts))[text]
    fading = fading / (np.maximum(norms, 1e-9) * np.sqrt(fading_squares))
    first = np.full((len(counts), FIRST), -1, dtype=np.int64)
    early = place < FIRST
    first[text[early], place[early]] = words.positions[early]
    return Parts(text, _SUMS / np.sqrt(np.maximum(squares, 1e-9)), _FADING * fading, first)


def pool(words: Words, forms: Forms) -> Floats:
    """The numbers of each text, side by side: for training."""
    parts, dimension, texts = _parts(words, forms), forms.vectors.shape[1], len(words.counts)
    vectors = torch.from_numpy(forms.vectors)
    content = forms.is_content[words.positions]
    pooled = [
        _bags(vectors, words, np.where(content, parts.summed, 0.0)),
        _bags(vectors, words, np.where(content, 0.0, parts.summed)),
        _bags(vectors, words, parts.fading),
    ]
    unit = forms.vectors / np.maximum(np.linalg.norm(forms.vectors, axis=1, keepdims=True), 1e-9)
    padded = np.vstack([unit, np.zeros((1, dimension))])
    pooled += [_FIRST * padded[parts.first[:, i]] for i in range(FIRST)]
    return np.concatenate([*pooled, signs(words, forms)], axis=1).reshape(texts, -1)


def _bags(table: torch.Tensor, words: Words, weights: Floats) -> Floats:
    """For each text, the weighted sum of the rows of its words."""
    found = torch.nn.functional.embedding_bag(
        torch.from_numpy(words.positions),
        table,
        torch.from_numpy(words.starts),
        mode="sum",
        per_sample_weights=torch.from_numpy(np.ascontiguousarray(weights)),
        include_last_offset=True,
    )
    return found.numpy()


@dataclass(frozen=True)
class Quadratic:
    """offset + x·slope + Σ strength · (x·direction)²; the last column of `columns` is the slope."""

    columns: Floats
    strengths: Floats
    offset: float

    def values(self, words: Words, forms: Forms) -> Floats:
        """One number for each text, about -1 to 1."""
        dimension = forms.vectors.shape[1]
        content, function, fading, *firsts, sign = np.split(self.columns, [dimension * i for i in range(1, 4 + FIRST)])
        parts = _parts(words, forms)
        table = np.empty((len(words.distinct), self.columns.shape[1]))
        table[forms.is_content] = forms.vectors[forms.is_content] @ content
        table[~forms.is_content] = forms.vectors[~forms.is_content] @ function
        found = signs(words, forms) @ sign
        found += _bags(torch.from_numpy(table), words, parts.summed)
        found += _bags(torch.from_numpy(forms.vectors @ fading), words, parts.fading)
        for place, column in enumerate(firsts):
            chosen, inverse = np.unique(parts.first[:, place], return_inverse=True)
            rows = forms.vectors[chosen]
            rows = _FIRST * rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
            rows[chosen < 0] = 0.0
            found += (rows @ column)[inverse]
        return np.asarray(np.square(found[:, :-1]) @ self.strengths + found[:, -1] + self.offset)


def solve(numbers: Floats, targets: Floats, penalties: Floats) -> Floats:
    """The weight of each training text in the kernel expansion; one with a higher penalty may be missed further."""
    single = numbers.astype(np.float32)  # enough: the penalty is far above its precision
    kernel = torch.from_numpy((single @ single.T + 1) ** 2)
    kernel.diagonal().add_(torch.from_numpy(penalties.astype(np.float32)))
    factor = torch.linalg.cholesky(kernel)
    found = torch.cholesky_solve(torch.from_numpy(targets.astype(np.float32)[:, None]), factor)
    return found.squeeze(1).numpy().astype(np.float64)


def expand(numbers: Floats, training: Floats, weights: Floats) -> Floats:
    """The exact values at other texts, nothing cut: for choosing the mixture on folds."""
    return np.asarray((numbers @ training.T + 1) ** 2 @ weights)


def compress(training: Floats, weights: Floats, rank: int, offset: float) -> Quadratic:
    """The kernel expansion as a quadratic form with its `rank` strongest directions."""
    form = (training * weights[:, None]).T @ training
    strengths, directions = np.linalg.eigh(form)
    chosen = np.argsort(-np.abs(strengths), kind="stable")[:rank]
    strengths, directions = strengths[chosen], directions[:, chosen]
    slope = 2 * (weights @ training)
    kept = np.square(training @ directions) @ strengths
    missing = float(
        (np.einsum("ij,ij->i", training @ form, training) - kept).mean()
    )  # what the weak directions add on average stays, as a constant
    return Quadratic(np.column_stack([directions, slope]), strengths, float(weights.sum()) + offset + missing)
