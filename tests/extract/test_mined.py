"""How mined rules read: every operator and kind of value as a phrase after "with"."""

import pytest

from contracts.decisions import Condition, Operator
from extract.mined import condition_words


@pytest.mark.parametrize(
    ("fact", "operator", "value", "words"),
    [
        ("employees", Operator.AT_MOST, 113, "at most 113 employees"),
        ("employees", Operator.ABOVE, 9, "more than 9 employees"),
        ("days_after_invoice", Operator.AT_LEAST, 30, "at least 30 days after invoice"),
        ("employees", Operator.BELOW, 200, "less than 200 employees"),
        ("public_body", Operator.EQUALS, True, "public body"),
        ("public_body", Operator.EQUALS, False, "no public body"),
        ("public_body", Operator.DIFFERS, True, "no public body"),
        ("region", Operator.IN, ["CH"], "region CH"),
        ("region", Operator.NOT_IN, ["CA", "US"], "region other than CA or US"),
        ("ledger_system", Operator.EQUALS, "MAS 90", "ledger system MAS 90"),
        ("ledger_system", Operator.DIFFERS, "MAS 90", "ledger system other than MAS 90"),
    ],
)
def test_a_condition_reads_like_a_sentence(
    fact: str, operator: Operator, value: int | bool | str | list[str], words: str
) -> None:
    assert condition_words(Condition(fact=fact, operator=operator, value=value)) == words
