"""Everything that ends a command, with its exit code.

QuarryError (1)            something failed; the message says what to do
├── ConfigError (2)        settings, sources or arguments are wrong
│   └── HomeVersionError   the home was made by another version
├── StoreError (1)         a file of the store is missing or broken
├── LeaseHeldError (1)     another writer is at work
├── CrawlError (1)         a source could not be collected
└── GateError (3)          a quality rule stopped the publication
"""


class QuarryError(Exception):
    """Base of all errors that are shown to the user as one line."""

    exit_code = 1


class ConfigError(QuarryError):
    """Settings, sources or arguments are wrong."""

    exit_code = 2


class HomeVersionError(ConfigError):
    """The home was made by another version of Quarry."""


class StoreError(QuarryError):
    """A file of the store is missing or broken."""


class LeaseHeldError(QuarryError):
    """Another writer is at work."""


class CrawlError(QuarryError):
    """A source could not be collected."""


class GateError(QuarryError):
    """A quality rule stopped the publication."""

    exit_code = 3
