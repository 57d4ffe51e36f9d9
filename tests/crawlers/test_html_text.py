"""Plain text from HTML."""

import pytest
from bs4 import BeautifulSoup

from crawlers.html_text import html_to_text


def text(html: str) -> str:
    return html_to_text(BeautifulSoup(html, "lxml"))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p>\n<p>b<br>c</p>", "a\n\nb\nc"),
        ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n>\n> b\n\nc"),
        ("<p>see <code>x  =`1`</code></p>", "see ``x =`1```"),
        ("<pre>a\n  b\n</pre>", "```\na\n  b\n```"),
        ("<p>x</p><ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul><p>y</p>", "x\n\n- a\n  - b\n- c\n\ny"),
        ('<ol start="50"><li>Each</li><li>more</li></ol>', "50. Each\n51. more"),
        ("a<script>b</script><!-- c --><style>d</style>", "a"),
        ("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", "1 2\n3"),
        ("<ul><li></li></ul>", ""),
    ],
)
def test_markup_becomes_text(html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize("tag", ["div", "b", "blockquote", "ul><li", "code", "pre"])
def test_deep_markup_does_not_crash(tag: str) -> None:
    assert "deep" in text(f"<{tag}>" * 5000 + "deep")
