"""The tasks that have a model: how to train one from labels, and how to load it again.

Everything heavy is imported late, so that commands that train nothing stay fast.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from flows.errors import ConfigError
from flows.settings import Settings as Quarry
from flows.word_vectors import read_vectors

Pairs = Sequence[tuple[str, str]]  # text and label
Arrays = dict[str, Any]
Description = dict[str, Any]


class ModelTask(Protocol):
    """One task with a model."""

    @property
    def module(self) -> str:
        """The module whose source, with all it imports, shapes the model."""
        ...

    @property
    def libraries(self) -> tuple[str, ...]:
        """The libraries whose versions shape it too."""
        ...

    def options(self, settings: Quarry) -> dict[str, Any]:
        """What the settings say about its training; nothing means the defaults."""
        ...

    def train(self, pairs: Pairs, options: dict[str, Any]) -> tuple[Arrays, Description, dict[str, float]]:
        """Weights, what is needed to load them, and how the model did on rows that it never saw."""
        ...

    def load(self, arrays: Arrays, description: Description) -> object:
        """The model that `train` made; a ValueError when the files are not one."""
        ...


class Usefulness:
    """Is a question useful for learning?"""

    module = "transforms.usefulness.train"
    libraries = ("torch", "wordllama", "numpy")

    def options(self, settings: Quarry) -> dict[str, Any]:
        """The kind of model and the file of word vectors."""
        wanted = settings.usefulness
        found: dict[str, Any] = {"kind": wanted.kind} if wanted.kind else {}
        if wanted.vectors:
            if not wanted.vectors.is_file():
                raise ConfigError(f"usefulness.vectors names {wanted.vectors}, which is not a file: correct it")
            found |= {"vectors": str(wanted.vectors), "bytes": wanted.vectors.stat().st_size}
        return found

    def train(self, pairs: Pairs, options: dict[str, Any]) -> tuple[Arrays, Description, dict[str, float]]:
        """Train the classifier."""
        import torch

        from transforms.usefulness.labels import read_labels
        from transforms.usefulness.train import train

        # One thread: the same weights on every machine, and no slowdown where cores are busy.
        torch.set_num_threads(1)
        try:
            rows = read_labels({"text": text, "label": label} for text, label in pairs)
            trained = train(rows, *training_options(options))
        except ValueError as problem:
            raise ConfigError(f"usefulness labels: {problem}") from None
        arrays, description = trained.classifier.to_files()
        return arrays, description, trained.metrics

    def load(self, arrays: Arrays, description: Description) -> object:
        """The stored classifier."""
        from transforms.usefulness.model import Classifier

        _, vectors = training_options(description.get("options", {}))
        return Classifier.from_files(arrays, description, vectors)


def training_options(options: dict[str, Any]) -> tuple[Any, Any]:
    """The classifier's own settings, and its word vectors; None means those that come with a package."""
    from transforms.usefulness.labels import Settings

    own = {name: value for name, value in options.items() if name not in ("vectors", "bytes")}
    return Settings(**own), read_vectors(options["vectors"]) if "vectors" in options else None


class ReasoningType:
    """Which of the ten reasoning types is a question?"""

    module = "transforms.types.train"
    libraries = ("torch", "wordllama", "numpy")

    def options(self, settings: Quarry) -> dict[str, Any]:
        """Whether a slow encoder is asked where the fast model is unsure."""
        wanted = settings.types.second_opinion
        return {} if wanted is None else {"second_opinion": wanted}

    def train(self, pairs: Pairs, options: dict[str, Any]) -> tuple[Arrays, Description, dict[str, float]]:
        """Train on all labels but the frozen tenth, which tells how good it is."""
        import torch

        from transforms.types.labels import Labelled
        from transforms.types.train import train_types
        from transforms.usefulness.labels import part_of

        torch.set_num_threads(1)
        rows = [Labelled(text, label) for text, label in pairs]
        held = [row for row in rows if part_of(row.text) == "test"]
        try:
            model = train_types([row for row in rows if part_of(row.text) != "test"], **options)
        except ValueError as problem:
            raise ConfigError(f"reasoning_type labels: {problem}") from None
        right = sum(p == row.label for p, row in zip(model.predict([row.text for row in held]), held, strict=True))
        metrics = {"accuracy": round(right / len(held), 4) if held else 0.0, "test_rows": float(len(held))}
        return model.to_arrays(), {"format": 1}, metrics

    def load(self, arrays: Arrays, description: Description) -> object:
        """The stored model."""
        from transforms.types.model import TypesModel

        return TypesModel.from_arrays(arrays)


TASKS: dict[str, ModelTask] = {"usefulness": Usefulness(), "reasoning_type": ReasoningType()}
