"""A person column that points to people (an agent, an owner) makes no new person of each row."""

import polars as pl
import pytest

from anonymize.contexts import RecordScope
from anonymize.evidence import Evidence, collect_table
from anonymize.resolution import build_registry
from anonymize.table_shapes import shape_of
from contracts.manifest import ColumnSpec, Company
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


OWNED = {
    "customer": ColumnSpec(kind=ColumnKind.ID),
    "contact": ColumnSpec(kind=ColumnKind.PERSON),
    "email": ColumnSpec(kind=ColumnKind.EMAIL),
    "owner": ColumnSpec(kind=ColumnKind.LOGIN),
}
STAFF = {
    "login": ColumnSpec(kind=ColumnKind.LOGIN),
    "first": ColumnSpec(kind=ColumnKind.PERSON, part="first", person="staff"),
    "last": ColumnSpec(kind=ColumnKind.PERSON, part="last", person="staff"),
}
CONTACTS = ["Uwe Brackmann", "Heiko Fuhrmann", "Piotr Glowacki", "Joost Haverkort", "Anke Jessen"]
OWNERS = {"idorfler": "Ines Dorfler", "sehmann": "Silke Ehmann"}


def registry_of(owned, owners, *, emails=True):
    evidence = Evidence()
    contacts = pl.DataFrame(
        {
            "customer": [f"C{place}" for place in range(len(CONTACTS))],
            "contact": CONTACTS,
            "email": [
                f"{name.replace(' ', '.').lower()}@firm{place}.de" for place, name in enumerate(CONTACTS)
            ],
            "owner": owners,
        }
    )
    contacts = contacts if emails else contacts.drop("email")
    collect_table(evidence, "records-crm-customers", contacts, owned, ["customer"], "crm.customers")
    names = [name.split() for name in OWNERS.values()]
    staff = pl.DataFrame(
        {"login": list(OWNERS), "first": [n[0] for n in names], "last": [n[1] for n in names]}
    )
    collect_table(evidence, "records-crm-staff", staff, STAFF, ["login"], "crm.staff")
    company = Company(names=["Kranz"], domains=["kranz.de"], zones=["UTC"], currency="EUR")
    return build_registry(evidence, company), contacts


@pytest.mark.parametrize("emails", [True, False])
@pytest.mark.parametrize(
    ("owned", "owners"),
    [
        (OWNED, ["idorfler"] * 5),
        (OWNED, ["idorfler", "sehmann"] * 2 + ["idorfler"]),
        (
            OWNED | {"owner": ColumnSpec(kind=ColumnKind.LOGIN, references="crm.staff.login")},
            ["idorfler"] * 5,
        ),
    ],
)
def test_an_owner_is_nobody_of_the_contacts(owned, owners, emails):
    registry, contacts = registry_of(owned, owners, emails=emails)
    people = [registry.by_name[name.lower()] for name in (*CONTACTS, *OWNERS.values())]
    assert all(len(found) == 1 for found in people) and len(set(people)) == len(people)
    assert registry.by_login["idorfler"] == registry.by_name["ines dorfler"][0]
    scope = RecordScope(registry, shape_of(contacts, owned, ["customer"]), "crm.customers", {})
    for row in contacts.to_dicts():
        named = registry.by_name[row["contact"].lower()][0]
        assert scope.person(row, "contact") == named
        assert set(scope.context(row).persons) == {named, registry.by_login[row["owner"]]}


def test_a_login_beside_one_name_is_that_person_s_own():
    evidence = Evidence()
    staff = pl.DataFrame({"login": ["idorfler", "sehmann", "sehmann"], "first": ["Ines", "Silke", "Silke"],
                          "last": ["Dorfler", "Ehmann", "Ehmann-Kohl"]})  # fmt: skip
    collect_table(evidence, "records-crm-staff", staff, STAFF, [], "crm.staff")
    assert {name.last: mention.logins for mention in evidence.persons for name in mention.names} == {
        "Dorfler": ("idorfler",), "Ehmann": ("sehmann",), "Ehmann-Kohl": ("sehmann",),
    }  # fmt: skip


@pytest.mark.parametrize("people", [["contact"], ["contact", "rep"], ["contact", "rep", "approver"]])
def test_a_company_is_known_however_many_people_stand_beside_it(people):
    evidence = Evidence()
    columns = {name: ColumnSpec(kind=ColumnKind.PERSON) for name in people}
    frame = pl.DataFrame(
        {"firm": ["Obermoser Fördertechnik GmbH"], **{name: [f"{name.title()} Quandt"] for name in people}}
    )
    collect_table(
        evidence, "records-erp-x", frame, {"firm": ColumnSpec(kind=ColumnKind.COMPANY), **columns}, [], "e.x"
    )
    company = Company(names=["Kranz"], domains=["kranz.de"], zones=["UTC"], currency="EUR")
    assert "obermoser fordertechnik" in build_registry(evidence, company).company_by_name


CRM = {
    "id": ColumnSpec(kind=ColumnKind.ID),
    "Account": ColumnSpec(kind=ColumnKind.COMPANY),
    "Owner": ColumnSpec(kind=ColumnKind.PERSON),
}
KRANZ = Company(names=["Kranz"], domains=["kranz.de"], zones=["UTC"], currency="EUR")


@pytest.mark.parametrize(
    "heading", ["Owner", "Account Owner", "OwnerName", "account_manager", "Kundenbetreuer"]
)
@pytest.mark.parametrize("owners", [["Monika Kessler"], ["Monika Kessler", "Jaromir Halb"]])
@pytest.mark.parametrize("emails", [True, False])
def test_an_owner_in_full_is_nobody_of_the_company(heading, owners, emails):
    rows = 2 * len(owners) - 1
    table = {
        "id": [f"A-{row}" for row in range(rows)],
        "Account": [f"Zorbel{row} GmbH" for row in range(rows)],
    }
    frame = pl.DataFrame(table | {heading: [owners[row % len(owners)] for row in range(rows)]})
    specs = {"id": CRM["id"], "Account": CRM["Account"], heading: CRM["Owner"]}
    if emails:
        frame = frame.with_columns(
            mail=pl.Series([f"einkauf.mit{row}@zorbel{row}.de" for row in range(rows)])
        )
        specs["mail"] = ColumnSpec(kind=ColumnKind.EMAIL)
    evidence = Evidence()
    collect_table(evidence, "records-crm-accounts", frame, specs, ["id"], "crm.accounts")
    registry = build_registry(evidence, KRANZ)
    for owner in owners:
        (person,) = registry.by_name[owner.lower()]
        held = registry.persons[person]
        assert (held.companies, held.records, held.addresses) == ((), (), ())
    assert {f"zorbel{row}" for row in range(rows)} <= set(registry.company_by_name)
    assert registry.company_by_record["crm.accounts.id|A-0"] == registry.company_by_name["zorbel0"]


FIRMS = [
    "Ulmenhof GmbH",
    "Brenner AG",
    "Dockstra BV",
    "Ferrand SA",
    "Galt Ltd",
    "Hovde Inc",
    "Ilsen KG",
    "Jarn AG",
]
EIGHT = [*CONTACTS, "Marlies Kettner", "Nils Ostrau", "Olga Pawlik"]


@pytest.mark.parametrize("heading", ["owner", "xyz"])
def test_eight_contacts_of_two_owners_in_full_keep_company_and_address(heading):
    specs = {
        "contact": ColumnSpec(kind=ColumnKind.PERSON),
        "firm": ColumnSpec(kind=ColumnKind.COMPANY),
        "mail": ColumnSpec(kind=ColumnKind.EMAIL),
        heading: ColumnSpec(kind=ColumnKind.PERSON),
    }
    mails = [f"{name.replace(' ', '.').lower()}@firm{place}.de" for place, name in enumerate(EIGHT)]
    owners = list(OWNERS.values()) * 4
    frame = pl.DataFrame({"contact": EIGHT, "firm": FIRMS, "mail": mails, heading: owners})
    evidence = Evidence()
    collect_table(evidence, "records-crm-contacts", frame, specs, [], "crm.contacts")
    registry = build_registry(evidence, KRANZ)
    for name, mail in zip(EIGHT, mails, strict=True):
        (person,) = registry.by_name[name.lower()]
        assert registry.by_address[mail] == person and registry.persons[person].companies
    assert all(not registry.persons[registry.by_name[name.lower()][0]].companies for name in OWNERS.values())
    scope = RecordScope(registry, shape_of(frame, specs, []), "crm.contacts", {})
    for row in frame.to_dicts():
        assert scope.person(row, heading) == registry.by_name[row[heading].lower()][0]
        assert scope.person(row, "contact") == registry.by_name[row["contact"].lower()][0]
