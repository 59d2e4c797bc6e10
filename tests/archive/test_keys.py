"""Keys and references of unknown tables are proposed from their values, with names as the second witness."""

from __future__ import annotations

import polars as pl
import pytest

from archive.keys import name_of_table, propose_keys, singular
from archive.references import ReferenceProposal, propose_references


def frame(**columns: list[str | None]) -> pl.DataFrame:
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def numbers(count: int, first: int = 1) -> list[str | None]:
    return [str(first + step) for step in range(count)]


def sure(tables: dict[str, pl.DataFrame]) -> set[tuple[str, str, str, str]]:
    return {
        (one.from_table, one.from_column, one.to_table, one.to_column)
        for one in propose_references(tables)
        if one.confidence >= 0.8
    }


CUSTOMERS = frame(
    id=[f"C{number:05d}" for number in range(40)],
    name=[f"Firm {number}" for number in range(40)],
    employees=[str(7 * number) for number in range(40)],
)


def test_the_id_of_its_table_is_the_surest_key() -> None:
    best = propose_keys(CUSTOMERS, "customers")[0]
    assert (best.columns, best.confidence) == (("id",), 0.97)
    assert "named as the id" in best.why


def test_amounts_and_row_numbers_are_no_keys() -> None:
    table = frame(column_1=numbers(30), amount=[f"{number}.17" for number in range(30)])
    assert [key for key in propose_keys(table) if key.confidence >= 0.5] == []


def test_rows_without_an_id_lower_the_confidence_of_a_key() -> None:
    holes: list[str | None] = [*numbers(95, 4_500_000), None, None]
    best = propose_keys(frame(order_no=holes, status=["open"] * 97), "orders")[0]
    assert best.columns == ("order_no",)
    assert "2 rows without one" in best.why
    assert best.confidence < propose_keys(frame(order_no=holes[:95]), "orders")[0].confidence


def test_joint_keys_are_found_where_no_column_tells_rows_apart() -> None:
    lines = frame(
        order_id=[str(4_500_000 + number // 3) for number in range(60)],
        line=[str(10 * (number % 3)) for number in range(60)],
        note=["x"] * 60,
    )
    assert propose_keys(lines, "order lines")[0].columns == ("order_id", "line")
    triple = frame(
        doc=[str(number // 8) for number in range(64)],
        year=[str(2000 + number // 4 % 2) for number in range(64)],
        item=[str(number % 4) for number in range(64)],
    )
    assert propose_keys(triple)[0].columns == ("doc", "year", "item")


@pytest.mark.parametrize("table", [frame(), frame(a=[]), frame(a=["x", "x"], b=["y", "y"])])
def test_tables_that_repeat_have_no_key(table: pl.DataFrame) -> None:
    assert propose_keys(table) == []


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("customer_id", [f"C{number:05d}" for number in range(0, 40, 2)]),
        ("CustomerId", ["C00001", "C00001", "C00007"]),
        ("bill_to_customer_id", ["C00001", "C00009", "C00007"]),
    ],
)
def test_columns_named_after_a_table_refer_to_it(column: str, values: list[str | None]) -> None:
    orders = pl.DataFrame({"order_no": numbers(len(values), 7_000_000), column: values})
    assert sure({"customers": CUSTOMERS, "orders": orders}) == {("orders", column, "customers", "id")}


def test_ids_as_floats_and_with_zeros_match_whole_ones() -> None:
    docs = frame(BELNR=numbers(50, 1_500_000_001), BLART=["RE"] * 50)
    items = frame(
        BELNR=[f"00{1_500_000_001 + step // 2}.0" for step in range(80)],
        BUZEI=[str(step % 2) for step in range(80)],
    )
    assert sure({"BKPF": docs, "BSEG": items}) == {("BSEG", "BELNR", "BKPF", "BELNR")}


def test_telling_values_refer_without_a_name() -> None:
    items = frame(clearing=numbers(30, 1_500_000_010), wrbtr=["1.50"] * 30)
    docs = frame(doc_no=numbers(99, 1_500_000_001))
    found = propose_references({"docs": docs, "items": items})
    assert [(one.from_column, one.to_column) for one in found if one.confidence >= 0.8] == [
        ("clearing", "doc_no")
    ]
    assert "too telling for chance" in found[0].why


def test_small_whole_numbers_refer_to_nothing_by_chance() -> None:
    stages = frame(id=numbers(12), label=[f"stage {number}" for number in range(12)])
    deals = frame(
        deal_no=numbers(60, 9_000_000),
        priority=[str(1 + number % 5) for number in range(60)],
        position=[str(1 + number % 12) for number in range(60)],
        month=[str(1 + number % 12) for number in range(60)],
        weight=[str(1 + number % 9) for number in range(60)],
        stage_id=[str(1 + number % 12) for number in range(60)],
    )
    assert sure({"stages": stages, "deals": deals}) == {("deals", "stage_id", "stages", "id")}


def test_amounts_dates_and_flags_refer_to_nothing() -> None:
    one = frame(
        id=numbers(30, 100_000), amount=numbers(30, 100_000), day=["2024-01-01"] * 30, open=["true"] * 30
    )
    other = frame(
        no=numbers(30, 100_000), price=numbers(30, 100_000), day=[f"2024-01-{d:02d}" for d in range(1, 31)]
    )
    assert all(
        found.from_column == "no" or found.from_column == "id"
        for found in propose_references({"a": one, "b": other})
    )


def test_second_deliveries_of_a_table_do_not_refer_to_the_first() -> None:
    table = frame(
        doc=numbers(50, 5_000_000),
        user=["ab"] * 50,
        day=["2024-01-01"] * 50,
        code=["WE"] * 50,
        text=["x"] * 50,
    )
    assert sure({"docs": table, "docs_new": table.head(30)}) == set()


def test_people_refer_to_their_superiors_in_their_own_table() -> None:
    staff = frame(
        employee_id=[f"E{number:04d}" for number in range(20)],
        reports_to=[None, *(f"E{number // 4:04d}" for number in range(19))],
    )
    assert sure({"employees": staff}) == {("employees", "reports_to", "employees", "employee_id")}


def test_roles_of_people_refer_to_users() -> None:
    users = frame(
        id=[f"005{number:06d}" for number in range(9)], name=[f"Person {number}" for number in range(9)]
    )
    deals = frame(no=numbers(30, 8_000_000), owner_id=[f"005{number % 9:06d}" for number in range(30)])
    assert ("deals", "owner_id", "users", "id") in sure({"users": users, "deals": deals})


def test_partial_coverage_is_told_and_lowers_confidence() -> None:
    orders = frame(no=numbers(20, 7_000_000), customer_id=[f"C{number:05d}" for number in range(30, 50)])
    found = [
        one
        for one in propose_references({"customers": CUSTOMERS, "orders": orders})
        if one.from_column == "customer_id"
    ]
    assert [(one.coverage, one.confidence) for one in found] == [(0.5, 0.55)]


def test_one_target_is_surest_and_the_rest_are_doubtful() -> None:
    tables = {
        "customer": CUSTOMERS,
        "customer_extra": CUSTOMERS.select("id", pl.lit("x").alias("remark")),
        "orders": frame(no=numbers(20, 7_000_000), customer_id=[f"C{number:05d}" for number in range(20)]),
    }
    found = [one for one in propose_references(tables) if one.from_column == "customer_id"]
    assert (found[0].to_table, found[0].confidence >= 0.9) == ("customer", True)
    assert all(one.confidence <= 0.6 for one in found[1:])


def test_the_same_tables_give_the_same_proposals() -> None:
    tables = {
        "customers": CUSTOMERS,
        "orders": frame(no=numbers(20, 7_000_000), customer_id=[f"C{number:05d}" for number in range(20)]),
    }
    first = propose_references(tables)
    assert first == propose_references(tables)
    assert all(isinstance(one, ReferenceProposal) and 0 < one.confidence < 1 for one in first)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sales_teams", ["sales", "team"]),
        ("deal_data", ["deal"]),
        ("OpportunityLineItems", ["opportunity", "line", "item"]),
        ("addresses", ["address"]),
    ],
)
def test_tables_fall_into_words(name: str, words: list[str]) -> None:
    assert name_of_table(name) == words


def test_singulars() -> None:
    assert [singular(word) for word in ("companies", "boxes", "status", "class", "orders", "bus")] == [
        "company",
        "box",
        "status",
        "class",
        "order",
        "bus",
    ]


def test_a_number_that_is_passed_on_leads_to_where_it_comes_from() -> None:
    orders = pl.DataFrame(
        {"Order": [f"4500{n:06d}" for n in range(60)], "Net": [f"{n}.50" for n in range(60)]}
    )
    deliveries = pl.DataFrame(
        {
            "Delivery": [f"8000{n:06d}" for n in range(50)],
            "Order Ref": [f"4500{n:06d}" for n in range(50)],
        }
    )
    plans = pl.DataFrame(
        {"Plan": [f"DW-{n:04d}" for n in range(40)], "Order No": [f"4500{n:06d}" for n in range(40)]}
    )
    found = propose_references({"orders": orders, "deliveries": deliveries, "plans": plans})
    targets = {(one.from_table, one.from_column): (one.to_table, one.to_column) for one in found}
    assert targets["plans", "Order No"] == ("orders", "Order")
    assert targets["deliveries", "Order Ref"] == ("orders", "Order")
