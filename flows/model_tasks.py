"""The tasks that have a model: how to train one from labels, and how to load it again.

Everything heavy is imported late, so that commands that train nothing stay fast.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from flows.errors import ConfigError
from flows.settings import Settings as Quarry
from flows.word_vectors import digest_of, read_vectors

Pairs = Sequence[tuple[str, str]]  # text and label
Arrays = dict[str, Any]
Description = dict[str, Any]
Metrics = dict[str, float | None]  # null where there was nothing to measure on


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

    def train(self, home: Path, pairs: Pairs, options: dict[str, Any]) -> tuple[Arrays, Description, Metrics]:
        """Weights, what is needed to load them, and how the model did on rows that it never saw."""
        ...

    def load(self, home: Path, arrays: Arrays, description: Description) -> object:
        """The model that `train` made; a ValueError when the files are not one."""
        ...

    def measure(self, model: Any, pairs: Pairs) -> Metrics:
        """How a model that is loaded does on the part of these labels that none is trained on."""
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
            found["vectors"] = digest_of(settings.home, wanted.vectors)
        return found

    def train(self, home: Path, pairs: Pairs, options: dict[str, Any]) -> tuple[Arrays, Description, Metrics]:
        """Train the classifier."""
        import torch

        from transforms.usefulness.train import train

        # One thread: the same weights on every machine, and no slowdown where cores are busy.
        torch.set_num_threads(1)
        settings, vectors = training_options(home, options)
        with explained("usefulness"):
            trained = train(labelled(pairs), settings, vectors)
        arrays, description = trained.classifier.to_files()
        return arrays, description, trained.metrics

    def load(self, home: Path, arrays: Arrays, description: Description) -> object:
        """The stored classifier."""
        from transforms.usefulness.model import Classifier

        vectors = _vectors(home, description["options"])
        with explained("usefulness"):
            return Classifier.from_files(arrays, description, vectors)

    def measure(self, model: Any, pairs: Pairs) -> Metrics:
        """The figures of the frozen test part."""
        from transforms.usefulness.train import held_out

        with explained("usefulness"):
            return held_out(model, labelled(pairs))


def labelled(pairs: Pairs) -> list[Any]:
    """Imported or bundled labels as the classifier wants them."""
    from transforms.usefulness.labels import read_labels

    return read_labels({"text": text, "label": label} for text, label in pairs)


def _vectors(home: Path, options: dict[str, Any]) -> Any:
    """The word vectors that the options name; None means those that come with a package."""
    return read_vectors(home, options["vectors"]) if "vectors" in options else None


def training_options(home: Path, options: dict[str, Any]) -> tuple[Any, Any]:
    """The classifier's own settings, and its word vectors."""
    from transforms.usefulness.labels import Settings

    try:
        own = Settings(**{name: value for name, value in options.items() if name != "vectors"})
    except ValueError as problem:
        raise ConfigError(str(problem)) from None
    return own, _vectors(home, options)


@contextmanager
def explained(task: str) -> Iterator[None]:
    """What is wrong with labels or packages, as an error that says which."""
    from transforms.types.labels import BadLabels as BadTypes
    from transforms.usefulness.errors import BadLabels, NotInstalled

    try:
        yield
    except (BadLabels, BadTypes) as problem:
        raise ConfigError(f"{task} labels: {problem}") from None
    except NotInstalled as problem:
        raise ConfigError(str(problem)) from None


class ReasoningType:
    """Which of the ten reasoning types is a question?"""

    module = "transforms.types.train"
    libraries = ("torch", "wordllama", "numpy")

    def options(self, settings: Quarry) -> dict[str, Any]:
        """Whether a slow encoder is asked where the fast model is unsure."""
        wanted = settings.types.second_opinion
        return {} if wanted is None else {"second_opinion": wanted}

    def train(self, home: Path, pairs: Pairs, options: dict[str, Any]) -> tuple[Arrays, Description, Metrics]:
        """Train on all labels but the frozen tenth, which tells how good it is."""
        import torch

        from transforms.types.labels import Labelled
        from transforms.types.train import train_types
        from transforms.usefulness.labels import part_of

        torch.set_num_threads(1)
        rows = [Labelled(text, label) for text, label in pairs if part_of(text) != "test"]
        with explained("reasoning_type"):
            model = train_types(rows, **options)
            return model.to_arrays(), {"format": 1}, self.measure(model, pairs)

    def load(self, home: Path, arrays: Arrays, description: Description) -> object:
        """The stored model."""
        from transforms.types.model import TypesModel

        return TypesModel.from_arrays(arrays)

    def measure(self, model: Any, pairs: Pairs) -> Metrics:
        """The accuracy on the frozen tenth."""
        from transforms.usefulness.labels import part_of

        held = [(text, label) for text, label in pairs if part_of(text) == "test"]
        with explained("reasoning_type"):
            found = model.predict([text for text, _ in held])
        right = sum(given == label for given, (_, label) in zip(found, held, strict=True))
        return {"accuracy": round(right / len(held), 4) if held else None, "test_rows": float(len(held))}


TASKS: dict[str, ModelTask] = {"usefulness": Usefulness(), "reasoning_type": ReasoningType()}
