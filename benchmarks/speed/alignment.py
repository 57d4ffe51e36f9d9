"""Questions aligned per second: the stage against a straightforward implementation, on the same lessons."""

import time

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from expectations import table
from transforms.align import align
from transforms.align.expand import TIE
from transforms.result import Tables

LESSONS, SENTENCES, QUESTIONS = 400, 70, 25
STRAIGHTFORWARD_LESSONS = 8
# LearningQ: 223,000 learner questions over 9,700 lessons.
ALL_LESSONS, ALL_QUESTIONS = 9_700, 223_000
_SYLLABLES = ["ba", "de", "ki", "lo", "mu", "ner", "pol", "tis", "van", "gra", "che", "sto", "ling", "ment", "ra", "on"]


def generated(lessons: int) -> Tables:
    """Lessons of made-up words whose frequencies fall off as in natural text; questions take words of a sentence."""
    random = np.random.default_rng(7)
    vocabulary = np.array(sorted({"".join(random.choice(_SYLLABLES, random.integers(1, 5))) for _ in range(30_000)}))
    random.shuffle(vocabulary)
    sentences, questions = [], []
    for lesson in range(lessons):
        lesson_id = f"lesson{lesson:05}"
        topic = np.concatenate([np.arange(200), random.integers(200, len(vocabulary), 400)])
        chance = 1 / (np.arange(len(topic)) + 5.0)
        chance /= chance.sum()
        texts = []
        for number in range(SENTENCES):
            texts.append(vocabulary[random.choice(topic, random.integers(5, 30), p=chance)])
            row = {"lesson_id": lesson_id, "sentence_no": number, "text": " ".join(texts[-1]) + "."}
            sentences.append(row)
        for number in range(QUESTIONS):
            about = random.choice(texts[random.integers(SENTENCES)], 5)
            others = vocabulary[random.choice(topic, random.integers(2, 10), p=chance)]
            row = {"question_id": f"{lesson_id}/{number:03}", "post_id": "", "lesson_id": lesson_id, "question_no": 0}
            text = " ".join([*about, *others]) + "?"
            questions.append({**row, "text": text, "start_char": 0, "end_char": 1})
    return {
        "sentences": pa.Table.from_pylist(sentences, schema=table("sentences").schema),
        "questions": pa.Table.from_pylist(questions, schema=table("questions").schema),
        "quizzes": table("quizzes").empty(),
    }


def straightforward(sentences: list[str], questions: list[str]) -> list[tuple[int, int]]:
    """LearningQ's procedure with scikit-learn: fitted on the lesson, every span vectorised again at each step."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.metrics.pairwise import cosine_similarity

    vectorizer = TfidfVectorizer(token_pattern=r"\w+")
    counts = vectorizer.fit_transform(sentences)
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    vectorizer.idf_ = np.log((len(sentences) + 1) / (frequency + 0.5))  # our weighting, so that spans can be compared
    spans = []
    for question in questions:
        asked = vectorizer.transform([question])

        def similarity(first: int, last: int, asked: object = asked) -> float:
            span = vectorizer.transform([" ".join(sentences[first : last + 1])])
            return float(cosine_similarity(asked, span)[0, 0])

        singles = cosine_similarity(asked, vectorizer.transform(sentences))[0]
        first = last = int(np.argmax(singles >= singles.max() - TIE))
        best, forwards, backwards = similarity(first, last), True, True
        while forwards or backwards:
            if forwards := forwards and last + 1 < len(sentences) and similarity(first, last + 1) > best + TIE:
                last += 1
                best = similarity(first, last)
            if backwards := backwards and first > 0 and similarity(first - 1, last) > best + TIE:
                first -= 1
                best = similarity(first, last)
        spans.append((first, last))
    return spans


def report() -> None:
    """Print questions per second, the ratio, and what LearningQ's size would take."""
    inputs = generated(LESSONS)
    asked = LESSONS * QUESTIONS
    few = [f"lesson{number:05}" for number in range(STRAIGHTFORWARD_LESSONS)]
    spans, began = [], time.process_time()
    for lesson_id in few:
        chosen = {
            name: inputs[name].filter(pc.equal(inputs[name]["lesson_id"], lesson_id))["text"].to_pylist()
            for name in ("sentences", "questions")
        }
        spans += straightforward(chosen["sentences"], chosen["questions"])
    baseline = len(spans) / (time.process_time() - began)
    print(f"alignment: {LESSONS} lessons of {SENTENCES} sentences with {QUESTIONS} questions each; processor seconds")
    print(f"  straightforward (scikit-learn) {baseline:10,.0f} questions/s")
    for method in ("learningq", "quarry"):
        params = {"method": method, "max_words": 100}
        align({name: rows.slice(0, SENTENCES) for name, rows in inputs.items()}, params)  # loads the word vectors
        began = time.process_time()
        result = align(inputs, params)
        seconds = time.process_time() - began
        whole = seconds * max(ALL_QUESTIONS / asked, ALL_LESSONS / LESSONS)
        rate = asked / seconds
        size = f"{ALL_QUESTIONS:,} questions over {ALL_LESSONS:,} lessons"
        print(f"  {method:30} {rate:10,.0f} questions/s, {rate / baseline:.0f} times; {size}: {whole:.0f} s")
        if method == "learningq":
            rows = result.tables["spans"].slice(0, len(spans)).to_pylist()
            same = sum((r["first_sentence"], r["last_sentence"]) == s for r, s in zip(rows, spans, strict=True))
            print(f"  {'':30} same spans as straightforward: {same} of {len(spans)}")
