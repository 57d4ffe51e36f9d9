"""TED-Ed: lessons and the questions that their makers wrote, in the markup of 2017, 2020 and 2024."""

# Addresses on pages are relative to this; a mirror or a test server does not change what a record is about.
PUBLIC_BASE = "https://ed.ted.com"
