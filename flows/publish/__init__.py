"""What people look at: the quality page."""
