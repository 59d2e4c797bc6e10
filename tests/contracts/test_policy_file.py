"""The policy of a dataset at the border: what it may say, and what is wrong with what it says."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from contracts.policy import Action, Policy
from contracts.tables import ColumnKind


def test_a_word_alone_is_a_rule_and_nothing_named_is_pseudonymised() -> None:
    policy = Policy.model_validate({"kinds": {"phone": "drop"}, "columns": {"crm.user.Salary": "keep"}})
    assert policy.kinds[ColumnKind.PHONE].action is Action.DROP
    assert policy.columns["crm.user.Salary"].action is Action.KEEP
    assert Policy() == Policy.model_validate({})


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ({"kinds": {"fax": "drop"}}, "kinds.fax"),
        ({"kinds": {"phone": "burn"}}, "phone.action"),
        ({"kinds": {"money": "bin"}}, "at least one"),
        ({"kinds": {"money": {"action": "bin", "bounds": [10, 5]}}}, "ascend"),
        ({"kinds": {"money": {"action": "drop", "bounds": [10]}}}, "go with"),
        ({"kinds": {"phone": {"action": "bin", "bounds": [10]}}}, "kinds.phone: bin is for numbers"),
        ({"kinds": {"date": "generalise"}}, "either `to`"),
        ({"kinds": {"date": {"action": "generalise", "digits": 2}}}, "for postcodes"),
        ({"kinds": {"postcode": {"action": "generalise", "to": "month"}}}, "for dates"),
        ({"kinds": {"date": {"action": "generalise", "to": "week"}}}, "date.to"),
        ({"kinds": {"provenance": "keep"}}, "provenance joins"),
        ({"kinds": {"id": "drop"}}, "join tables"),
        ({"kinds": {"text": "quarantine"}}, "special_categories"),
        ({"columns": {"Salary": "drop"}}, "no source.table.column"),
        ({"special_categories": {"health": []}}, "no words"),
        ({"special_categories": {"health": ["*"]}}, "two letters|at least 2"),
        ({"special_categories": {"He alth": ["ill"]}}, "lower-case"),
        ({"kind": {}}, "kind"),
    ],
)
def test_faults_name_their_place(content: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        Policy.model_validate(content)
