"""Settings: `QUARRY_*` variables, then the file named by `QUARRY_CONFIG`, else `quarry.toml`, else defaults."""

import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from flows import blame
from flows.cron import check_cron
from flows.errors import ConfigError

PROJECT = Path(__file__).resolve().parent.parent
CAMPUS = PROJECT / "data" / "campus"
BUNDLED_LABELS = PROJECT / "data" / "labels"

# What each kind of source needs: `path` for files, `url` and `contact` for hosts that are not loopback.
SOURCE_KINDS: dict[str, str] = {
    "campus": "nothing: the bundled demonstration site, served on loopback for the length of the crawl",
    "jsonl": "path: a folder with lessons.jsonl and posts.jsonl (quizzes.jsonl is optional)",
    "khan": "url of a Khan Academy site, contact: lessons with their discussions",
    "teded": "url of a TED-Ed site, contact: lessons with their quizzes",
    "discourse": "url of any Discourse forum, contact",
    "moodle": "url of a Moodle site, contact, options.courses, and a web-service token in the environment",
    "qapage": "url of any site with schema.org QAPage or DiscussionForumPosting markup, contact",
    "html": "url of any other forum, contact, and CSS selectors in options",
    "stackexchange": "path: a data dump of Stack Exchange, unpacked or .7z",
    "learningq": "path: the folder of the published LearningQ archive",
}
Kind = Literal[
    "campus", "jsonl", "khan", "teded", "discourse", "moodle", "qapage", "html", "stackexchange", "learningq"
]
FILE_KINDS = ("jsonl", "stackexchange", "learningq")
MOST_BUCKETS = 1024
_ROUNDING = 0.0005  # thirds cannot be written exactly
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Language = Annotated[str, Field(pattern=r"^[a-z]{2}$")]  # ISO 639-1


def _address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:  # a larger one raises itself
        raise ValueError("it is no address such as https://forum.example.org/")
    return url


Address = Annotated[str, AfterValidator(_address)]


class Strict(BaseModel):
    """A section of the settings; a misspelt key is an error, not a silent default."""

    model_config = ConfigDict(extra="forbid")


class Source(Strict):
    """One source of lessons and posts."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,40}$", description="Prefix of the ids of its rows.")
    kind: Kind
    path: Path | None = None
    url: Address | None = None
    contact: str | None = None
    language: Language = "en"
    options: dict[str, Any] = Field(default={}, description="For the crawler; docs/crawling.md lists them.")


class Questions(Strict):
    """Extraction of question sentences."""

    languages: list[Language] = Field(default=["en"], min_length=1)
    splitter: Literal["sentencex", "nltk"] = "sentencex"


class Usefulness(Strict):
    """The classifier; a changed threshold never runs it again."""

    threshold: float = Field(default=0.5, ge=0, le=1)
    kind: Literal["blend", "cnn", "encoder"] | None = Field(
        default=None, description="Kind of model; none named means the one that `quarry train` made current, or blend."
    )
    vectors: Path | None = Field(default=None, description="Word vectors: word2vec .bin, GloVe or fastText text.")


class Types(Strict):
    """Reasoning types."""

    second_opinion: bool | None = Field(default=None, description="Ask MiniLM where the fast model is unsure.")


class Alignment(Strict):
    """Source sentences of questions."""

    method: Literal["quarry", "learningq"] = "quarry"
    max_words: int = Field(default=100, ge=1)


class Triples(Strict):
    """Drafting of (context, prompt, question)."""

    min_context_words: int = Field(default=16, ge=1)
    min_useful_score: Share = Field(default=0.0, description="Of their questions; 0 leaves it to KhanQ's rules alone.")
    needs_span: bool = Field(default=False, description="Whether a question without a source makes no triple.")


class Splits(Strict):
    """Division into train, dev and test."""

    method: Literal["lesson", "random"] = "lesson"
    shares: tuple[Share, Share, Share] = (0.8, 0.1, 0.1)

    @field_validator("shares")
    @classmethod
    def _whole(cls, shares: tuple[float, float, float]) -> tuple[float, float, float]:
        if abs(sum(shares) - 1) > _ROUNDING:
            raise ValueError(f"the shares of train, dev and test add up to {sum(shares):g} instead of 1")
        return shares


class Schedule(Strict):
    """When `quarry serve` rebuilds."""

    cron: str = "0 3 * * *"
    timezone: str = "UTC"

    @field_validator("cron")
    @classmethod
    def _cron(cls, cron: str) -> str:
        check_cron(cron)
        return cron

    @field_validator("timezone")
    @classmethod
    def _timezone(cls, timezone: str) -> str:
        try:
            ZoneInfo(timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError("it is no time zone: write it like Europe/Berlin, or UTC") from None
        return timezone


class Runner(Strict):
    """Where buckets are computed: on this machine, or on a Dask cluster that sees the same home.

    `auto` takes processes for many records and threads for few.
    """

    kind: Literal["auto", "threads", "processes", "dask"] = "auto"
    workers: int = Field(default=2, ge=1)
    address: str | None = Field(default=None, description="Of the Dask scheduler, such as tcp://10.0.0.5:8786.")


class Settings(BaseSettings):
    """All settings of one run."""

    model_config = SettingsConfigDict(
        env_prefix="QUARRY_", env_nested_delimiter="__", env_ignore_empty=True, extra="forbid"
    )

    home: Path = PROJECT / "data"
    buckets: int = Field(default=8, ge=1, le=MOST_BUCKETS, description="Fixed when a home is made.")
    keep_snapshots: int = Field(default=10, ge=1)
    pseudonym_key: str | None = None
    data_docs: bool = Field(
        default=False, description="Also write Great Expectations' own pages, which load their looks from the network."
    )
    webhook: Address | None = Field(default=None, description="Told of every failed run, as JSON by POST.")
    schedule: Schedule = Schedule()
    runner: Runner = Runner()
    sources: list[Source] = [Source(name="campus", kind="campus")]
    questions: Questions = Questions()
    usefulness: Usefulness = Usefulness()
    types: Types = Types()
    alignment: Alignment = Alignment()
    triples: Triples = Triples()
    splits: Splits = Splits()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Variables win over the file."""
        file = config_path()
        toml = (TomlConfigSettingsSource(settings_cls, file),) if file else ()
        return (init_settings, env_settings, *toml)


def config_path() -> Path | None:
    """The settings file in force, if any."""
    named = os.environ.get("QUARRY_CONFIG")
    if named:
        if not Path(named).is_file():
            raise ConfigError(f"QUARRY_CONFIG names {named}, which is not a file: correct it, or run `quarry init`")
        return Path(named)
    here = Path("quarry.toml")
    if os.path.lexists(here) and not here.is_file():
        raise ConfigError(f"{here.absolute()} is not a file: correct it, remove it, or name another by QUARRY_CONFIG")
    return here if here.is_file() else None


def load_settings() -> Settings:
    """The settings in force, with paths made absolute against the file that holds them."""
    file = config_path()
    settings = _read(file)
    base = file.resolve().parent if file else Path.cwd()
    settings.home = _absolute(settings.home, base, ("home",), file)
    if settings.usefulness.vectors:
        settings.usefulness.vectors = _absolute(settings.usefulness.vectors, base, ("usefulness", "vectors"), file)
    if settings.runner.kind == "dask" and not settings.runner.address:
        raise ConfigError('the runner "dask" needs the address of its scheduler: add `address = "tcp://…:8786"`')
    if not settings.sources:
        raise ConfigError(f"{file or 'QUARRY_SOURCES'} names no source: add one, or leave `sources` out for the campus")
    names = [source.name for source in settings.sources]
    if len(set(names)) < len(names):
        raise ConfigError("two sources have the same name: every source needs its own")
    for number, source in enumerate(settings.sources):
        if source.kind in FILE_KINDS and source.path is None:
            raise ConfigError(f'source {source.name} of kind {source.kind} needs a path: add `path = "folder"`')
        if source.kind not in (*FILE_KINDS, "campus") and source.url is None:
            raise ConfigError(f'source {source.name} of kind {source.kind} needs an address: add `url = "https://…"`')
        if source.path is not None:
            source.path = _absolute(source.path, base, ("sources", number, "path"), file)
    return settings


def _read(file: Path | None) -> Settings:
    try:
        return Settings()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ConfigError(f"{file} is not valid TOML ({problem}): correct that line") from None
    except RecursionError:
        raise ConfigError(f"{file or 'one of the QUARRY_* variables'} is nested too deeply: correct it") from None
    except OSError as problem:
        raise ConfigError(f"{file} cannot be read ({problem.strerror}): correct its permissions") from None
    except SettingsError as problem:
        raise ConfigError(f"{blame.unread(problem)} is not valid JSON: correct it") from None
    except ValidationError as problem:
        raise ConfigError(blame.in_words(problem.errors()[0], file)) from None


def _absolute(path: Path, base: Path, place: blame.Place, file: Path | None) -> Path:
    try:
        return (base / path.expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as problem:
        where = ".".join(str(part) for part in place)
        raise ConfigError(f"{blame.giver(place, file)}: {where}: {str(path)!r} is no path ({problem})") from None
