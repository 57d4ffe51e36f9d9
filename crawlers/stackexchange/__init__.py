"""Stack Exchange's public data dump: questions, answers and comments, with the tag wiki as the lesson."""
