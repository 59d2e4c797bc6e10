"""Which kind of archive a source is: by its format, its preset, or the words of its tables and columns.

Belongs here: that decision. Does not belong here: kinds of columns (`archive.columns`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from archive.columns import column_words
from archive.formats import MAIL, TICKETS
from contracts.manifest import SourceKind

_K = SourceKind
_FORMATS: dict[str, SourceKind] = {
    "datev": _K.ACCOUNTING,
    "saft": _K.ACCOUNTING,
    "mt940": _K.ACCOUNTING,
    "einvoice": _K.ACCOUNTING,
    "xes": _K.ERP,
    "ocel": _K.ERP,
    "documents": _K.ENGINEERING,
}
_PRESETS: dict[str, SourceKind] = {
    "salesforce": _K.CRM,
    "hubspot": _K.CRM,
    "sap": _K.ERP,
    "netsuite": _K.ERP,
    "odoo": _K.ERP,
    "xero": _K.ACCOUNTING,
    "quickbooks": _K.ACCOUNTING,
    "zendesk": _K.TICKETS,
    "servicenow": _K.TICKETS,
    "jira": _K.TICKETS,
}
_WORDS: dict[SourceKind, frozenset[str]] = {
    _K.CRM: frozenset(
        "opportunity opportunities deal deals lead leads contact contacts pipeline campaign stage prospect "
        "account accounts forecast crm".split()
    ),
    _K.ACCOUNTING: frozenset(
        "invoice invoices ledger journal journals debit credit receivable receivables payable bkpf bseg "
        "tax vat payment payments settled late due dunning bill bills bookings buchung konto".split()
    ),
    _K.ERP: frozenset(
        "order orders purchase product products material materials vendor vendors supplier suppliers "
        "shipment stock warehouse shippers ekko ekpo mseg mkpf vbak declaration declarations budget approval "
        "role resource delivery plant item items refund".split()
    ),
    _K.TICKETS: frozenset("ticket tickets incident incidents issue issues helpdesk comment sla".split()),
    _K.ENGINEERING: frozenset(
        "drawing drawings revision revisions rev bom part parts kep eco change approver approvers reviewers "
        "milestone policy policies".split()
    ),
}


class KindGuess(NamedTuple):
    """A kind with what speaks for it."""

    kind: SourceKind
    certain: bool
    why: str


def source_kind(name: str, preset: str | None, tables: Mapping[str, Sequence[str]]) -> KindGuess:
    """Returns the kind of a source.

    Args:
        name: its format.
        preset: its preset, if it has one.
        tables: table -> columns, for sources of tables.
    """
    if name in MAIL:
        return KindGuess(_K.MAIL, True, f"the format {name}")
    if name in _FORMATS:
        return KindGuess(_FORMATS[name], True, f"the format {name}")
    if preset in _PRESETS:
        return KindGuess(_PRESETS[preset], True, f"the preset {preset}")
    if name in TICKETS:
        return KindGuess(_K.TICKETS, True, f"the format {name}")
    scores: Counter[SourceKind] = Counter()
    heard: dict[SourceKind, set[str]] = {kind: set() for kind in _WORDS}
    for table, columns in tables.items():
        for weight, text in [(3, table), *((1, column) for column in columns)]:
            for word in column_words(text):
                for kind, words in _WORDS.items():
                    if word in words and word not in heard[kind]:
                        heard[kind].add(word)
                        scores[kind] += weight
    if not scores:
        return KindGuess(_K.ERP, False, "no word of its tables and columns tells a kind")
    order = list(_WORDS)
    best = min(order, key=lambda kind: (-scores[kind], order.index(kind)))
    second = max((scores[kind] for kind in order if kind is not best), default=0)
    told = ", ".join(sorted(heard[best])[:6])
    return KindGuess(best, scores[best] >= 2 * second and scores[best] >= 4, f"words of its tables: {told}")
