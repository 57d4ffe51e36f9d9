"""Types of questions: rules, a small model that learns from labels, and the stage that applies them."""

from transforms.types.suggest import suggest_types

__all__ = ["suggest_types"]
