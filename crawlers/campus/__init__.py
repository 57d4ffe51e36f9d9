"""The bundled demo campus: its web site, its pages and its spider."""

# The campus is served on any free port, so records carry addresses on this base instead.
PUBLIC_BASE = "https://campus.example.org"
LICENSE = "CC BY 4.0"
LICENSE_URL = "https://creativecommons.org/licenses/by/4.0/"
