"""A second opinion, from MiniLM, on the questions that the fast model is unsure of."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LAYERS_READ = 4  # of MiniLM's six, the upper ones: the lower ones know words only
LAYER_WIDTH = 384
WIDTH = LAYER_WIDTH * LAYERS_READ
UNSURE = 0.5  # the two best types are closer than this in probability: about a quarter of the questions


def probabilities(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of the types."""
    powers = np.exp(log_odds - log_odds.max())
    return np.asarray(powers / powers.sum(), dtype=np.float64)


@dataclass(frozen=True)
class Opinion:
    """A softmax regression over MiniLM's states; the last row of the weights is the offset."""

    weights: NDArray[np.float32]

    def revise(self, found: NDArray[np.float64], text: str) -> NDArray[np.float64]:
        """The fast model's probabilities if they are clear, else their mean with MiniLM's."""
        second, first = np.sort(found)[-2:]
        if first - second >= UNSURE:
            return found
        from transforms.types.encoder import states  # torch and the weights are loaded only where they are used

        log_odds = states(text).astype(np.float64) @ self.weights[:-1] + self.weights[-1]
        return np.asarray((found + probabilities(log_odds)) / 2, dtype=np.float64)
