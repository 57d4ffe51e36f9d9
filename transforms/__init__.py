"""Pure stages: Arrow tables in, kept and rejected rows out. No files, no clock, no environment."""
