"""What can be wrong before a model is trained or used; every other ValueError is about the files of a model.

ValueError
├── BadLabels       the labels cannot train a model
└── NotInstalled    an optional package is missing
"""


class BadLabels(ValueError):
    """The labels cannot train a model; the message says why."""


class NotInstalled(ValueError):
    """An optional package is missing; the message says how to install it."""
