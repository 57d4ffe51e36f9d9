"""The catalog: `catalog.duckdb`, views over the files of the current snapshot, the journal and the annotations.

It is derived: always built in a new file that is renamed over the old one, so that readers never meet a writer.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa

from expectations import TABLES, Table
from expectations.lines import row_condition
from flows.errors import StoreError
from flows.store.files import schema
from flows.store.home import Home, staged
from flows.store.snapshots import Manifest, current, current_id
from transforms.digest import digest

_TYPES = {
    pa.string(): "VARCHAR",
    pa.int64(): "BIGINT",
    pa.float64(): "DOUBLE",
    pa.bool_(): "BOOLEAN",
    pa.timestamp("us", tz="UTC"): "TIMESTAMPTZ",
    pa.list_(pa.string()): "VARCHAR[]",
    pa.list_(pa.int64()): "BIGINT[]",
}

# What lives in side tables, so that it changes without rewriting text, is joined here.
_JOINED = {
    "scores": "select question_id, lesson_id, useful_score, useful_score >= {threshold} as useful, model_id "
    "from {files}",
    "triples": """
        select t.triple_id, t.question_id, t.lesson_id, t.answer_post_ids,
               coalesce(r.context, t.context) as context, coalesce(r.prompt, t.prompt) as prompt,
               coalesce(r.question, t.question) as question,
               coalesce(w.prompt_type, t.prompt_type) as prompt_type,
               coalesce(w.reasoning_type, y.reasoning_type) as reasoning_type,
               coalesce(w.question_type, y.question_type) as question_type, t.edits, t.title, t.subject, s.useful_score,
               p.split, c.cluster_id, coalesce(r.verdict, 'draft') as review, t.license, t.source_version,
               md5(t.context || chr(10) || t.prompt || chr(10) || t.question) as draft
        from {files} t
        left join (
            select * from ({reviews}) qualify row_number() over (partition by triple_id order by reviewed_at desc) = 1
        ) r on r.triple_id = t.triple_id and (
            r.draft = md5(t.context || chr(10) || t.prompt || chr(10) || t.question)
            -- an edited text is whole: it holds for as long as the posts say what they said, whatever the rules become
            or r.verdict = 'edited' and r.source_version = t.source_version
        )
        left join {wordings} w on w.triple_id = t.triple_id
        left join {types} y on y.question_id = t.question_id
        left join {scores} s on s.question_id = t.question_id
        left join {clusters} c on c.triple_id = t.triple_id
        left join {splits} p on p.triple_id = t.triple_id
    """,
}


def literal(text: str) -> str:
    """An SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def create_views(connection: duckdb.DuckDBPyConnection, home: Home, manifest: Manifest) -> None:
    """One view for each public table of a snapshot."""
    files = {name: _files(home, manifest, name) for name, table in TABLES.items() if table.stored == "snapshot"}
    files["reviews"] = lines(home / "annotations" / "reviews.jsonl", TABLES["reviews"])
    threshold = float(manifest.content["settings"]["usefulness"]["threshold"])
    for name, table in TABLES.items():
        if table.stored == "snapshot":
            body = _JOINED.get(name, "select * from {files}").format(
                files=files[name], threshold=threshold, **{k: v for k, v in files.items() if k != "files"}
            )
        else:
            body = lines(home / table.stored / f"{name}.jsonl", table)
        connection.execute(f'create or replace view "{name}" as {body}')


def _files(home: Home, manifest: Manifest, name: str) -> str:
    """The rows of a table in SQL; a column that came with a later version is null in files from before."""
    refs = manifest.of_table(name)
    if not refs:  # a snapshot of a version without this table
        return f"({_no_lines(TABLES[name])})"
    paths = ", ".join(literal(str(home / ref.path)) for ref in refs)
    known = set(schema(home / refs[0].path).names) if refs and (home / refs[0].path).is_file() else None
    new = [field for field in TABLES[name].schema if known is not None and field.name not in known]
    nulls = "".join(f', null::{_TYPES.get(field.type, "VARCHAR")} as "{field.name}"' for field in new)
    return f"(select *{nulls} from read_parquet([{paths}]))" if nulls else f"read_parquet([{paths}])"


def lines(path: Path, table: Table) -> str:
    """The rows of a file of JSON lines in SQL, none if it is not there."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a file belongs there", str(path))
    if not path.exists():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        except OSError:  # a home that can only be read
            return _no_lines(table)
    return _rows_of(path, table)


def _rows_of(path: Path, table: Table) -> str:
    columns = ", ".join(f"{literal(field.name)}: {literal(_TYPES[field.type])}" for field in table.schema)
    # A line that cannot be read, such as half a line of a killed run, comes as a row of nulls.
    return (
        f"select * from read_json({literal(str(path))}, format = 'newline_delimited', "
        f"ignore_errors = true, columns = {{{columns}}}) where {row_condition(table)}"
    )


def _no_lines(table: Table) -> str:
    columns = ", ".join(f'null::{_TYPES[field.type]} as "{field.name}"' for field in table.schema)
    return f"select {columns} where false"


def _views() -> str:
    """A digest of what the views are: a newer version of Quarry may have more tables, columns or rules."""
    rows = [_rows_of(Path(name), table) for name, table in TABLES.items() if table.stored != "snapshot"]
    return digest(_JOINED, rows, [(name, str(table.schema)) for name, table in TABLES.items()])


def rebuild(home: Home, manifest: Manifest) -> None:
    """Write the catalog for a snapshot."""
    with staged(home / "catalog.duckdb") as temporary, _without_log(temporary), duckdb.connect() as connection:
        # The command-line client on PyPI is older than the library: this format opens in both.
        connection.execute(f"attach {literal(str(temporary))} as catalog (storage_version 'v1.5.0')")
        connection.execute("use catalog")
        create_views(connection, home, manifest)
        connection.execute("create table quarry_catalog (snapshot_id varchar, home varchar, views varchar)")
        connection.execute("insert into quarry_catalog values (?, ?, ?)", [manifest.id, str(home.path), _views()])
        connection.execute("use memory")
        connection.execute("detach catalog")


@contextmanager
def _without_log(path: Path) -> Iterator[None]:
    """Whatever happens, DuckDB's log of a database that was not finished goes with it."""
    try:
        yield
    finally:
        path.with_name(f"{path.name}.wal").unlink(missing_ok=True)


def ensure(home: Home) -> Path:
    """The catalog's path, rebuilt first if a run died before it or the home was moved."""
    path = home / "catalog.duckdb"
    if not _fits(path, home):
        rebuild(home, current(home))
    return path


def connect(home: Home) -> duckdb.DuckDBPyConnection:
    """A connection to the current snapshot: to its catalog, or to views in memory where no catalog can be written."""
    manifest = current(home)
    try:
        connection = duckdb.connect(str(ensure(home)), read_only=True)
    except (OSError, duckdb.Error):  # a disk that is full or can only be read; a damaged file shows again below
        return open_at(home, manifest)
    _in_utc(connection)
    return connection


def _in_utc(connection: duckdb.DuckDBPyConnection) -> None:
    """Days and hours are those of the tables, whatever the zone of the machine."""
    connection.execute("set timezone = 'UTC'")


def _fits(path: Path, home: Home) -> bool:
    if not path.is_file():
        return False
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            found = connection.execute("select snapshot_id, home, views from quarry_catalog").fetchone()
    except duckdb.Error:
        return False
    return found == (current_id(home), str(home.path), _views())


def open_at(home: Home, manifest: Manifest) -> duckdb.DuckDBPyConnection:
    """A connection in memory with the views of any snapshot."""
    # What does not fit into memory goes to the home's disk, not to wherever the command was started.
    connection = duckdb.connect(config={"temp_directory": str(home / ".duckdb")})
    _in_utc(connection)
    try:
        create_views(connection, home, manifest)
    except duckdb.Error as problem:
        raise StoreError(
            f"a file of snapshot {manifest.id} cannot be read ({str(problem).splitlines()[0]}): "
            "run `quarry verify --repair`, then `quarry build`"
        ) from None
    return connection
