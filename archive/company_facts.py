"""What an archive tells of its company: domains, names, zones, currency, locale, each with its evidence.

Belongs here: evidence from mails and tables, and what is concluded from it. Does not belong here: which
files are mails or tables (`archive.sniffing`), what columns mean (`archive.columns`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.parser import BytesHeaderParser
from email.policy import compat32
from functools import lru_cache
from zoneinfo import ZoneInfo

import phonenumbers
import tldextract
from phonenumbers import timezone as phone_zones

from archive.addresses import parse_mailboxes
from archive.findings import Check
from archive.mailbox import RawMessage
from archive.message import iso_date
from contracts.manifest import Company

MAX_MAILS = 3_000
_HEAD = 32 * 1024
_FREE = frozenset(
    "gmail googlemail yahoo ymail hotmail outlook live msn aol gmx web free t-online mail icloud me mac "
    "protonmail proton comcast verizon att earthlink mindspring juno orange wanadoo laposte libero qq 163 "
    "126 yandex fastmail hushmail onlinemailbox zoho example localhost".split()
)
"""Second-level names of mail providers; no company's own domain."""
_AUTOMATIC = re.compile(r"^(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|bounce)", re.IGNORECASE)
_STAMP = re.compile(r"\b(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s?(Z|[+-]\d\d:?\d\d)")
_PHONE = re.compile(rb"(?<![\d.-])(?:\+1[ .-]?)?\(?([2-9]\d\d)\)?[ ./-]{1,2}([2-9]\d\d)[ .-](\d{4})(?!\d)")
_CURRENCY_NAME = re.compile(
    r"curr(?:ency)?|^waers$|^hwaer$|^pswsl$|^wkz|w\xe4hrung|iso_?code|^ccy$", re.IGNORECASE
)
_CODES = frozenset(
    "USD EUR GBP CHF JPY CNY AUD CAD NZD SEK NOK DKK PLN CZK HUF INR BRL MXN ZAR SGD HKD KRW TRY ILS".split()
)
_SIGNS = {"$": "USD", "\u20ac": "EUR", "\xa3": "GBP", "\xa5": "JPY"}
_SIGNED = re.compile(r"([$\u20ac\xa3\xa5])\s?\d|\d\s?(\u20ac)")
_ZONES: dict[str, tuple[str, str]] = {
    "America/New_York": ("en_US", "USD"),
    "America/Chicago": ("en_US", "USD"),
    "America/Los_Angeles": ("en_US", "USD"),
    "America/Denver": ("en_US", "USD"),
    "Europe/Berlin": ("de_DE", "EUR"),
    "Europe/London": ("en_GB", "GBP"),
    "UTC": ("en_US", "USD"),
    "Europe/Helsinki": ("fi_FI", "EUR"),
    "Europe/Moscow": ("ru_RU", "EUR"),
    "Asia/Kolkata": ("en_IN", "INR"),
    "Asia/Shanghai": ("zh_CN", "CNY"),
    "Asia/Tokyo": ("ja_JP", "JPY"),
    "Australia/Sydney": ("en_AU", "AUD"),
    "Australia/Brisbane": ("en_AU", "AUD"),
    "America/Sao_Paulo": ("pt_BR", "BRL"),
    "America/Phoenix": ("en_US", "USD"),
    "America/Halifax": ("en_CA", "CAD"),
    "Pacific/Auckland": ("en_NZ", "NZD"),
    "Asia/Dubai": ("en_AE", "USD"),
}
"""Zones that are proposed, most usual first, with locale and currency where nothing else tells them."""
_COUNTRY_ZONES = {
    "nl": ("Europe/Amsterdam", "nl_NL"),
    "pl": ("Europe/Warsaw", "pl_PL"),
    "fr": ("Europe/Paris", "fr_FR"),
    "ch": ("Europe/Zurich", "de_CH"),
    "at": ("Europe/Vienna", "de_AT"),
    "it": ("Europe/Rome", "it_IT"),
    "es": ("Europe/Madrid", "es_ES"),
    "se": ("Europe/Stockholm", "sv_SE"),
    "dk": ("Europe/Copenhagen", "da_DK"),
    "no": ("Europe/Oslo", "nb_NO"),
}
"""Countries that keep the hours of Berlin, by the ending of a company's domain."""
_CURRENCY_ZONES = {
    "GBP": "Europe/London",
    "EUR": "Europe/Berlin",
    "PLN": "Europe/Warsaw",
    "CHF": "Europe/Zurich",
    "JPY": "Asia/Tokyo",
    "INR": "Asia/Kolkata",
}
"""Zone of most companies that count in a currency, where no time has an offset."""
_LEAST = 5
_LEAST_TIMES = 10
"""Fewer times tell no zone."""
_LEAST_SHARE = 0.6
"""Of all times that a zone must explain; people all over the world have none in common."""


@dataclass
class Evidence:
    """What speaks for facts about the company, counted."""

    senders: Counter[str] = field(default_factory=Counter)
    """Registrable domain -> mails sent."""
    people: dict[str, set[str]] = field(default_factory=dict)
    """Registrable domain -> addresses seen."""
    stamps: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    """Domain of the sender or "", date, minutes east -> how often."""
    phones: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Domain of the sender, area code -> how often."""
    currencies: Counter[str] = field(default_factory=Counter)
    signs: Counter[str] = field(default_factory=Counter)
    mails: int = 0

    def add_mails(self, messages: Iterable[RawMessage]) -> None:
        """Counts senders, offsets and telephone numbers."""
        parser = BytesHeaderParser(policy=compat32)
        for raw in messages:
            self.mails += 1
            headers = parser.parsebytes(raw.data[:_HEAD])
            boxes = parse_mailboxes(str(headers.get("from", "")))
            address = next((box.address for box in boxes if "@" in box.address), "").lower()
            domain = "" if _AUTOMATIC.match(address) else registrable(address.rpartition("@")[2])
            if domain:
                self.senders[domain] += 1
                self.people.setdefault(domain, set()).add(address)
            moment = iso_date(str(headers.get("date", "")))
            if moment is not None:
                self.stamps[domain, moment[:10], _minutes(moment[19:])] += 1
            for match in _PHONE.finditer(raw.data[-1_500:]):
                self.phones[domain, match[1].decode()] += 1
            self._add_signs(raw.data[:4_000].decode("utf-8", "ignore"))

    def add_cells(self, column: str, values: Sequence[str]) -> None:
        """Counts currencies, signs and offsets of one column's first cells."""
        first = values[:500]
        if _CURRENCY_NAME.search(column):
            codes = [value.strip().upper() for value in first]
            self.currencies.update(code for code in codes if code in _CODES)
        for value in first:
            match = _STAMP.match(value)
            if match is not None:
                self.stamps["", match[1], _minutes(match[2])] += 1
            else:
                self._add_signs(value[:4_000])

    def _add_signs(self, text: str) -> None:
        for match in _SIGNED.finditer(text):
            self.signs[_SIGNS[match[1] or match[2]]] += 1


@lru_cache(maxsize=100_000)
def registrable(domain: str) -> str:
    """Returns the part of a domain that an owner registered: "git.apache.org" gives "apache.org", else ""."""
    plain = domain.strip("> .")
    found = _EXTRACT(plain)
    if found.domain and found.suffix:
        return f"{found.domain}.{found.suffix}"
    return ".".join(plain.split(".")[-2:]) if "." in plain else ""


_EXTRACT = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


def _area_zone(area: str) -> str:
    """Returns the zone of a North American area code, "" where it has several or none."""
    try:
        number = phonenumbers.parse(f"+1{area}5550100")
    except phonenumbers.NumberParseException:
        return ""
    zones = phone_zones.time_zones_for_geographical_number(number)
    return zones[0] if len(zones) == 1 and zones[0] in _ZONES else ""


def _minutes(offset: str) -> int:
    if offset in ("Z", ""):
        return 0
    sign = -1 if offset[0] == "-" else 1
    return sign * (int(offset[1:3]) * 60 + int(offset[-2:]))


def conclude(evidence: Evidence) -> tuple[Company, list[Check]]:
    """Returns the company that the evidence speaks of, and what of it a person should check."""
    checks: list[Check] = []
    domain = _own_domain(evidence, checks)
    zone = _zone(evidence, domain, checks)
    currency = _currency(evidence, zone, checks)
    if not zone:
        zone = _CURRENCY_ZONES.get(currency, "UTC") if evidence.currencies else "UTC"
        told = "hardly any time in the data has an offset" + (
            f"; usual with {currency}" if zone != "UTC" else ""
        )
        checks.append(Check("company.zones", zone, told))
    zone, locale = _settled(domain, zone)
    names = [domain.split(".")[0].title()] if domain else []
    told = (
        "from the domain" if domain else "nothing in the data tells it: add it, so that it is pseudonymised"
    )
    checks.append(Check("company.names", ", ".join(names) or "none", told))
    company = Company(
        names=names, domains=[domain] if domain else [], zones=[zone], currency=currency, locale=locale
    )
    return company, checks


def _own_domain(evidence: Evidence, checks: list[Check]) -> str:
    """The domain that sends most mails and belongs to no provider; a second one nearly as busy is told."""
    busy = [
        (domain, count)
        for domain, count in sorted(evidence.senders.items(), key=lambda item: (-item[1], item[0]))
        if domain.split(".")[0] not in _FREE
    ]
    if not busy:
        return ""
    (domain, count), total = busy[0], sum(evidence.senders.values())
    rivals = [
        (other, sent)
        for other, sent in busy[1:]
        if sent * 3 >= count and len(evidence.people[other]) * 2 >= len(evidence.people[domain])
    ]
    if rivals:
        shown = ", ".join(f"{other} ({sent} mails)" for other, sent in rivals[:3])
        told = (
            f"{count} of {total} mails; but {shown} send much as well: does this folder hold two companies?"
        )
        checks.append(Check("company.domains", domain, told))
    elif count * 2 < total:
        checks.append(Check("company.domains", domain, f"only {count} of {total} mails come from it"))
    return domain


def _zone(evidence: Evidence, domain: str, checks: list[Check]) -> str:
    """The zone whose offsets explain most stamps of the company's people, or the area codes' zone."""
    own = {
        (day, east): n for (sender, day, east), n in evidence.stamps.items() if sender == domain and domain
    }
    if sum(own.values()) < _LEAST_TIMES:  # systems often write UTC wherever their people sit
        own = {(day, east): n for (sender, day, east), n in evidence.stamps.items() if sender in (domain, "")}
    others = {
        (day, east): n for (sender, day, east), n in evidence.stamps.items() if sender not in (domain, "")
    }
    total = sum(own.values())
    if total < _LEAST_TIMES:
        return ""
    shares = {zone: _explained(own, zone) / total for zone in _ZONES}
    best = max(_ZONES, key=lambda zone: shares[zone])
    told = f"its offsets explain {shares[best]:.0%} of {total} times"
    foreign = sum(others.values())
    uniform = foreign >= _LEAST and _explained(others, best) >= 0.85 * foreign and shares[best] >= 0.95
    areas = Counter({area: n for (sender, area), n in evidence.phones.items() if sender == domain})
    if uniform and areas:
        ranked = sorted(areas.items(), key=lambda item: (-item[1], item[0]))
        (area, count), second = ranked[0], ranked[1][1] if len(ranked) > 1 else 0
        zone = _area_zone(area)
        if zone not in ("", best) and count >= _LEAST and count * 2 >= 3 * second:
            told = (
                f"{area} is the commonest area code ({count} numbers), while all mails, also those of "
                f"other companies, have the offsets of {best}: the export seems to have rewritten them"
            )
            checks.append(Check("company.zones", zone, told))
            return zone
    if shares[best] < _LEAST_SHARE:
        told = f"no zone explains most of {total} times; {best} explains {shares[best]:.0%}"
        checks.append(Check("company.zones", "UTC", told))
        return "UTC"
    rivals = [zone for zone in _ZONES if zone != best and shares[zone] >= shares[best] - 0.02]
    if shares[best] < 0.9 or rivals:
        also = f"; {', '.join(rivals[:3])} would fit as well" if rivals else ""
        checks.append(Check("company.zones", best, told + also))
    return best


def _explained(stamps: dict[tuple[str, int], int], zone: str) -> int:
    return sum(count for (day, east), count in stamps.items() if _offset(zone, day) == east)


@lru_cache(maxsize=200_000)
def _offset(zone: str, day: str) -> int | None:
    try:
        moment = datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=ZoneInfo(zone))
    except ValueError:
        return None
    offset = moment.utcoffset()
    return None if offset is None else int(offset.total_seconds()) // 60


def _currency(evidence: Evidence, zone: str, checks: list[Check]) -> str:
    for counted, told in ((evidence.currencies, "cells of currency columns"), (evidence.signs, "signs")):
        if counted:
            best = min(counted, key=lambda code: (-counted[code], code))
            total = sum(counted.values())
            if counted[best] < 0.9 * total or counted is evidence.signs:
                shown = ", ".join(f"{code} {count}" for code, count in counted.most_common(4))
                checks.append(Check("company.currency", best, f"{told}: {shown}"))
            return best
    best = _ZONES[zone][1] if zone in _ZONES else "USD"
    why = f"no currency stands in the data; usual in {zone}" if zone else "no currency stands in the data"
    checks.append(Check("company.currency", best, why))
    return best


def _settled(domain: str, zone: str) -> tuple[str, str]:
    """Returns zone and locale, in Berlin's hours those of the country whose ending the domain has."""
    country = _COUNTRY_ZONES.get(domain.rpartition(".")[2])
    if country is not None and zone == "Europe/Berlin":
        return country
    by_zone = dict(_COUNTRY_ZONES.values())
    return zone, _ZONES[zone][0] if zone in _ZONES else by_zone.get(zone, "en_US")
