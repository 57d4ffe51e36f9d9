"""Renders campus content as HTML pages; everything that people wrote is escaped."""

import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from crawlers.campus import LICENSE, LICENSE_URL, PUBLIC_BASE
from crawlers.campus.content import Lesson

THREADS_PER_PAGE = 10
# Images are off, since a post must not make a reader's browser call other hosts; backslash escapes are off, since they
# would eat the spaces of LaTeX (`\,`).
ARTICLE = MarkdownIt("commonmark", {"html": False, "linkify": False}).disable(["image", "escape"])
POST = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True}).disable(["image", "escape"])

RENDERER = Path(__file__).read_bytes()

STYLE = """
body{margin:0;background:#f6f5f1;color:#23262b;font:17px/1.6 Georgia,serif}
header.site{background:#24445c;padding:.8rem 1.5rem}header.site a{color:#fff;text-decoration:none;font-weight:bold}
main{max-width:44rem;margin:1.5rem auto;padding:1rem 2rem 2rem;background:#fff;border-radius:8px;overflow-wrap:anywhere}
h1{line-height:1.25;font-size:1.7rem;margin:.6rem 0}h2{font-size:1.25rem;margin:1.4rem 0 .3rem}a{color:#1d5f8a}
.about,.post header,.captions p::before{color:#5c6470;font-size:.85rem;font-family:sans-serif}
.lessons{list-style:none;margin:0;padding:0}.lessons li{margin:.4rem 0;line-height:1.4}.lessons .about{display:block}
pre,code{background:#f0efe9;border-radius:4px;font-size:.9em}pre{padding:.7rem;overflow-x:auto}
blockquote{margin-left:0;padding-left:1rem;border-left:3px solid #b9c4cd;color:#4c545e}
.captions p{margin:.15rem 0 .15rem 3.5rem}.captions p::before{content:attr(data-time);float:left;margin-left:-3.5rem}
.quiz,.thread{border-top:1px solid #ddd;padding-top:.6rem;margin-top:1.2rem}
.post{margin:.8rem 0}.body>:first-child{margin-top:.2rem}
.answer,.comment{margin-left:1.5rem;padding-left:.8rem;border-left:3px solid #e7e5de}.accepted{border-color:#3d8b5f}
.pages{display:flex;gap:1.5rem;align-items:baseline;border-top:1px solid #ddd;padding-top:1rem;margin-top:1.5rem}
@media(max-width:40rem){main{margin:0;padding:.5rem 1rem 1.5rem;border-radius:0}.answer,.comment{margin-left:.4rem}}
"""


def page(title: str, path: str, main: str, head: str = "", lesson: Lesson | None = None) -> str:
    """A whole page around its main part; `path` is its address on the public site."""
    about = f' data-lesson="{escape(lesson.lesson_id)}"' if lesson else ""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="canonical" href="{escape(PUBLIC_BASE + path)}">{head}<style>{STYLE}</style></head>\n'
        f'<body><header class="site"><a href="/">Campus</a></header>\n<main{about}>\n{main}\n'
        f'<p class="about">Licence: <a rel="license" href="{LICENSE_URL}">{LICENSE}</a></p></main></body></html>\n'
    )


def index_page(lessons: Iterable[Lesson]) -> str:
    """The course index, by subject."""
    parts = ["<h1>Campus</h1>"]
    for subject, members in groupby(lessons, key=lambda lesson: lesson.subject):
        parts.append(f'<section><h2>{escape(spoken(subject))}</h2><ul class="lessons">')
        parts += [
            f'<li><a class="lesson" href="/lessons/{escape(lesson.lesson_id)}" data-activity="{activity(lesson)}">'
            f"{escape(lesson.title)}</a> "
            f'<span class="about">{escape(lesson.course)} · {escape(lesson.kind)}</span></li>'
            for lesson in members
        ]
        parts.append("</ul></section>")
    return page("Campus", "/", "\n".join(parts))


def activity(lesson: Lesson) -> str:
    """A mark that changes whenever anything of a lesson or its discussion does, or how they are shown."""
    return hashlib.blake2b(repr(lesson).encode("utf-8", "replace") + RENDERER, digest_size=8).hexdigest()


def lesson_page(lesson: Lesson) -> str:
    """A lesson with its text or captions and its quizzes."""
    if lesson.captions:
        # The time to read stands in an attribute, so that the text of a caption is the caption alone.
        cues = "\n".join(
            f'<p data-start="{cue.start!r}" data-time="{clock(cue.start)}">{escape(cue.text)}</p>'
            for cue in lesson.captions
        )
        body = f'<div class="captions">\n{cues}\n</div>'
    else:
        body = f'<article class="body">\n{ARTICLE.render(lesson.body)}</article>'
    path = f"/lessons/{lesson.lesson_id}"
    main = (
        f'<h1>{escape(lesson.title)}</h1>\n<p class="about"><span class="subject" '
        f'data-subject="{escape(lesson.subject)}">{escape(spoken(lesson.subject))}</span> · '
        f'<span class="course">{escape(lesson.course)}</span> · <span class="kind">{escape(lesson.kind)}</span></p>\n'
        f"{body}\n{''.join(quiz_section(quiz) for quiz in lesson.quizzes)}"
        f'<p><a class="discussion" href="{escape(path)}/discussion">Discussion ({len(lesson.threads)} threads)</a></p>'
    )
    return page(lesson.title, path, main, lesson=lesson)


def quiz_section(quiz: dict[str, Any]) -> str:
    """One quiz question; `data-answer` is the index of the right option, `data-hint` a second of the video."""
    known = {"quiz": quiz["id"], "kind": quiz["kind"], "answer": quiz["answer"], "hint": quiz["hint_seconds"]}
    options = "".join(f"<li>{escape(option)}</li>" for option in quiz["options"])
    listed = f'<ol class="options">{options}</ol>' if options else ""
    return f'<section class="quiz"{attributes(known)}><p class="text">{escape(quiz["text"])}</p>{listed}</section>\n'


def page_count(lesson: Lesson) -> int:
    """How many discussion pages a lesson has; an empty discussion has one."""
    return max(1, -(-len(lesson.threads) // THREADS_PER_PAGE))


def discussion_page(lesson: Lesson, number: int) -> str:
    """One page of a lesson's discussion, counted from 1."""
    path = f"/lessons/{lesson.lesson_id}/discussion"
    threads = lesson.threads[(number - 1) * THREADS_PER_PAGE : number * THREADS_PER_PAGE]
    parts = [
        f'<h1>Discussion: <a href="/lessons/{escape(lesson.lesson_id)}">{escape(lesson.title)}</a></h1>',
        *(thread_section(thread["id"], thread["posts"]) for thread in threads),
    ]
    head = ""
    if number < page_count(lesson):
        following = f"{escape(path)}?page={number + 1}"
        head = f'<link rel="next" href="{following}">'
    parts.append(page_links(path, number, page_count(lesson)))
    own = path if number == 1 else f"{path}?page={number}"
    return page(f"Discussion: {lesson.title}", own, "\n".join(parts), head, lesson)


def page_links(path: str, number: int, count: int) -> str:
    """Where a reader is in a discussion, and the ways on and back; nothing when all fits on one page."""
    if count == 1:
        return ""
    links = []
    if number > 1:
        links.append(f'<a rel="prev" href="{escape(path)}?page={number - 1}">Previous page</a>')
    links.append(f'<span class="about">Page {number} of {count}</span>')
    if number < count:
        links.append(f'<a rel="next" href="{escape(path)}?page={number + 1}">Next page</a>')
    return f'<p class="pages">{"".join(links)}</p>'


def thread_section(thread_id: object, posts: Sequence[dict[str, Any]]) -> str:
    """A thread and its posts."""
    articles = "".join(post_article(post) for post in posts)
    return f'<section class="thread" data-thread="{escape(str(thread_id))}">\n{articles}</section>'


def post_article(post: dict[str, Any]) -> str:
    """One post: what is known about it in its attributes, what it says in its body."""
    known = {
        "post": post["id"], "parent": post["parent"], "kind": post["kind"], "author": post["author"],
        "role": post["role"], "votes": post["votes"], "accepted": "true" if post["accepted"] else "false",
    }  # fmt: skip
    classes = f"post {escape(post['kind'])}{' accepted' if post['accepted'] else ''}"
    time, votes = str(post["created_at"]), post["votes"]
    return (
        f'<article class="{classes}" id="post-{escape(str(post["id"]))}"{attributes(known)}>'
        f"<header><b>{escape(str(post['author'] or 'somebody'))}</b> ({escape(str(post['role']))}), "
        f'<time datetime="{escape(time)}">{escape(time[:16].replace("T", " "))}</time>, '
        f"{escape(str(votes))} vote{'' if votes == 1 else 's'}{', accepted' if post['accepted'] else ''}</header>"
        f'<div class="body">\n{POST.render(post["body"])}</div></article>\n'
    )


def attributes(values: dict[str, object]) -> str:
    """Data attributes for the values that are known."""
    return "".join(f' data-{name}="{escape(str(value))}"' for name, value in values.items() if value is not None)


def missing_page(path: str) -> str:
    """The page for an address that does not exist."""
    return page("Not found", "/404", f"<h1>Not found</h1><p>There is nothing at <code>{escape(path)}</code>.</p>")


def clock(seconds: float) -> str:
    """A time of a video as players show it."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def spoken(subject: str) -> str:
    """A subject's folder name as people write it."""
    return subject.replace("-", " ").capitalize()
