"""The condition of CRM records and the market they show: age, staleness, industries, sizes, regions."""

from __future__ import annotations

from typing import NamedTuple

from contracts.company_model import CrmCondition, Quantiles, Share
from extract.dataset import Dataset, is_true, whole_number
from extract.figures import quantiles, share, shares
from extract.moments import DAY_SECONDS, read_moment
from extract.objects import BusinessObject, ObjectGraph
from extract.traps import Found


class Market(NamedTuple):
    """What kind of companies the CRM holds."""

    industries: dict[str, Share]
    sizes: Quantiles
    regions: dict[str, Share]


def crm_condition(data: Dataset, graph: ObjectGraph, found: Found, last: int) -> CrmCondition:
    """Returns how old and how wrong records are, as of the archive's last event."""
    ages = []
    for record in companies(graph):
        verified = read_moment(record.attributes.get("last_verified"), data.zone)
        if verified is not None and verified.second <= last:
            ages.append((last - verified.second) // DAY_SECONDS)
    contacts = graph.of_type("contact")
    blocked = [one.record for one in contacts if is_true(one.attributes.get("do_not_contact"))]
    per_account = [
        len(graph.sources(account.object_id, "contact")) for account in graph.of_type("account") if contacts
    ]
    return CrmCondition(
        age_days=quantiles(ages, "days"),
        stale=share([one.record for one in found.stale], found.records),
        do_not_contact=share(blocked, len(contacts)),
        contacts_per_account=quantiles(per_account, "contacts"),
    )


def market(graph: ObjectGraph) -> Market:
    """Returns industries, sizes and regions of the companies in the CRM."""
    records = companies(graph)
    sizes = [size for one in records if (size := whole_number(one.attributes.get("employees"))) is not None]
    return Market(
        shares([(one.record, one.attributes["industry"]) for one in records if "industry" in one.attributes]),
        quantiles(sizes, "employees"),
        shares([(one.record, one.attributes["region"]) for one in records if "region" in one.attributes]),
    )


def companies(graph: ObjectGraph) -> list[BusinessObject]:
    """Returns accounts, or leads where there are none."""
    return graph.of_type("account") or graph.of_type("lead")
