"""Sources: page classes that parse, spiders that navigate, and the raw archive."""
