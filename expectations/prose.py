"""Which columns may hold what people wrote: all text, except for the columns that are named here with their reason."""

# Text, lists of texts, and captions with their times.
TEXTUAL = ("text", "texts", "captions")

_IDENTITY = "an id says which record is meant: another one would be another record"
EXEMPT: dict[str, str] = {
    **dict.fromkeys(("lesson_id", "post_id", "thread_id", "parent_id", "quiz_id", "record_id"), _IDENTITY),
    **dict.fromkeys(("question_id", "triple_id", "cluster_id", "model_id", "lesson_version", "asked"), "a digest"),
    **dict.fromkeys(("answer_post_ids", "merged_into"), _IDENTITY),
    "source": "a name from the settings",
    "language": "a code",
    "url": "an address as the source published it; one that is a mailbox or holds one is dropped",
    **dict.fromkeys(("stage", "reason", "verdict"), "a word of ours"),
}

# Addresses of which those that lead to a person are dropped.
ADDRESSES = ("url",)
