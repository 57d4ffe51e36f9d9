"""The checks that stand before every publication."""
