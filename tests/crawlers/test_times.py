"""Times as sites write them."""

from time import perf_counter

import pytest

from crawlers.times import time_of


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2023-01-17 03:44:00+00:00 +0000", "2023-01-17T03:44:00+00:00"),
        ("2023-01-17", "2023-01-17T00:00:00+00:00"),
        ("asked 2023-01-17t03:44:00,123+0530", "2023-01-17T03:44:00+05:30"),
        ("1709290800", "2024-03-01T11:00:00+00:00"),
        ("1673927040000", "2023-01-17T03:44:00+00:00"),
        ("Fri, 01 Mar 2024 11:00:00 +0100", "2024-03-01T11:00:00+01:00"),
        ("Tue, 17 Jan 23 03:44:00 GMT", "2023-01-17T03:44:00+00:00"),
        ("Thu Nov 19 06:08:27 2026", "2026-11-19T06:08:27+00:00"),
        ("19 Nov 2026 06:08:27 EST", "2026-11-19T06:08:27-05:00"),
        ("Nov. 19, 2026, 6:08 p.m.", "2026-11-19T18:08:00+00:00"),
        ("Nov. 19, 2026, noon", "2026-11-19T12:00:00+00:00"),
        ("Sept. 1, 2026, 1 a.m.", "2026-09-01T01:00:00+00:00"),
        ("By: ada on Nov. 19, 2026, midnight", "2026-11-19T00:00:00+00:00"),
        ("Thu Nov 19, 2026 6:08 pm", "2026-11-19T18:08:00+00:00"),
        ("November 19, 2026, 12:08:27 AM", "2026-11-19T00:08:27+00:00"),
        ("19th of May 2026 at 14:05", "2026-05-19T14:05:00+00:00"),
        ("joined May 2020, posted 1-Nov-2021, 10 replies", "2021-11-01T00:00:00+00:00"),
    ],
)
def test_time_is_read(text: str, time: str) -> None:
    found = time_of(text)
    assert found is not None
    assert found.isoformat() == time


@pytest.mark.parametrize(
    "text",
    ["", "2 hours ago", "2024-13-01", "Nov 31, 2026", "May 2024", "Market 12, 2024", "Nov 19, 2026 13:00 pm",
     "Thu, 19 Nov 26 6:08 pm", "11/19/2026"],
)  # fmt: skip
def test_what_is_no_time_or_could_be_another_is_null(text: str) -> None:
    assert time_of(text) is None


@pytest.mark.parametrize("text", ["jan ", "1 ", "1 jan 2024 ", "jan 1, ", "2024-01-", " "])
def test_hostile_text_is_read_quickly(text: str) -> None:
    started = perf_counter()
    time_of(text * 50_000)
    assert perf_counter() - started < 1
