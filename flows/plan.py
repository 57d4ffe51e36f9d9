"""The plan of a build: the fingerprint of every lesson in every stage, known before anything runs."""

from dataclasses import dataclass

from flows.fingerprint import stage_parts
from flows.records import Bucketed
from flows.settings import Settings
from flows.stages import STAGES, WRITER
from transforms.digest import digest

EVERYTHING = "*"  # the one "lesson" of stages that see all lessons at once
ALL = "all"  # and their one bucket

Fingerprints = dict[str, str]


@dataclass(frozen=True)
class Plan:
    """What determines each stage, and each lesson's result in it, by stage and bucket."""

    parts: dict[str, dict[str, str]]
    lessons: dict[str, dict[str, Fingerprints]]


def make_plan(settings: Settings, models: dict[str, str], given: dict[str, dict[str, Bucketed]]) -> Plan:
    """Chain the versions of what is given (records, edits), for each lesson, through the stages."""
    plan = Plan({}, {})
    versions = {name: {bucket: found.versions for bucket, found in rows.items()} for name, rows in given.items()}
    for stage in STAGES:
        parts = plan.parts[stage.name] = stage_parts(stage, settings, models)
        key = digest(parts)
        writers = list(dict.fromkeys(WRITER[table].name for table in stage.inputs(settings) if table in WRITER))
        feeding = [plan.lessons[writer] for writer in writers]
        outside = [versions[table] for table in stage.reads if table in versions]
        if stage.scope == "all":
            plan.lessons[stage.name] = {ALL: {EVERYTHING: digest(key, feeding)}}
            continue
        plan.lessons[stage.name] = {
            bucket: {
                lesson: digest(key, *([fed[bucket].get(lesson) for fed in fed_by] for fed_by in (feeding, outside)))
                for lesson in lessons
            }
            for bucket, lessons in versions["records"].items()
        }
    return plan
