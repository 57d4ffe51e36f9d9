"""All contracts, in the order of the data path."""

from expectations import (
    checks,
    clusters,
    judgements,
    labels,
    lessons,
    posts,
    questions,
    quizzes,
    rejects,
    reviews,
    runs,
    scores,
    sentences,
    signatures,
    spans,
    splits,
    triples,
    types,
    validations,
    wordings,
)
from expectations.contract import Table

TABLES: dict[str, Table] = {
    t.name: t
    for t in (
        lessons.TABLE,
        sentences.TABLE,
        posts.TABLE,
        quizzes.TABLE,
        questions.TABLE,
        scores.TABLE,
        types.TABLE,
        spans.TABLE,
        spans.QUIZ_TABLE,
        triples.TABLE,
        wordings.TABLE,
        signatures.TABLE,
        clusters.TABLE,
        splits.TABLE,
        rejects.TABLE,
        labels.TABLE,
        reviews.TABLE,
        validations.TABLE,
        judgements.TABLE,
        runs.TABLE,
        checks.TABLE,
    )
}


def table(name: str) -> Table:
    """The contract of the table with this name."""
    return TABLES[name]
