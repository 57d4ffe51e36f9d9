"""The plan of a build: the fingerprint of every lesson in every stage, known before anything runs."""

from dataclasses import dataclass

from flows.fingerprint import stage_parts
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


def make_plan(settings: Settings, models: dict[str, str], versions: dict[str, Fingerprints]) -> Plan:
    """Chain the versions of the lessons in each bucket through the stages."""
    plan = Plan({}, {})
    for stage in STAGES:
        parts = plan.parts[stage.name] = stage_parts(stage, settings, models)
        key = digest(parts)
        writers = list(dict.fromkeys(WRITER[table].name for table in stage.inputs(settings) if table in WRITER))
        feeding = [plan.lessons[writer] for writer in writers] or [versions]
        if stage.scope == "all":
            plan.lessons[stage.name] = {ALL: {EVERYTHING: digest(key, feeding)}}
            continue
        plan.lessons[stage.name] = {
            bucket: {lesson: digest(key, [fed[bucket][lesson] for fed in feeding]) for lesson in lessons}
            for bucket, lessons in versions.items()
        }
    return plan
