"""Find the sentences of the lesson that a question is about; `docs/alignment.md` says how and why."""

from transforms.align.stage import align

__all__ = ["align"]
