"""Why would a stage run again? Compares what determines it now with what the current snapshot was made from."""

from dataclasses import asdict, dataclass
from typing import Any

from flows.collect import check_files, lines, takedowns
from flows.edits import edits
from flows.model_tasks import TASKS
from flows.models import expected_id
from flows.pipeline import MODEL_TASKS
from flows.plan import Plan, make_plan
from flows.records import divide
from flows.settings import Settings
from flows.stages import STAGES
from flows.store import files
from flows.store.home import Home, kept_key
from flows.store.snapshots import Manifest


@dataclass(frozen=True)
class Reason:
    """Why one stage would run again, and for how many lessons; no lessons means that it would not."""

    stage: str
    lessons: int
    why: str

    def as_dict(self) -> dict[str, Any]:
        """Plain data for scripts."""
        return asdict(self)


def explain(home: Home, settings: Settings, manifest: Manifest) -> list[Reason]:
    """For every stage, what a build from the records archived last would do, and why."""
    for source in settings.sources:
        if source.kind == "jsonl":
            check_files(source)
    settings.pseudonym_key = kept_key(home, settings)
    given = {"records": divide(lines(home, settings), home.buckets, takedowns(home)), "edits": edits(home)}
    models = {task: expected_id(home, task, TASKS[task].options(settings)) for task in MODEL_TASKS}
    plan = make_plan(settings, models, given)
    return [_reason(home, stage.name, plan, manifest) for stage in STAGES]


def _reason(home: Home, stage: str, plan: Plan, manifest: Manifest) -> Reason:
    made = manifest.content["stages"].get(stage, {"parts": {}})["parts"]
    changed = [f"{name} changed" for name, value in plan.parts[stage].items() if made.get(name) != value]
    again, gone, broken = 0, 0, 0
    for bucket, lessons in plan.lessons[stage].items():
        refs = manifest.of_stage(stage, bucket)
        if not refs or not all(files.intact(home.path, ref) for ref in refs):
            broken, again = broken + 1, again + len(lessons)
            continue
        before = files.footer(home / refs[0].path)["lessons"]
        again += sum(before.get(lesson, [None])[0] != value for lesson, value in lessons.items())
        gone += len(set(before) - set(lessons))
    why = changed or (["its input changed"] if again and not broken else [])
    why += [f"{broken} buckets are missing or damaged"] if broken else []
    why += [f"{gone} lessons are gone"] if gone else []
    return Reason(stage, again, ", ".join(why) or "nothing changed")
