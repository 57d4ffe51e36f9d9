"""Any site whose threads carry schema.org QAPage or DiscussionForumPosting, as JSON-LD or microdata."""
