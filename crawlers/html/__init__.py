"""Any forum, described by CSS selectors, and what other sources read of plain web pages."""
