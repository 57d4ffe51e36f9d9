"""The GraphQL requests: operation, variables, and a query that names the fields that the pages read."""

from typing import Any

POST = """
    __typename key expandKey feedbackType content date permalink focusUrl fromVideoAuthor
    appearsAsDeleted deleted sumVotesIncremented replyCount author { id kaid nickname }
"""
FEEDBACK = f"""
query feedbackQuery($topicId: String!, $focusKind: String!, $cursor: String, $limit: Int,
    $feedbackType: FeedbackType!, $currentSort: Int, $qaExpandKey: String) {{
  feedback(focusId: $topicId, focusKind: $focusKind, cursor: $cursor, limit: $limit, feedbackType: $feedbackType,
      sort: $currentSort, qaExpandKey: $qaExpandKey) {{
    cursor isComplete
    feedback {{ {POST} ... on QuestionFeedback {{ answerCount lastAnswerDate answers {{ {POST} }} }} }}
  }}
}}"""
REPLIES = f"""
query getFeedbackRepliesPage($postKey: String!, $cursor: String, $limit: Int!) {{
  feedbackRepliesPaginated(feedbackKey: $postKey, cursor: $cursor, limit: $limit) {{
    cursor isComplete feedback {{ {POST} }}
  }}
}}"""
CONTENT = """
query ContentForPath($path: String!, $countryCode: String!) {
  contentRoute(path: $path, countryCode: $countryCode) {
    listedPathData { content { ...Content } }
    unlistedPathData { content { ...Content } }
  }
}
fragment Content on LearnableContent {
  id slug contentKind translatedTitle
  ... on Article { translatedPerseusContent }
  ... on Video { youtubeId duration kaUserLicense subtitles { startTime endTime text kaIsValid } }
}"""
COURSE = """
query ContentRouteCourseData($path: String!, $countryCode: String!) {
  contentRoute(path: $path, countryCode: $countryCode) {
    listedPathData { course { ...Course } }
    unlistedPathData { course { ...Course } }
  }
}
fragment Course on Course {
  id slug contentKind translatedTitle relativeUrl
  unitChildren {
    id slug translatedTitle __typename
    allOrderedChildren {
      __typename
      ... on Lesson { id slug translatedTitle curatedChildren { ... on LearnableContent {
        id slug contentKind translatedTitle canonicalUrl: defaultUrlPath
      } } }
    }
  }
}"""
RECENT = 2  # the sort by which what comes in during a crawl moves posts to later pages, where they are still met


def operation(name: str, query: str, **variables: Any) -> dict[str, Any]:
    """What is sent for a query; variables without a value are left out."""
    given = {key: value for key, value in variables.items() if value is not None}
    return {"operationName": name, "variables": given, "query": query}


def course_query(path: str, country: str) -> dict[str, Any]:
    """The tree of one course."""
    return operation("ContentRouteCourseData", COURSE, path=path, countryCode=country)


def content_query(path: str, country: str) -> dict[str, Any]:
    """One lesson."""
    return operation("ContentForPath", CONTENT, path=path, countryCode=country)


def feedback_query(focus: dict[str, Any], feed: str, limit: int, **more: str | None) -> dict[str, Any]:
    """A page of a lesson's questions or comments; more: `cursor`, `qaExpandKey`."""
    about = {"topicId": focus["lesson_id"], "focusKind": focus["kind"]}
    kind = {"questions": "QUESTION", "comments": "COMMENT"}[feed]
    return operation("feedbackQuery", FEEDBACK, **about, feedbackType=kind, limit=limit, currentSort=RECENT, **more)


def replies_query(key: str, limit: int, cursor: str | None) -> dict[str, Any]:
    """A page of the answers or replies to one post."""
    return operation("getFeedbackRepliesPage", REPLIES, postKey=key, limit=limit, cursor=cursor)
