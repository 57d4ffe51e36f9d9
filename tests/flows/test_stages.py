"""The stage table as it stands: a change of the pipeline shows up here, on purpose."""

from flows.settings import Settings, Triples
from flows.stages import STAGES

TABLE = """
ingest      lesson  records                              -> lessons, posts, quizzes
sentences   lesson  lessons                              -> sentences
questions   lesson  posts                                -> questions
scores      lesson  questions                            -> scores       (usefulness model)
types       lesson  questions                            -> types        (reasoning_type model)
spans       lesson  questions, quizzes, sentences        -> spans, quiz_spans
triples     lesson  questions, posts, lessons, sentences -> triples
wordings    lesson  triples, edits                       -> wordings     (reasoning_type model)
signatures  lesson  triples, wordings                    -> signatures
clusters    all     signatures                           -> clusters
splits      all     clusters                             -> splits
"""


def test_the_stage_table() -> None:
    lines = []
    for stage in STAGES:
        model = f"({stage.model} model)" if stage.model else ""
        line = f"{stage.name:11} {stage.scope:7} {', '.join(stage.reads):36} -> {', '.join(stage.writes):12} {model}"
        lines.append(line.rstrip())
    assert "\n".join(lines) == TABLE.strip()


def test_settings_may_gate_triples_by_score_or_span() -> None:
    triples = next(stage for stage in STAGES if stage.name == "triples")
    assert triples.inputs(Settings()) == triples.reads
    gated = Settings(triples=Triples(min_useful_score=0.5, needs_span=True))
    assert triples.inputs(gated) == (*triples.reads, "scores", "spans")


def test_every_stage_loads_and_has_parameters() -> None:
    for stage in STAGES:
        assert callable(stage.load())
        assert isinstance(stage.params(Settings()), dict)


def test_tables_are_written_before_they_are_read() -> None:
    known = {"records", "edits"}
    for stage in STAGES:
        assert set(stage.reads) <= known, stage.name
        known |= set(stage.writes)
