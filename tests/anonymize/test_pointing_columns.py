"""A person column that points to people (an agent, an owner) makes no new person of each row."""

import polars as pl
import pytest

from anonymize.evidence import Evidence, collect_table
from contracts.manifest import ColumnSpec
from contracts.tables import ColumnKind

COLUMNS = {
    "deal": ColumnSpec(kind=ColumnKind.ID),
    "agent": ColumnSpec(kind=ColumnKind.PERSON),
    "account": ColumnSpec(kind=ColumnKind.COMPANY),
}


def mentions_of(agents):
    frame = pl.DataFrame(
        {
            "deal": [f"D-{number}" for number in range(len(agents))],
            "agent": agents,
            "account": [f"Acme{number} Ltd" for number in range(len(agents))],
        }
    )
    evidence = Evidence()
    collect_table(evidence, "records-crm-deals", frame, COLUMNS, ["deal"], "crm.deals")
    return evidence.persons


@pytest.mark.parametrize("rows", [4, 60])
def test_an_agent_of_many_deals_is_one_mention_without_company_and_key(rows):
    (mention,) = mentions_of(["Cora Zellinger"] * rows)
    assert mention.companies == () and [name.last for name in mention.names] == ["Zellinger"]


def test_a_table_of_people_keeps_each_with_company_and_key():
    found = mentions_of(["Cora Zellinger", "Otto Brandt", "Cora Zellinger"])
    assert len(found) == 3 and all(mention.companies for mention in found)
