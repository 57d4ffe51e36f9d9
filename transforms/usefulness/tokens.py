"""Text to token ids, alike for posts and for labels, and the pre-trained vectors behind the ids.

Table and tokeniser come with the `wordllama` package (32,000 word pieces × 256), so nothing is downloaded.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_TOKENS = 64
# Labels of the field are lower-cased and tokenised ("is n't ?"); posts are not. Both take one form.
_REJOIN = re.compile(r"\s+(?=n['’]t\b|['’](?:s|m|re|ve|ll|d)\b|[?.,!;:)\]%])")
_SPACE = re.compile(r"\s+")


def normalise(text: str) -> str:
    """Lower case, white space folded, tokenised punctuation joined again."""
    return _REJOIN.sub("", _SPACE.sub(" ", text.lower())).strip().replace("’", "'")


@lru_cache(maxsize=1)
def _wordllama() -> Any:
    import wordllama

    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)


def vectors() -> NDArray[np.float32]:
    """The pre-trained table with a row of zeros added at its end, for padding."""
    table = np.asarray(_wordllama().embedding, dtype=np.float32)
    return np.concatenate([table, np.zeros((1, table.shape[1]), dtype=np.float32)])


def encode(texts: list[str]) -> NDArray[np.int64]:
    """Token ids, padded to a fixed length so that no row depends on its neighbours."""
    table_size = len(_wordllama().embedding)
    ids = np.full((len(texts), MAX_TOKENS), table_size, dtype=np.int64)
    encoded = _wordllama().tokenizer.encode_batch([normalise(t) for t in texts], add_special_tokens=False)
    for row, found in enumerate(encoded):
        kept = found.ids[: min(sum(found.attention_mask), MAX_TOKENS)]
        ids[row, : len(kept)] = kept
    return ids
