"""What the filters of the network find in texts, without convolving: for scoring.

A filter is linear in the words of its window, so what a word adds at each place of a window is computed once for each
distinct word, then looked up and added. Sums of single precision in one order: what is found in a text does not depend
on the texts beside it.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import embedding_bag

_TEXTS_AT_ONCE = 256  # of like length, so that what their windows add stays in the processor's cache
_WORDS_AT_ONCE = 4096


def largest(
    weight: torch.Tensor, offset: torch.Tensor, table: torch.Tensor, ids: NDArray[np.int64], places: torch.Tensor
) -> torch.Tensor:
    """The largest value of each filter over the windows of each text; a window begins at a word of its text.

    Each row of `ids` is a text: rows of the table, and 0 behind its end. `places` is what the last channel holds at
    each place of a text.
    """
    width = weight.shape[2]
    rows = torch.cat([_of_words(weight, table), _of_places(weight, offset, places)])
    lengths = (ids > 0).sum(axis=1)
    order = np.argsort(lengths, kind="stable")
    found = torch.empty((len(ids), len(weight)), dtype=torch.float64)
    for start in range(0, len(order), _TEXTS_AT_ONCE):
        chosen = order[start : start + _TEXTS_AT_ONCE]
        # All get as many windows as the longest has: a shorter text its last one again, which changes no maximum.
        last = lengths[chosen, None] - 1
        begins = np.minimum(np.arange(last.max() + 1), last)
        inside = np.minimum(last - begins, width - 1)
        added = np.empty((*begins.shape, width + 1), dtype=np.int64)
        for place in range(width):
            word = np.take_along_axis(ids[chosen], begins + place, axis=1)
            # Padding adds nothing, so the first rows stand for it at every place.
            added[:, :, place] = word * width + place
        added[:, :, width] = (len(table) + begins) * width + inside
        values = embedding_bag(torch.from_numpy(added.reshape(-1, width + 1)), rows, mode="sum")
        found[torch.from_numpy(chosen)] = values.reshape(*begins.shape, -1).amax(dim=1).double()
    return found


def _of_words(weight: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """Row `word * width + place`: what a word adds to each filter at that place of a window."""
    filters, channels, width = weight.shape
    by_place = weight.double()[:, :-1].permute(1, 2, 0).reshape(channels - 1, -1)
    found = torch.empty((len(table), width * filters))
    for start in range(0, len(table), _WORDS_AT_ONCE):
        some = slice(start, start + _WORDS_AT_ONCE)
        found[some] = (table[some] @ by_place).float()
    return found.reshape(-1, filters)


def _of_places(weight: torch.Tensor, offset: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Row `begin * width + inside`: the offset, and what the last channel adds when that many more words are inside."""
    filters, _, width = weight.shape
    behind = torch.cat([places, places.new_zeros(width - 1)]).unfold(0, width, 1)
    each = behind[:, :, None] * weight.double()[:, -1].T
    return (each.cumsum(dim=1) + offset.double()).float().reshape(-1, filters)
