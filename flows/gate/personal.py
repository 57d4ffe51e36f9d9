"""Personal data in columns of whatever type: what scrubs a file that is written, and what the gate's rule asks."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from expectations.contract import CAPTIONS, Table
from transforms.mailboxes import EMAIL
from transforms.mentions import LINK, without_profiles
from transforms.privacy import scrubbed

Changes = dict[int, Any]

# Where an address of this kind leads, a person is reached and no page is read; others have a person's in them.
_PERSON = rf"(?i)^\s*(?:mailto|tel|sms|callto|skype|xmpp):|{EMAIL.pattern}"


def without(rows: pa.Table, table: Table) -> pa.Table:
    """The rows with personal data replaced by a mark, and without the addresses of persons.

    Where a stage joins or cuts texts that were scrubbed apart, the pieces may give a telephone number again.
    """
    for name in (*table.prose, *table.addresses):
        if found := changes(rows, table, name):
            values = rows[name].to_pylist()
            for row, value in found.items():
                values[row] = value
            number = rows.schema.get_field_index(name)
            column = rows.schema.field(number)
            rows = rows.set_column(number, column, pa.array(values, column.type))
    return rows


def changes(rows: pa.Table, table: Table, name: str) -> Changes:
    """The rows in which a column holds personal data, with what it becomes without."""
    column = rows[name]
    if name in table.addresses:
        persons = pc.indices_nonzero(pc.fill_null(pc.match_substring_regex(column, _PERSON), False)).to_pylist()
        linked = pc.indices_nonzero(pc.fill_null(pc.match_substring_regex(column, LINK), False)).to_pylist()
        urls = column.take(pa.array(linked, pa.int64())).to_pylist()
        users = (row for row, url in zip(linked, urls, strict=True) if without_profiles(url) != url)
        return dict.fromkeys(sorted({*persons, *users}))
    if not pa.types.is_list(column.type):
        return scrubbed(column)
    found: Changes = scrubbed(_lists_of_texts(column))
    if column.type != CAPTIONS:
        return found
    captions = column.take(pa.array(sorted(found), pa.int64())).to_pylist()
    return {
        row: [{**caption, "text": text} for caption, text in zip(before, found[row], strict=True)]
        for row, before in zip(sorted(found), captions, strict=True)
    }


def _lists_of_texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The same lists with texts for captions; neither a list nor a text in it is null, which would hide the others."""
    lists = column.combine_chunks()
    flat = lists.flatten()
    texts = pc.struct_field(flat, "text") if column.type == CAPTIONS else flat
    ends = pc.cumulative_sum(pc.fill_null(pc.list_value_length(lists), 0))
    starts = pa.concat_arrays([pa.array([0], pa.int32()), ends])
    return pa.chunked_array([pa.ListArray.from_arrays(starts, pc.fill_null(texts, ""))])
