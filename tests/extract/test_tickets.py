"""How a ticket ended: by its resolution, or by the label of a help desk that has no field for it."""

from __future__ import annotations

import pytest

from extract.objects import build_objects
from extract.tickets import read_tickets
from tests.extract.small_datasets import small_dataset


@pytest.mark.parametrize(
    ("resolution", "labels", "ended"),
    [
        ("Credited", ["result_rejected"], "Credited"),
        (None, ["complaint", "billing", "result_rejected"], "rejected"),
        (None, ["resolution: wont_do"], "wont_do"),
        (None, ["complaint", "results", "no_result_yet"], ""),
        (None, [], ""),
    ],
)
def test_a_label_states_the_result_where_the_field_is_missing(
    resolution: str | None, labels: list[str], ended: str
) -> None:
    row = {
        "ticket_id": "t-1",
        "ticket_key": "1",
        "source": "desk",
        "resolution": resolution,
        "labels": labels,
    }
    data = small_dataset([], {}, tickets=[row])
    assert [ticket.resolution for ticket in read_tickets(data, build_objects(data))] == [ended]
