"""Models as plain arrays, and back with every shape checked: a weights file is data and never code."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from transforms.usefulness.blend import BLOCKS, Blend
from transforms.usefulness.cnn import Cnn, TextCnn, cnn_shapes
from transforms.usefulness.encoder import Encoder, Upper
from transforms.usefulness.labels import Settings
from transforms.usefulness.linear import Linear
from transforms.usefulness.minilm import LAYERS
from transforms.usefulness.ngrams import BITS
from transforms.usefulness.pooled import FIRST, SIGNS, Quadratic

Arrays = dict[str, NDArray[Any]]
Model = Blend | Cnn | Encoder


def read_settings(found: object) -> Settings:
    """Settings from plain data; a key too many or too few means another version."""
    names = {field.name for field in fields(Settings)}
    if not isinstance(found, dict) or set(found) != names:
        raise ValueError("the settings of the usefulness model are those of another version: train it again")
    for field in fields(Settings):
        if not _fits(found[field.name], type(field.default)):
            raise ValueError(f"the setting {field.name!r} of the usefulness model cannot be read: train it again")
    return Settings(**{**found, "widths": tuple(found["widths"])})


def _fits(value: Any, kind: type) -> bool:
    if kind is tuple:
        return isinstance(value, list) and len(value) > 0 and all(_fits(one, int) for one in value)
    if kind is str:
        return isinstance(value, str)
    return type(value) in (int, kind) and abs(value) < 2**31  # false for NaN


def _take(arrays: Arrays, name: str, shape: tuple[int | None, ...], kind: type = np.float64) -> NDArray[Any]:
    if name not in arrays:
        raise ValueError(f"the weights of the usefulness model lack {name!r}")
    found = np.asarray(arrays[name])
    fits = found.ndim == len(shape) and all(want in (None, have) for want, have in zip(shape, found.shape, strict=True))
    if not fits or found.dtype != kind:
        raise ValueError(f"{name!r} of the usefulness model is {found.dtype} {found.shape}, expected {kind} {shape}")
    if not np.isfinite(found).all():
        raise ValueError(f"{name!r} of the usefulness model holds numbers that are not finite")
    return found


def blend_arrays(model: Blend) -> Arrays:
    """The places in use only, of 262,144."""
    arrays: Arrays = {
        "linear.dense": model.linear.dense,
        "linear.offset": np.array([model.linear.offset]),
        "quadratic.columns": model.quadratic.columns,
        "quadratic.strengths": model.quadratic.strengths,
        "quadratic.offset": np.array([model.quadratic.offset]),
        "mixture": model.mixture,
    }
    for block in BLOCKS:
        places = np.flatnonzero(model.linear.frequencies[block])
        arrays[f"linear.{block}.places"] = places.astype(np.int64)
        arrays[f"linear.{block}.frequencies"] = model.linear.frequencies[block][places]
        arrays[f"linear.{block}.coefficients"] = model.linear.coefficients[block][places]
    return {name: np.ascontiguousarray(array) for name, array in arrays.items()}


def read_blend(arrays: Arrays, settings: Settings, dimension: int) -> Blend:
    """The inverse of `blend_arrays`."""
    tables: dict[str, dict[str, NDArray[np.float64]]] = {"frequencies": {}, "coefficients": {}}
    for block in BLOCKS:
        places = _take(arrays, f"linear.{block}.places", (None,), np.int64)
        if len(places) and not (places.min() >= 0 and places.max() < 1 << BITS):
            raise ValueError(f"'linear.{block}.places' of the usefulness model points outside its table")
        for part, found in tables.items():
            found[block] = np.zeros(1 << BITS)
            found[block][places] = _take(arrays, f"linear.{block}.{part}", (len(places),))
    linear = Linear(
        tables["frequencies"],
        tables["coefficients"],
        _take(arrays, "linear.dense", (SIGNS,)),
        float(_take(arrays, "linear.offset", (1,))[0]),
    )
    height = dimension * (3 + FIRST) + SIGNS
    rank = min(settings.rank, height)
    quadratic = Quadratic(
        _take(arrays, "quadratic.columns", (height, rank + 1)),
        _take(arrays, "quadratic.strengths", (rank,)),
        float(_take(arrays, "quadratic.offset", (1,))[0]),
    )
    return Blend(linear, quadratic, _take(arrays, "mixture", (3,)))


def encoder_arrays(model: Encoder) -> Arrays:
    """The fitted layers only, in single precision, in which they were fitted."""
    state = model.upper.state_dict()
    weights = {f"upper.{name}": value.to(torch.float32).numpy().copy() for name, value in state.items()}
    return {**weights, "mixture": model.mixture}


def read_encoder(arrays: Arrays, settings: Settings, dimension: int) -> Encoder:
    """The inverse of `encoder_arrays`."""
    if not 0 <= settings.tuned_layers <= LAYERS:
        raise ValueError(f"the usefulness model states {settings.tuned_layers} fitted layers, of {LAYERS}")
    upper = Upper(settings)
    upper.load_state_dict(
        {
            name: torch.from_numpy(_take(arrays, f"upper.{name}", tuple(value.shape), np.float32).copy())
            for name, value in upper.state_dict().items()
        }
    )
    return Encoder(upper, _take(arrays, "mixture", (2,)), settings.tuned_layers)


def cnn_arrays(model: Cnn) -> Arrays:
    """The network's own names."""
    weights = {f"network.{name}": value.numpy().copy() for name, value in model.network.state_dict().items()}
    return {**weights, "mixture": model.mixture}


def read_cnn(arrays: Arrays, settings: Settings, dimension: int) -> Cnn:
    """The inverse of `cnn_arrays`; the sizes are those of the arrays before a network of that size is made."""
    weights = {name: _take(arrays, f"network.{name}", shape) for name, shape in cnn_shapes(settings, dimension)}
    network = TextCnn(settings, dimension).double()
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    return Cnn(network, _take(arrays, "mixture", (2,)))


def arrays_of(model: Model) -> Arrays:
    """A model of any kind as arrays."""
    if isinstance(model, Blend):
        return blend_arrays(model)
    return cnn_arrays(model) if isinstance(model, Cnn) else encoder_arrays(model)


READERS: dict[str, Callable[[Arrays, Settings, int], Model]] = {
    "blend": read_blend,
    "cnn": read_cnn,
    "encoder": read_encoder,
}
