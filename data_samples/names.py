"""Pools of invented people and companies of the sample archive; no other part of the project uses them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import yaml

from data_samples.clock import Zone


class Place(NamedTuple):
    """A town in which prospects sit, with the parts of its postal address."""

    city: str
    state: str
    country: str
    zone: Zone
    postcode: str
    area: str


_POOLS: dict[str, str] = yaml.safe_load(Path(__file__).with_name("pools.yaml").read_text("utf-8"))


def _pool(key: str) -> tuple[str, ...]:
    return tuple(_POOLS[key].split())


FIRST_US = _pool("first_us")
NICK_US = (
    ("Robert", "Bob"),
    ("Margaret", "Peggy"),
    ("William", "Bill"),
    ("Elizabeth", "Liz"),
    ("Richard", "Dick"),
    ("Katherine", "Kate"),
    ("Anthony", "Tony"),
    ("Theodore", "Ted"),
    ("Patricia", "Trish"),
    ("Edward", "Ned"),
)
FIRST_UK = _pool("first_uk")
FIRST_DE = _pool("first_de")
FAMILY_US = _pool("family_us")
FAMILY_UK = _pool("family_uk")
FAMILY_DE = _pool("family_de")
ROOTS = _pool("roots")
ENDS = _pool("ends")
ROOTS_DE = _pool("roots_de")
ENDS_DE = _pool("ends_de")
INDUSTRIES = (
    ("Food & Beverage", ("Foods", "Brewing", "Dairy", "Bakeries")),
    ("Wholesale", ("Supply", "Trading", "Wholesale")),
    ("Transportation", ("Freight", "Logistics", "Haulage")),
    ("Manufacturing", ("Castings", "Tooling", "Plastics", "Fixtures")),
    ("Healthcare", ("Clinics", "Diagnostics", "Home Care")),
    ("Construction", ("Builders", "Roofing", "Concrete")),
    ("Hospitality", ("Hotels", "Resorts")),
    ("Energy", ("Solar", "Utilities Services")),
)
WORDS_DE = {
    "Food & Beverage": "Feinkost",
    "Wholesale": "Großhandel",
    "Transportation": "Spedition",
    "Manufacturing": "Maschinenbau",
    "Healthcare": "Medizintechnik",
    "Construction": "Hochbau",
    "Hospitality": "Hotelbetriebe",
    "Energy": "Energietechnik",
}
PLACES_US = (
    Place("Altoona", "PA", "US", Zone.EASTERN, "16601", "814"),
    Place("Akron", "OH", "US", Zone.EASTERN, "44308", "330"),
    Place("Macon", "GA", "US", Zone.EASTERN, "31201", "478"),
    Place("Durham", "NC", "US", Zone.EASTERN, "27701", "919"),
    Place("Peoria", "IL", "US", Zone.CENTRAL, "61602", "309"),
    Place("Tulsa", "OK", "US", Zone.CENTRAL, "74103", "918"),
    Place("Duluth", "MN", "US", Zone.CENTRAL, "55802", "218"),
    Place("Fresno", "CA", "US", Zone.PACIFIC, "93721", "559"),
    Place("Tacoma", "WA", "US", Zone.PACIFIC, "98402", "253"),
    Place("Eugene", "OR", "US", Zone.PACIFIC, "97401", "541"),
    Place("Hamilton", "ON", "CA", Zone.EASTERN, "L8P 1A1", "905"),
    Place("Kelowna", "BC", "CA", Zone.PACIFIC, "V1Y 6N2", "250"),
)
PLACES_UK = (
    Place("Huddersfield", "West Yorkshire", "UK", Zone.LONDON, "HD1 2QF", "1484"),
    Place("Swindon", "Wiltshire", "UK", Zone.LONDON, "SN1 3BB", "1793"),
    Place("Perth", "Perthshire", "UK", Zone.LONDON, "PH1 5RL", "1738"),
)
PLACES_DE = (
    Place("Bielefeld", "NRW", "DE", Zone.BERLIN, "33602", "521"),
    Place("Göttingen", "NI", "DE", Zone.BERLIN, "37073", "551"),
    Place("Würzburg", "BY", "DE", Zone.BERLIN, "97070", "931"),
)
PLACES_OUTSIDE = (
    Place("Toulouse", "Occitanie", "FR", Zone.BERLIN, "31000", "561"),
    Place("Utrecht", "UT", "NL", Zone.BERLIN, "3511 AB", "30"),
    Place("Guadalajara", "JAL", "MX", Zone.CENTRAL, "44100", "33"),
    Place("Cork", "Munster", "IE", Zone.LONDON, "T12 W8KP", "21"),
)
STREETS = (
    "Tannery Row",
    "Canal Street",
    "Foundry Lane",
    "Depot Road",
    "Orchard Avenue",
    "Quarry Hill",
    "Station Parade",
)
STREETS_DE = ("Gerberweg", "Am Güterbahnhof", "Lindenstraße", "Mühlengasse")
LEDGERS = ("NetSuite", "SAP Business One", "Dynamics 365", "Sage Intacct", "SAP S/4HANA", "Acumatica")
LEDGERS_UNSUPPORTED = ("MAS 90", "in-house COBOL", "Exact Globe", "Infor LN")
TITLES = ("Accounts Payable Manager", "Controller", "Head of Finance", "AP Team Lead", "Finance Director")
TITLES_OTHER = ("Procurement Lead", "HR Generalist", "Accounts Clerk", "IT Manager", "Office Manager")
PAPERS = (
    "Valley Ledger-Post",
    "Trade Weekly",
    "Harbor Business Journal",
    "County Courier",
    "Industry Monthly",
)

VENDOR = "Tarnwick Software"
VENDOR_DOMAIN = "tarnwick.com"
COMPETITORS = ("Billhammer", "Vantiro")
COMPETITOR_OWNER = "Vantiro Holdings"
EXEMPT_GROUP = "Vessby Group"
EXEMPT_COMPANIES = (
    ("Vessby Packaging", "vessby-packaging.com"),
    ("Vessby Cold Chain", "vessbycoldchain.com"),
    ("Vessby Retail Services", "vessby-retail.com"),
)


def draw_from(pools: dict[str, tuple[str, ...]]) -> None:
    """Draw from other pools from now on in this process: `first_us`, `family_de`, `roots` and the like.

    Archives for measurements have names on which nothing was tuned; the committed one has its own.
    """
    unknown = sorted(set(pools) - set(_POOLS))
    if unknown:
        raise ValueError(f"no pool {', '.join(unknown)}: choose from {', '.join(sorted(_POOLS))}")
    for key, words in pools.items():
        globals()[key.upper()] = words
