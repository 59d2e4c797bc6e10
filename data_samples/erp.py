"""The ledger as a SQLite file with the table names of the ERP; the same bytes for the same history."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

from data_samples.clock import Zone, local
from data_samples.history import History
from data_samples.ledger import Document
from data_samples.market import Company, Person
from data_samples.sheets import customer_since, gross

_TABLES = {
    "KNA1": ("KUNNR NAME1 NAME2 LAND1 ORT01 PSTLZ REGIO STRAS TELF1 KTOKD ERDAT ERNAM"),
    "KNVK": ("PARNR KUNNR NAMEV NAME1 PAFKT TELF1 SMTP_ADDR"),
    "VBAK": ("VBELN ERDAT ERZET ERNAM AUDAT VBTYP AUART NETWR WAERK KUNNR BSTNK VKORG KNUMV"),
    "VBAP": ("VBELN POSNR MATNR ARKTX KWMENG VRKME NETPR NETWR WAERK VGBEL VGPOS ABGRU"),
    "VBFA": ("VBELV POSNV VBELN POSNN VBTYP_V VBTYP_N RFWRT WAERS ERDAT"),
    "VBRK": ("VBELN FKART VBTYP FKDAT KUNRG NETWR WAERK ZTERM ERDAT ERNAM ZUONR"),
    "VBRP": ("VBELN POSNR MATNR ARKTX FKIMG VRKME NETWR VGBEL AUBEL"),
    "BSID": ("BUKRS KUNNR BELNR GJAHR BUZEI BUDAT BLDAT BLART SHKZG WRBTR WAERS ZFBDT ZBD1T VBELN SGTXT"),
    "BSAD": (
        "BUKRS KUNNR BELNR GJAHR BUZEI BUDAT BLDAT BLART SHKZG WRBTR WAERS ZFBDT ZBD1T VBELN SGTXT "
        "AUGDT AUGBL"
    ),
    "VBKD": ("VBELN POSNR ZTERM BSTKD"),
    "KONV": ("KNUMV KPOSN STUNR KSCHL KBETR WAERS KWERT"),
    "LIKP": ("VBELN ERDAT ERNAM WADAT_IST KUNNR VSTEL"),
    "LIPS": ("VBELN POSNR MATNR ARKTX LFIMG VRKME VGBEL VGPOS"),
    "USR21": ("BNAME PERSNUMBER ADDRNUMBER"),
    "ADRP": ("PERSNUMBER NAME_FIRST NAME_LAST NAME_TEXT"),
    "ADR6": ("ADDRNUMBER PERSNUMBER SMTP_ADDR"),
}
_KINDS = {"NETWR": "REAL", "NETPR": "REAL", "RFWRT": "REAL", "WRBTR": "REAL", "KWMENG": "INTEGER"} | {
    "FKIMG": "INTEGER",
    "ZBD1T": "INTEGER",
    "LFIMG": "INTEGER",
    "KBETR": "REAL",
    "KWERT": "REAL",
}
_LAND = {"UK": "GB"}
Row = tuple[str | int | float, ...]


def rows(h: History) -> dict[str, list[Row]]:
    """All rows by table, in the order of their documents."""
    out: dict[str, list[Row]] = {name: [] for name in _TABLES}
    _masters(h, out)
    for document in h.ledger.documents:
        if document.kind in "BC":
            _sales(document, out)
        else:
            _billing(document, out)
    _deliveries(h, out)
    for item in h.ledger.receivables:
        document, memo = item.document, item.document.kind == "O"
        row: Row = (
            "1000",
            document.company.kunnr,
            item.number,
            f"{item.booked.year}",
            "001",
            f"{item.booked:%Y%m%d}",
            f"{item.booked:%Y%m%d}",
            "RG" if memo else "RV",
            "H" if memo else "S",
            document.net / 100,
            "USD",
            f"{item.booked:%Y%m%d}",
            0 if memo else document.net_days,
            document.number,
            document.company.short,
        )
        if item.cleared is not None:
            out["BSAD"].append((*row, f"{item.cleared:%Y%m%d}", item.clearing))
        else:
            out["BSID"].append(row)
    return out


def _day(document: Document) -> str:
    return f"{local(document.created, Zone.EASTERN):%Y%m%d}"


def _user(person: Person) -> str:
    return person.login.upper()[:12]


def _masters(h: History, out: dict[str, list[Row]]) -> None:
    known = sorted(
        (company for company in h.market.companies if company.kunnr), key=lambda company: company.kunnr
    )
    firsts: dict[str, Document] = {}
    for document in h.ledger.documents:
        firsts.setdefault(document.company.id, document)
    for company in known:
        place = company.place
        clerk = h.staff.controller.login.upper()[:12]
        first = firsts.get(company.id)
        out["KNA1"].append(
            (
                company.kunnr,
                company.name.upper()[:35],
                company.group,
                _LAND.get(place.country, place.country),
                place.city,
                place.postcode,
                place.state[:3].upper(),
                company.erp_street or company.street,
                company.people[0].phone,
                "0001",
                _entered(company, first),
                clerk,
            )
        )
        for person in company.people[:2]:
            out["KNVK"].append(
                (
                    f"{int(person.id[1:]) + 3000:010d}",
                    company.kunnr,
                    person.first,
                    person.last,
                    "02",
                    person.phone,
                    person.email,
                )
            )
    for person in h.staff.everyone:
        number = f"{int(person.id[1:]) + 700:010d}"
        last = person.old_last or person.last
        out["USR21"].append((_user(person), number, number))
        out["ADRP"].append((number, person.first, last, f"{person.first} {last}"))
        out["ADR6"].append((number, number, person.old_email or person.email))


def _entered(company: Company, first: Document | None) -> str:
    """An old customer was entered years ago, a new one with its first document."""
    if company.old:
        return f"{customer_since(company.id):%Y%m%d}"
    return _day(first) if first else "20240304"


def _conditions(document: Document, out: dict[str, list[Row]]) -> None:
    """Payment terms, and list price and discount of the document as a whole."""
    if document.kind == "C":
        out["VBKD"].append((document.number, "000000", f"N{document.net_days:03d}", document.reference))
    listed = gross(document)
    out["KONV"].append((document.number, "000000", "010", "PR00", 0.0, "USD", listed / 100))
    if document.discount:
        cut = (document.net - listed) / 100
        row = (document.number, "000000", "020", "RA01", -float(document.discount), "USD", cut)
        out["KONV"].append(row)


def _deliveries(h: History, out: dict[str, list[Row]]) -> None:
    for delivery in h.ledger.deliveries:
        order = delivery.order
        day = f"{local(delivery.created, Zone.EASTERN):%Y%m%d}"
        clerk = _user(h.staff.controller)
        out["LIKP"].append(
            (delivery.number, day, clerk, f"{delivery.shipped:%Y%m%d}", order.company.kunnr, "1000")
        )
        kit = (delivery.number, "000010", "TW-KIT", "Starter kit", 1, "EA", order.number, "000010")
        out["LIPS"].append(kit)


def _sales(document: Document, out: dict[str, list[Row]]) -> None:
    wall = local(document.created, Zone.EASTERN)
    out["VBAK"].append(
        (
            document.number,
            _day(document),
            f"{wall:%H%M%S}",
            _user(document.by),
            _day(document),
            document.kind,
            "QT" if document.kind == "B" else "OR",
            document.net / 100,
            "USD",
            document.company.kunnr,
            document.reference,
            "1000",
            document.number,
        )
    )
    _conditions(document, out)
    source = document.source
    for place, item in enumerate(document.items, 1):
        position = f"{place * 10:06d}"
        out["VBAP"].append(
            (
                document.number,
                position,
                item.material,
                item.text,
                item.quantity,
                "EA",
                item.price / 100,
                item.net / 100,
                "USD",
                source.number if source else "",
                position if source else "",
                "02" if document.rejected else "",
            )
        )
        if source is not None:
            out["VBFA"].append(
                (
                    source.number,
                    position,
                    document.number,
                    position,
                    source.kind,
                    document.kind,
                    item.net / 100,
                    "USD",
                    _day(document),
                )
            )


def _billing(document: Document, out: dict[str, list[Row]]) -> None:
    source = document.source
    if source is None:
        return
    order = source if source.kind == "C" else source.source
    memo = document.kind == "O"
    out["VBRK"].append(
        (
            document.number,
            "G2" if memo else "F2",
            document.kind,
            _day(document),
            document.company.kunnr,
            document.net / 100,
            "USD",
            f"N{document.net_days:03d}",
            _day(document),
            _user(document.by),
            source.number,
        )
    )
    for place, item in enumerate(document.items, 1):
        position = f"{place * 10:06d}"
        origin = next((f"{at * 10:06d}" for at, line in enumerate(source.items, 1) if line == item), "000010")
        out["VBRP"].append(
            (
                document.number,
                position,
                item.material,
                item.text,
                item.quantity,
                "EA",
                item.net / 100,
                source.number,
                order.number if order else "",
            )
        )
        out["VBFA"].append(
            (
                source.number,
                origin,
                document.number,
                position,
                source.kind,
                document.kind,
                item.net / 100,
                "USD",
                _day(document),
            )
        )


def export(tables: dict[str, list[Row]]) -> bytes:
    """The database file; the field that names the library's version is set to a fixed value."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "erp.sqlite"
        base = sqlite3.connect(path)
        base.execute("PRAGMA page_size = 4096")
        base.execute("PRAGMA synchronous = OFF")
        for name, columns in _TABLES.items():
            typed = ", ".join(f"{column} {_KINDS.get(column, 'TEXT')}" for column in columns.split())
            base.execute(f"CREATE TABLE {name} (MANDT TEXT, {typed})")
        for name, content in tables.items():
            marks = ", ".join("?" * len(_TABLES[name].split()))
            base.executemany(f"INSERT INTO {name} VALUES ('100', {marks})", content)
        base.commit()
        base.close()
        raw = bytearray(path.read_bytes())
    raw[96:100] = (3040001).to_bytes(4, "big")
    return bytes(raw)
