"""Finds the tables of a dump on this disk, and streams their rows."""

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lxml import etree

from crawlers.page import PageError

Row = Mapping[str, str]
TABLES = ("Posts", "Tags", "Comments")
# Entities, and so bombs, need a document type, which stands before the root; UTF-8 alone, for others could hide it.
PROLOG = re.compile(
    rb"""(?:\xef\xbb\xbf)?\s*(?:<\?xml\s[^?>]{0,100}\?>)?\s*<(?:posts|tags|comments)[\s/>]""", re.IGNORECASE
)
ENCODING = re.compile(rb"""encoding\s*=\s*["'](?!utf-?8["'])""", re.IGNORECASE)
HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.IGNORECASE)


@contextmanager
def tables(path: Path) -> Iterator[dict[str, Path]]:
    """The tables of a dump by name: a folder with `Posts.xml`, a `.7z` of one, or a folder of such archives.

    What is packed is unpacked to a temporary folder (TMPDIR), for the posts are read twice.
    """
    with tempfile.TemporaryDirectory(prefix="quarry-dump-") as folder:
        if path.is_dir():
            found = {file.stem.lower(): file for file in sorted(path.glob("*.xml"))}
            archives = sorted(path.glob("*.7z"))
        else:
            found, archives = {}, [path]
        for archive in archives:
            for file in unpack(archive, Path(folder), {name.lower() for name in TABLES} - set(found)):
                found[file.stem.lower()] = file
        named = {name: found[name.lower()] for name in TABLES if name.lower() in found}
        if "Posts" not in named:
            raise PageError(f"{path}: no Posts.xml here, neither in a folder nor in a .7z", "no_dump")
        yield named


def unpack(archive: Path, folder: Path, wanted: set[str]) -> list[Path]:
    """Unpack the wanted tables of an archive, if the disk has room for them."""
    import py7zr  # slow to import, and most dumps are unpacked

    try:
        with py7zr.SevenZipFile(archive) as packed:
            members = {
                entry.filename: int(entry.uncompressed or 0)
                for entry in packed.list()
                if not entry.is_directory and entry.filename.lower() in {f"{name}.xml" for name in wanted}
            }
            room = shutil.disk_usage(folder).free
            if sum(members.values()) > room:
                raise PageError(f"{archive}: {sum(members.values())} bytes unpacked, room for {room}", "too_large")
            packed.extract(folder, targets=list(members))
    except (py7zr.exceptions.ArchiveError, OSError, EOFError) as error:
        raise PageError(f"{archive}: not a .7z that can be read ({error})", "bad_archive") from error
    files = [folder / name for name in members]
    return [file for file in files if file.is_file() and not file.is_symlink()]


def rows(path: Path) -> Iterator[Row]:
    """The rows of a table, in memory that does not grow with the file; each is gone when the next one comes."""
    with path.open("rb") as file:
        start = file.read(1000)
        prolog = PROLOG.match(start)
        if prolog is None or ENCODING.search(prolog[0]):
            raise PageError(
                f"{path}: no table of a Stack Exchange dump in UTF-8 without a document type", "xml_doctype"
            )
        file.seek(0)
        # Without `huge_tree`, libxml2 refuses values of more than 10 MB and markup more than 256 deep.
        entries = etree.iterparse(
            file, events=("end",), remove_comments=True, remove_pis=True, remove_blank_text=True,
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
        )  # fmt: skip
        try:
            for _, row in entries:
                if row.tag == "row":
                    yield row.attrib  # not copied: most readers want few of its values
                row.clear()
                parent = row.getparent()
                if parent is not None and len(parent) > 1:
                    del parent[0]
        except etree.XMLSyntaxError as error:
            raise PageError(f"{path}: not XML ({error})", "bad_xml") from error


def site_name(path: Path) -> str | None:
    """The host that a dump is of, when its folder or archive is named after it, as published ones are."""
    name = (path.name.removesuffix(".7z") if path.is_file() else path.resolve().name).partition("-")[0]
    return name.lower() if HOST.fullmatch(name) else None
