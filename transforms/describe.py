"""What a dataset looks like: KhanQ's section 4 for triples, LearningQ's Table 3 for questions and lessons."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from transforms.digest import digest
from transforms.readability import WORD, reading_ease
from transforms.types.suggest import DEEP

PARTS = ("context", "prompt", "question")
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Share:
    """How often a value occurs, and in what share of the rows."""

    value: str
    rows: int
    share: float


@dataclass(frozen=True)
class TriplesDescription:
    """KhanQ's section 4 for one table of triples."""

    triples: int
    mean_words: dict[str, float | None]  # 4.1
    leading_bigrams: list[Share]  # 4.2
    reasoning_types: list[Share]  # 4.3
    deep_share: float | None  # 4.3: cause, consequence or procedural, among the rows whose type is known
    prompt_types: list[Share]  # 4.4


def describe_triples(rows: Iterable[Mapping[str, Any]], bigrams: int = 10) -> TriplesDescription:
    """Describe rows with context, prompt, question, prompt_type and reasoning_type; a missing type is `unknown`."""
    count, words = 0, dict.fromkeys(PARTS, 0)
    leading: Counter[str] = Counter()
    prompts: Counter[str] = Counter()
    reasoning: Counter[str] = Counter()
    for row in rows:
        count += 1
        for part in PARTS:
            words[part] += count_words(row[part])
        # As the paper counts them: tokens between blanks, "Why does" apart from "why does".
        leading[" ".join(row["question"].split()[:2])] += 1
        prompts[row.get("prompt_type") or UNKNOWN] += 1
        reasoning[row.get("reasoning_type") or UNKNOWN] += 1
    known = count - reasoning[UNKNOWN]
    return TriplesDescription(
        triples=count,
        mean_words={part: _mean(words[part], count) for part in PARTS},
        leading_bigrams=_shares(leading, count)[:bigrams],
        reasoning_types=_shares(reasoning, count),
        deep_share=_mean(sum(reasoning[kind] for kind in DEEP), known),
        prompt_types=_shares(prompts, count),
    )


@dataclass(frozen=True)
class Corpus:
    """One column of LearningQ's Table 3 without its creator and its entities; null where there is nothing to count."""

    documents: int  # different texts that a question is about
    questions: int  # different questions about one document
    questions_per_document: float | None
    words_per_document: float | None
    sentences_per_document: float | None
    words_per_sentence: float | None  # over all sentences, as the published figures divide
    words_per_question: float | None
    sentences_per_question: float | None
    document_readability: float | None  # mean Flesch reading ease of English texts; higher is easier
    question_readability: float | None


@dataclass
class Measured:
    """Sums over texts, each different text counted once."""

    texts: int = 0
    words: int = 0
    sentences: int = 0
    ease: list[float] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def add(self, sentences: Sequence[str], language: str | None, scope: str = "") -> None:
        """Count a text given as its sentences; readability only where the formula holds."""
        name = digest(scope, " ".join(sentences).casefold().split())
        if name in self.seen or not any(sentences):
            return
        self.seen.add(name)
        self.texts += 1
        self.words += sum(map(count_words, sentences))
        self.sentences += len(sentences)
        ease = reading_ease(sentences) if language in (None, "en") else None
        if ease is not None:
            self.ease.append(ease)


def describe_corpus(documents: Measured, questions: Measured) -> Corpus:
    """The column of Table 3 that these documents and the questions about them make."""
    return Corpus(
        documents=documents.texts,
        questions=questions.texts,
        questions_per_document=_mean(questions.texts, documents.texts),
        words_per_document=_mean(documents.words, documents.texts),
        sentences_per_document=_mean(documents.sentences, documents.texts),
        words_per_sentence=_mean(documents.words, documents.sentences),
        words_per_question=_mean(questions.words, questions.texts),
        sentences_per_question=_mean(questions.sentences, questions.texts),
        # Sorted, so that the order of the rows does not change the last decimal.
        document_readability=_mean(sum(sorted(documents.ease)), len(documents.ease)),
        question_readability=_mean(sum(sorted(questions.ease)), len(questions.ease)),
    )


def count_words(text: str) -> int:
    """The number of runs of letters, digits and underscores: what makes KhanQ's published means come out."""
    return sum(1 for _ in WORD.finditer(text))


def _shares(counts: Counter[str], total: int) -> list[Share]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [Share(value, rows, round(rows / total, 4)) for value, rows in ordered if rows]


def _mean(total: float, count: int) -> float | None:
    return round(total / count, 4) if count else None
