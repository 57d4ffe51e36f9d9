"""Words that open a question or a sentence, as patterns: in a forum, capitals and blanks say little."""

# Open a question in any case.
ASKS = (
    r"(?:why|what|how|when|where|who|whom|whose|which|(?:is|are|was|were|does|do|did|could|would|should|has|have)"
    r"(?:n['’]?t)?|can(?:['’]?t)?|will|had|am)"
)
# Open a sentence when they have a capital; `A.` and `I.` are initials.
BEGINS = r"(?:[AI](?!\.)|But|And|In|At|On|The|This|That|It|An|We|You|He|She|They|My|Also|Please|Then|For)"
OPENER = rf"(?:(?i:{ASKS}|if|so)|{BEGINS})\b"
