"""KhanQ 3.3: how good annotators' work on triples is, and how good the finished triples are.

A check of a reviewed triple is a second opinion on it: another person's review, or another person's validation.
It passes when the second review ends the same way, or when all three statements of the validation hold.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

FIRST_SHARE = 0.1  # of the tasks are checked in full before the rest counts
PASS_RATE = 0.85  # below it an annotator is trained again
_Z = 1.959964  # 95 % of a normal distribution

Draft = tuple[str, str]  # the triple and the digest of its draft


@dataclass(frozen=True)
class Review:
    """An annotator's verdict on a draft, with the texts if edited."""

    triple_id: str
    draft: str
    annotator: str
    verdict: str
    texts: tuple[str | None, ...] = (None, None, None)
    at: str = ""

    @property
    def outcome(self) -> tuple[str | None, ...]:
        """What becomes of the draft."""
        return (self.verdict, *self.texts)


@dataclass(frozen=True)
class Validation:
    """One person's three answers about a triple whose text still is what they saw."""

    triple_id: str
    draft: str
    annotator: str
    carries: bool
    constrains: bool
    complete: bool

    @property
    def passed(self) -> bool:
        """A triple must meet all requirements."""
        return self.carries and self.constrains and self.complete


@dataclass(frozen=True)
class Rate:
    """A pass rate with its Wilson interval of 95 %; null while nothing was checked."""

    checked: int
    passed: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class AnnotatorQuality:
    """One annotator's work."""

    annotator: str
    reviewed: int
    first: int  # how many tasks are the first tenth
    approved: int  # of them
    gate: str  # working, waiting (for checks), redo, approved
    spot_check: Rate  # over what came after the first tenth
    state: str  # unchecked, passed, retrain


@dataclass(frozen=True)
class ValidationQuality:
    """The final validation: a triple passes when all that others said of it is yes."""

    triples: Rate
    failed: dict[str, int]  # triples by what is wrong with them; one can fail twice
    failing: tuple[str, ...]  # ids of triples that should not be released
    ignored: int  # answers of people who reviewed the triple themselves


def wilson(passed: int, checked: int) -> tuple[float, float] | None:
    """The interval of 95 % of a share (Wilson 1927), which holds for few rows and near 0 and 1 too."""
    if checked == 0:
        return None
    share, square = passed / checked, _Z**2 / checked
    middle = (share + square / 2) / (1 + square)
    half = _Z * math.sqrt(share * (1 - share) / checked + square / (4 * checked)) / (1 + square)
    low, high = max(middle - half, 0.0), min(middle + half, 1.0)
    return (low if passed else 0.0), (high if passed < checked else 1.0)


def rate_of(checks: Iterable[bool]) -> Rate:
    """The pass rate of checks."""
    found = list(checks)
    passed, checked = sum(found), len(found)
    interval = wilson(passed, checked)
    if interval is None:
        return Rate(0, 0, None, None, None)
    return Rate(checked, passed, round(passed / checked, 4), round(interval[0], 4), round(interval[1], 4))


def annotators_quality(
    reviews: Iterable[Review], validations: Iterable[Validation], assigned: int | None = None
) -> list[AnnotatorQuality]:
    """Every annotator by name; the tenth is of the tasks `assigned` to each, or of what each has reviewed so far."""
    found = []
    for annotator, checks in sorted(checked_work(reviews, validations).items()):
        first = math.ceil(round(FIRST_SHARE * (assigned or len(checks)), 6))
        spot = rate_of(check for check in checks[first:] if check is not None)
        state = "unchecked" if spot.rate is None else "passed" if spot.passed >= PASS_RATE * spot.checked else "retrain"
        approved = sum(check is True for check in checks[:first])
        found.append(
            AnnotatorQuality(annotator, len(checks), first, approved, _gate(checks[:first], first), spot, state)
        )
    return found


def _gate(checks: list[bool | None], first: int) -> str:
    if False in checks:
        return "redo"
    if len(checks) < first:
        return "working"
    return "waiting" if None in checks else "approved"


def checked_work(reviews: Iterable[Review], validations: Iterable[Validation]) -> dict[str, list[bool | None]]:
    """What each annotator reviewed first, in order, and whether it passed its checks; null when there were none."""
    opinions = _opinions(reviews)
    answers = _others(validations, opinions)
    found: dict[str, list[bool | None]] = {}
    for key, each in opinions.items():
        own, *seconds = each.values()
        checks = [second.outcome == own.outcome for second in seconds]
        standing = max(each.values(), key=lambda review: review.at)
        # Validators saw the standing text: that says something of this annotator if it is theirs.
        if own.verdict != "rejected" and standing.outcome == own.outcome:
            checks += [answer.passed for answer in answers.get(key, {}).values()]
        found.setdefault(own.annotator, []).append(all(checks) if checks else None)
    return found


def validation_quality(reviews: Iterable[Review], validations: Iterable[Validation]) -> ValidationQuality:
    """The pass rate of the final validation, the quality figure of a release."""
    reviewers, given = _opinions(reviews), list(validations)
    answers = _others(given, reviewers)
    failed = dict.fromkeys(("carries", "constrains", "complete"), 0)
    passed: dict[str, bool] = {}
    for (triple_id, _), each in sorted(answers.items()):
        passed[triple_id] = all(answer.passed for answer in each.values())
        for name in failed:
            failed[name] += not all(getattr(answer, name) for answer in each.values())
    failing = tuple(triple_id for triple_id, fine in passed.items() if not fine)
    ignored = sum(v.annotator in reviewers.get((v.triple_id, v.draft), {}) for v in given)
    return ValidationQuality(rate_of(passed.values()), failed, failing, ignored)


def _opinions(reviews: Iterable[Review]) -> dict[Draft, dict[str, Review]]:
    """The last review of each person, by draft; redone work keeps the turn of the first."""
    found: dict[Draft, dict[str, Review]] = {}
    for review in reviews:
        found.setdefault((review.triple_id, review.draft), {})[review.annotator] = review
    return found


def _others(
    validations: Iterable[Validation], reviewers: dict[Draft, dict[str, Review]]
) -> dict[Draft, dict[str, Validation]]:
    """The last answers of each person, by draft, without those of its own reviewers."""
    found: dict[Draft, dict[str, Validation]] = {}
    for answer in validations:
        key = (answer.triple_id, answer.draft)
        if answer.annotator not in reviewers.get(key, {}):
            found.setdefault(key, {})[answer.annotator] = answer
    return found
