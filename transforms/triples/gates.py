"""Questions that make no triple because the settings ask for more than KhanQ's rules."""

import pyarrow.compute as pc

from transforms.result import Params, Tables


def kept_out(inputs: Tables, params: Params) -> dict[str, str]:
    """The ids of the questions that are not useful enough or have no source, with the reason."""
    reasons: dict[str, str] = {}
    if "spans" in inputs:
        asked, aligned = (inputs[name]["question_id"].to_pylist() for name in ("questions", "spans"))
        reasons |= dict.fromkeys(set(asked) - set(aligned), "no_span")
    if "scores" in inputs:
        scores = inputs["scores"]
        low = scores.filter(pc.less(scores["useful_score"], params["min_useful_score"]))
        reasons |= dict.fromkeys(low["question_id"].to_pylist(), "not_useful")
    return reasons
