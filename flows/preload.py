"""What a Dask worker imports when it starts, not with its first bucket: `dask worker --preload flows.preload`."""

from importlib import import_module

from flows import prefect_conductor  # noqa: F401  # the tasks that it will be sent
from flows.model_tasks import TASKS
from flows.stages import STAGES

for stage in STAGES:
    stage.load()
for task in TASKS.values():
    import_module(task.module)
