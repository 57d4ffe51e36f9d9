"""The courses of a Moodle site, through its web services."""
