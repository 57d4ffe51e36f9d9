"""Find the question sentences of posts (LearningQ, data collection: sentences that end in a question mark)."""

import re
from collections.abc import Iterator

import sentencex

from transforms.digest import digest
from transforms.masking import mask
from transforms.result import Ledger, Params, Result, Tables
from transforms.timestamps import cited_times, nearest_time

# A sentence ends at its mark whatever follows: forum writers often put no capital and no space behind it.
_END = re.compile(r"\?[?!.…]*[\"'”’)\]]*")
_SPACE = re.compile(r"\s+")
_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)]|[a-z]\))\s+")
_LETTER = re.compile(r"[^\W\d_]")


def find_questions(text: str, language: str = "en") -> Iterator[tuple[int, int]]:
    """Character offsets of each question sentence of a post."""
    if "?" not in text:
        return
    masked, position = mask(text), 0
    for line in masked.split("\n"):
        if "?" in line:
            yield from _in_line(line, position, language)
        position += len(line) + 1


def _in_line(line: str, offset: int, language: str) -> Iterator[tuple[int, int]]:
    cursor = 0
    for sentence in sentencex.segment(language, line):
        begin = line.find(sentence, cursor)
        begin = cursor if begin < 0 else begin
        cursor = begin + len(sentence)
        start = 0
        for mark in _END.finditer(sentence):
            # `a ? b : c` and `2 + ? = 5` put the mark between blanks: not the end of a sentence.
            between = sentence[max(mark.start() - 1, 0)].isspace() and sentence[mark.end() : mark.end() + 2].strip()
            if between and not sentence[mark.end() :].lstrip()[:1].isupper():
                continue
            piece = sentence[start : mark.end()]
            lead = len(piece) - len(piece.lstrip())
            listed = _LIST_MARK.match(piece)
            lead = listed.end() if listed else lead
            if _LETTER.search(piece):
                yield offset + begin + start + lead, offset + begin + mark.end()
            start = mark.end()


def normalise(text: str) -> str:
    """Folded white space, lower case, one question mark: what makes two questions the same."""
    return re.sub(r"[\s?!.…\"'”’)\]]+$", "", _SPACE.sub(" ", text).strip().lower()) + "?"


def extract_questions(inputs: Tables, params: Params, model: object = None) -> Result:
    """Input: posts. Output: questions.

    Rejects: `no_question` and `other_language` (posts), `duplicate_question` (merged within the lesson).
    """
    ledger = Ledger("questions")
    languages = set(params["languages"])
    first_of: dict[tuple[str, str], str] = {}
    posts = inputs["posts"].select(["post_id", "lesson_id", "created_at", "text", "language"])
    # The earliest post keeps a duplicated question; posts without a time come last.
    order = [("created_at", "ascending"), ("post_id", "ascending")]
    for post in posts.sort_by(order).to_pylist():
        lesson_id, post_id, text = post["lesson_id"], post["post_id"], post["text"]
        if post["language"] not in languages:
            ledger.reject(lesson_id, post_id, "other_language", detail=post["language"], text=text[:500])
            continue
        found = list(find_questions(text, post["language"]))
        if not found:
            ledger.reject(lesson_id, post_id, "no_question", text=text[:500])
            continue
        times = cited_times(text)
        occurrences: dict[str, int] = {}
        for number, (start, end) in enumerate(found):
            words = _SPACE.sub(" ", text[start:end]).strip()
            same = normalise(words)
            occurrences[same] = occurrences.get(same, -1) + 1
            question_id = digest("question", post_id, same, occurrences[same])
            kept = first_of.setdefault((lesson_id, same), question_id)
            if kept != question_id:
                ledger.reject(
                    lesson_id, question_id, "duplicate_question", detail=post_id, text=words, merged_into=kept
                )
                continue
            ledger.add(
                "questions",
                {
                    "question_id": question_id,
                    "post_id": post_id,
                    "lesson_id": lesson_id,
                    "question_no": number,
                    "text": words,
                    "start_char": start,
                    "end_char": end,
                    "timestamp_seconds": nearest_time(times, start, end),
                },
            )
            ledger.keep(lesson_id)
    return ledger.result("questions")
