"""Any Discourse forum, through its JSON endpoints."""
