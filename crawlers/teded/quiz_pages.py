"""The questions of a lesson: one page each since 2024, all on one page before."""

import re
from urllib.parse import parse_qsl, urljoin, urlsplit

from bs4 import Tag

from crawlers.html_text import html_to_text
from crawlers.page import Page, PageError, Record, attribute

NOT_FOUND = re.compile(r"Question not found|couldn['\u2019]t find that page", re.IGNORECASE)
LETTER = re.compile(r"([A-Za-z])[.):]?")
CORRECT = "span.bg-correct-green, p.text-correct-green"
MAX_QUESTIONS = 50  # makers may write fifteen
OPEN = "div.w-full.max-w-lg > h2"
SECOND = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")


class ThinkPage(Page):
    """One question of 2024: `{lesson}/think?question_number=N`."""

    @property
    def number(self) -> int:
        """Which question it is, from 1."""
        given = dict(parse_qsl(urlsplit(self.url).query)).get("question_number", "1")
        return int(given) if given.isascii() and given.isdigit() and len(given) < 6 else 1

    @property
    def is_end(self) -> bool:
        """Whether the page says that there is no such question."""
        asked = self.all("legend") or self.all(OPEN)
        return not asked and NOT_FOUND.search(self.soup.get_text(" ")) is not None

    def quiz(self, slug: str) -> Record:
        """The question."""
        legend = next(iter(self.all("legend")), None)
        labels = self.all("label.cursor-pointer")
        if legend and labels:
            options = [self.option(label) for label in labels]
            return quiz(slug, self.number, html_to_text(legend), options, self.answer(labels), hint(self.soup))
        open_question = next(iter(self.all(OPEN)), None)
        if open_question is None:
            raise PageError(f"{self.url}: neither a multiple-choice nor an open question; has the layout changed?")
        return quiz(slug, self.number, html_to_text(open_question), [], None, hint(self.soup))

    def option(self, label: Tag) -> str:
        """The text of an option, without its letter."""
        return self.one("div.leading-6", label).get_text(" ", strip=True)

    def answer(self, labels: list[Tag]) -> int | None:
        """The index of the option that is shown as correct; null when the page does not show it."""
        inside = [index for index, label in enumerate(labels) if label.select(CORRECT)]
        if inside:
            return inside[0]
        if not self.all(CORRECT):
            return None
        # Shown beside the options: by its letter, or as praise for the option that is chosen.
        letters = [self.letter(label) for label in labels]
        for mark in self.all(CORRECT):
            named = LETTER.fullmatch(mark.get_text(" ", strip=True))
            if named and named.group(1).upper() in letters:
                return letters.index(named.group(1).upper())
        chosen = [index for index, label in enumerate(labels) if label.select("input[checked]")]
        return chosen[0] if len(chosen) == 1 else None

    def letter(self, label: Tag) -> str:
        """The letter before an option."""
        found = next(iter(self.all("span.rounded-full", label)), None)
        return found.get_text(strip=True).strip(".):").upper() if found else ""

    def next_urls(self) -> list[str]:
        """The question after this one; it may say that there is none."""
        if self.number >= MAX_QUESTIONS:
            raise PageError(f"{self.url}: no lesson has {MAX_QUESTIONS} questions", "endless_listing")
        return [urljoin(self.url, f"?question_number={self.number + 1}")]


class ReviewPage(Page):
    """All questions of a lesson, of 2017 and 2020: `div[data-position=j]`, from 0."""

    def quizzes(self, slug: str) -> list[Record]:
        """The questions; each is read within its own element, since a page-wide search repeats the first stem."""
        found: list[Record] = []
        blocks = self.all("div[data-position]")
        if not blocks:
            raise PageError(f"{self.url}: no question on the page of questions; has the site's layout changed?")
        for place, block in enumerate(blocks):
            position = attribute(block, "data-position") or ""
            number = 1 + (int(position) if position.isascii() and position.isdigit() and len(position) < 6 else place)
            found.append(self.quiz(slug, number, block))
        return found

    def quiz(self, slug: str, number: int, block: Tag) -> Record:
        """One question."""
        panel = next(iter(self.all(".panel-response", block)), None)
        if panel is not None:
            heading = next(iter(panel.select("h5, h4, h3")), panel)
            return quiz(slug, number, html_to_text(heading), [], None, hint(block))
        question = next(iter(self.all("div.question", block)), None)
        if question is None:
            raise PageError(
                f"{self.url}: question {number} is neither open nor multiple choice; has the layout changed?"
            )
        stem, options = lettered([str(line) for line in question.stripped_strings])
        answers = self.all("div.answer", block)
        if not options:  # they stand beside the question
            stem, options = html_to_text(question), [without_letter(answer) for answer in answers]
        correct = [index for index, tag in enumerate(answers) if "correct" in (tag.get("class") or ())]
        known = correct[0] if correct and len(answers) == len(options) else None
        return quiz(slug, number, stem, options, known, hint(block))


def lettered(lines: list[str]) -> tuple[str, list[str]]:
    """The stem and the options of lines in which each option follows its letter: stem, A, first, B, second."""
    parts: list[list[str]] = [[]]
    for line in lines:
        letter = LETTER.fullmatch(line)
        begun = bool(parts[-1])  # so that an option may itself be a letter
        if begun and letter and ord(letter.group(1).upper()) - ord("A") == len(parts) - 1:
            parts.append([])
        else:
            parts[-1].append(line)
    stem, *options = (" ".join(part) for part in parts)
    return stem, options


def without_letter(answer: Tag) -> str:
    """The text of an option, without the letter before it."""
    first, *rest = [str(line) for line in answer.stripped_strings] or [""]
    return " ".join(rest if rest and LETTER.fullmatch(first) else [first, *rest])


def quiz(slug: str, number: int, text: str, options: list[str], answer: int | None, hint_at: float | None) -> Record:
    """A question as a record."""
    return {
        "quiz_id": f"{slug}/{number}",
        "lesson_id": slug,
        "kind": "multiple_choice" if options else "open",
        "text": text,
        "options": options,
        "answer": answer,
        "hint_seconds": hint_at,
    }


def hint(root: Tag) -> float | None:
    """The second of the video to which the button for a hint leads."""
    for tag in root.find_all(["button", "a"]):
        named = (str(value) for name, value in tag.attrs.items() if name.startswith("data-") and "seconds" in name)
        second = next((value for value in named if SECOND.fullmatch(value)), None)
        if second is not None:
            return float(second)
    return None
