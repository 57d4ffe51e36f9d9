"""Measurements: `make bench` prints how fast things are, `make reproduce DATA=…` how good."""
