"""The company's own people: found by every name that systems give them, and nobody is what he acted on."""

from __future__ import annotations

import pytest

from extract.objects import build_objects
from extract.people import Staff
from tests.extract.small_datasets import small_dataset, source

USERS = {
    "columns": {"login": {"kind": "login"}, "mail": {"kind": "email"}},
    "objects": [{"type": "user", "id_column": "login", "attributes": {"role": "role"}}],
}
DATA = small_dataset(
    [source("erp", "erp", users=USERS, deliveries={"columns": {"by": {"kind": "login"}}})],
    {
        "users": [
            {"login": "WMAY", "mail": "will.may@own.example", "role": "Controller"},
            {"login": "ALEE", "mail": "ann.lee@own.example", "role": "Agent"},
        ],
        "deliveries": [{"no": "1", "by": "WMAY"}, {"no": "2", "by": "ALEE"}],
    },
    links=[
        {
            "link_id": f"l{number}",
            "kind": "identifier",
            "from_table": "records-erp-deliveries",
            "from_id": f"deliveries-{delivery}",
            "to_table": "records-erp-users",
            "to_id": f"users-{user}",
        }
        for number, (delivery, user) in enumerate([(0, 0), (1, 1), (1, 0)])
    ],
)


@pytest.mark.parametrize(
    ("written", "role"),
    [
        ("wmay", "Controller"),
        ("will.may", "Controller"),
        ("Will.May@own.example", "Controller"),
        ("ann.lee@own.example", "Agent"),
        ("will.may@other.example", ""),
        ("", ""),
    ],
)
def test_a_login_may_be_an_address_of_the_company(written: str, role: str) -> None:
    staff = Staff(DATA, build_objects(DATA))
    assert staff.role_of(staff.by_login(written)) == role


def test_a_record_that_names_two_users_makes_them_no_single_person() -> None:
    assert [person.role for person in Staff(DATA, build_objects(DATA)).people] == ["Controller", "Agent"]
