"""Telephone numbers: what goes, and the numbers of learners that stay."""

import pytest

from transforms.telephones import without_telephones


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Call 555-0123, or (030) 555 0199.", "Call [phone], or [phone]."),
        ("Call +49 30 1234567 now", "Call [phone] now"),
        ("Call 555\n123 4567 now", "Call [phone] now"),
        ("Ring 020 7946 0958.", "Ring [phone]."),
        ("06 12 34 56 78, 06.12.34.56.78 or 06-12-34-56-78", "[phone], [phone] or [phone]"),
        ("Tel.: 0171-1234567 (mornings)", "Tel.: [phone] (mornings)"),
        ("(030) 123456-78, (030)/123456 or 030 / 123 456", "[phone], [phone] or [phone]"),
        ("07911 123456\n0171 123-4567", "[phone]\n[phone]"),
        ("0171 123-4567", "[phone]"),
        # With the code of a country.
        ("+1 (415) 555-2671, +1(415)555-2671 or +14155552671", "[phone], [phone] or [phone]"),
        ("+1 415.555.2671 and (+44) 7700 900123", "[phone] and [phone]"),
        ("0044 20 7946 0958, 00 49 30 5550123, 0049-30-5550123", "[phone], [phone], [phone]"),
        ("+49–30–5550123, ＋49 30 5550123, +49 30 / 5550123", "[phone], [phone], [phone]"),
        ("+33 (0)1 42 68 53 00 or +47 412 34 567", "[phone] or [phone]"),
        # As North America, Russia, Brazil and Belgium group them.
        ("1-800-555-0199, 1 415 555 2671, (415)555-2671", "[phone], [phone], [phone]"),
        ("415–555–2671, 415.555.2671, 800-200-3000", "[phone], [phone], [phone]"),
        ("8 (495) 123-45-67, 8-495-123-45-67", "[phone], [phone]"),
        ("(11) 91234-5678, 0470/12.34.56", "[phone], [phone]"),
        ("867-5309", "[phone]"),
        # Announced.
        ("Tel. 4155552671, WhatsApp: 9876543210", "Tel. [phone], WhatsApp: [phone]"),
        ("call me at 98765 43210, or text me on 0612345678", "call me at [phone], or text me on [phone]"),
        ("My number is 443 2210", "My number is [phone]"),
        ("mi número es 612 345 678, Handynummer: 01711234567", "mi número es [phone], Handynummer: [phone]"),
    ],
)
def test_what_goes(text: str, clean: str) -> None:
    assert without_telephones(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "In 1945 there were 12 345 678 of them.",
        "pi is 3.141592653589793",
        "It is 9-10 km.",
        "0 123 456 789 or 0.123-456, 0.0171 1234567 and 05.1234567",
        "x=0171 1234567, y = 0171 1234567, a0171-1234567",
        "from 01.02.2024 to 05.03.2024, 01-02-2024 12:30, 01/2023-02/2024, 05.2019-06.2020",
        "0900-1700, 0100 - 0200",
        "RA 05 35 17.30, -05 23 28; or 05 35 17 05 23 28",
        "after 05 10 15 20 25 minutes, at 00 05 10 15 20",
        "0101 1100 1010",
        "doi:10.1007/0387-1234567 and 10:0171 1234567",
        "12 020 7946 0958 and 020 7946 0958 2",
        # Ranges, dates and sums.
        "500-1500 ml at 300-1000 K, between 476-1453, pp. 300-2000",
        "1939-1945, 2001-2010, 2024-05-01 10:30, 01/05/2024, (12) 1914-1918",
        "x = 100-200-3000, 555-1234 = -679, f(200) 300-4000",
        "3 +2 - 3 - 4 - 5 - 6 - 7 - 8, x +2 -3 -4 -5, (x) +123456789, y=+1234567890",
        "+1 000 000 000 and +0.123456789, +12.345678901, +51.5074 0.1278, +10 20 30 40 50",
        "the points 100 200 3000, the bits 010 101 0101 and +1 0 1 1 0 1 0 1 0",
        # Names of books, machines, and other things.
        "ISBN 978-3-16-148410-0, 978-0-306-40615-7, 0-306-40615-2, 0306406152, ISSN 0317-8471",
        "192.168.100.200, 2001:0db8:85a3:0000, doi:10.1145/3292500.3330701, CAS 7732-18-5",
        "4111 1111 1111 1111, 12345-6789, 299 792 458 m/s, 1,234,567,890, 6.02214076",
        # Announced by a word that means something else here.
        "call f 1000000 times, dial 192.168.100.200, call 3.14159265, phone: 2024-05-01, call 123456",
        "A smartphone has 12 345 678 pixels.",
        "007 1234567",
    ],
)
def test_what_stays(text: str) -> None:
    assert without_telephones(text) == text
