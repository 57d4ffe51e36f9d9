"""Reads the archive's folders, lesson by lesson."""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from crawlers.khan.tree_pages import license_name
from crawlers.learningq import pages
from crawlers.page import REJECT, JsonPage, PageError, Record, reject
from crawlers.spec import SpecError, Tuning

Entries = Iterator[Record]
SITES = ("khan", "teded")
MAX_BYTES = 64 * 1024 * 1024  # of one file; the largest that was published has a few


def read_learningq(path: Path, options: dict[str, Any]) -> Entries:
    """The lessons, learners' questions and quizzes of the archive: its folder, or the `data` folder inside."""
    unknown = sorted(set(options) - set(Tuning.__dataclass_fields__))
    if unknown:
        raise SpecError(f"learningq has no options {', '.join(unknown)}")
    khan, teded = (found_folder(path, site) for site in SITES)
    if not khan and not teded:
        raise PageError(f"{path}: neither khan/crawled_data nor teded/crawled_data is below it", "no_archive")
    if khan:
        yield from read_articles(khan)
        yield from read_videos(khan)
    if teded:
        yield from read_teded(teded)


def rejected(error: PageError, path: Path, number: int = 0) -> Record:
    """What stands for a file, or for something in it, that cannot be taken; the archive may be moved."""
    place = "/".join(path.parts[max(place for place, part in enumerate(path.parts) if part in SITES) :])
    detail = str(error).replace(str(path), place)
    return {"type": REJECT, "body": reject(f"{detail} {number}", error.reason, detail)}


def found_folder(path: Path, site: str) -> Path | None:
    """The crawled data of one site, under either of the names that the folder has had."""
    places = [base / site / name for base in (path, path / "data", path / "LearningQ" / "data")
              for name in ("crawled_data", f"{site}_crawled_data")]  # fmt: skip
    return next((place for place in places if place.is_dir()), None)


def read_articles(folder: Path) -> Entries:
    """Articles and the questions below them."""
    links = yield from read_links(folder / "all_article_links")
    discussions = files(folder / "article_discussions")
    articles = files(folder / "articles")
    for name in sorted({*articles, *discussions}):
        lesson_id = f"khan-article-{name}"
        link = link_of(links, name)
        body = pages.lesson(lesson_id, "article", link)
        if name in articles:
            try:
                body = pages.ArticlePage(content(articles[name]), str(articles[name])).lesson(lesson_id, link)
            except PageError as error:
                yield rejected(error, articles[name])  # its questions are still about it
        yield from with_posts(body, discussions.get(name))


def read_videos(folder: Path) -> Entries:
    """Videos and the questions below them."""
    links = yield from read_links(folder / "all_video_links")
    titles = yield from video_titles(folder / "topic_videos")
    discussions = files(folder / "updated_video_discussions") | files(folder / "video_discussions")
    transcripts = files(folder / "transcripts")
    for name in sorted({*transcripts, *discussions}):
        body = pages.lesson(f"khan-video-{name}", "video", link_of(links, name)) | titles.get(name, {})
        if name in transcripts:
            try:
                body |= pages.transcript(content(transcripts[name]))
            except PageError as error:
                yield rejected(error, transcripts[name])
        yield from with_posts(body, discussions.get(name))


def read_teded(folder: Path) -> Entries:
    """TED-Ed's videos and their quizzes."""
    transcripts = files(folder / "transcripts")
    seen: set[str] = set()
    for path in files(folder / "videos").values():
        try:
            page = pages.TedEdPage(content(path), str(path))
            if page.video_id in seen:
                raise PageError(f"{path}: the video {page.video_id} was read before", "repeated_video")
            seen.add(page.video_id)
            spoken = transcripts.get(page.video_id)
            lesson = page.lesson(content(spoken) if spoken else None)
            quizzes, repeated = page.quizzes()
        except PageError as error:
            yield rejected(error, path)
            continue
        yield {"type": "lesson", "body": lesson}
        yield from ({"type": "quiz", "body": quiz} for quiz in quizzes)
        for number in range(repeated):
            yield rejected(PageError(f"{path}: a quiz with the words of another", "repeated_quiz"), path, number)


def with_posts(lesson: Record, discussion: Path | None) -> Entries:
    """A lesson, then what was asked about it."""
    yield {"type": "lesson", "body": lesson}
    if discussion is None:
        return
    try:
        posts = pages.DiscussionPage(content(discussion), str(discussion)).posts(lesson["lesson_id"], lesson["url"])
    except PageError as error:
        yield rejected(error, discussion)
    else:
        yield from ({"type": "post", "body": post} for post in posts)


def read_links(path: Path) -> Generator[Record, None, Record]:
    """Addresses and subjects by the names of the files, returned; what cannot be read is yielded."""
    if not path.is_file():
        return {}
    try:
        return pages.as_object(JsonPage(content(path), str(path)).data, str(path))
    except PageError as error:
        yield rejected(error, path)
        return {}


def video_titles(folder: Path) -> Generator[Record, None, dict[str, Record]]:
    """Titles and licences of the videos, from the lists of each topic, returned; what cannot be read is yielded."""
    found: dict[str, Record] = {}
    for path in files(folder).values():
        try:
            for video in JsonPage(content(path), str(path)).objects():
                title = pages.text_of(video.get("translated_title")) or pages.text_of(video.get("title"))
                known = {"title": title, "license": license_name(pages.text_of(video.get("ka_user_license")))}
                found[str(video.get("youtube_id"))] = {name: value for name, value in known.items() if value}
        except PageError as error:
            yield rejected(error, path)
    return found


def link_of(links: Record, name: str) -> Record:
    """What the list of links says of one lesson."""
    link = links.get(name)
    return link if isinstance(link, dict) else {}


def files(folder: Path) -> dict[str, Path]:
    """The files of a folder by name; `.DS_Store` and other hidden ones are not part of the archive."""
    if not folder.is_dir():
        return {}
    return {path.name: path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith(".")}


def content(path: Path) -> str:
    """The text of a file; what is no UTF-8 is replaced, for one bad letter spoils no transcript."""
    if path.stat().st_size > MAX_BYTES:
        raise PageError(f"{path}: more than {MAX_BYTES} bytes", "too_large")
    return path.read_text(encoding="utf-8-sig", errors="replace")
