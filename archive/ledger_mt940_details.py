"""Field 86 of a bank statement's entry: the counterparty, references and purpose, in the forms of banks.

Three forms are told apart: German subfields ("166?00...?20...", any separator), codes between slashes
("/NAME/.../IBAN/..."), and free text, which may begin with the counterparty's IBAN and name.
"""

from __future__ import annotations

import re

DETAIL_COLUMNS = (
    "transaction_code",
    "posting_text",
    "prima_nota",
    "purpose",
    "remittance",
    "counterparty_name",
    "counterparty_iban",
    "counterparty_bic",
    "text_key",
    "end_to_end_reference",
    "payer_reference",
    "mandate_reference",
    "creditor_id",
    "deviating_name",
    "purpose_code",
)
"""Columns that field 86 gives; its own text is kept beside them as "details"."""
_SUBFIELDS = re.compile(r"(\d{0,3})\s*([?>~^<@+|])(?=\d\d)")
_WIDTH = 27
"""Characters of a full subfield."""
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_LEADING_IBAN = re.compile(r"([A-Z]{2}\d{2}[A-Z0-9]{11,30})(?:[ \t]+([^\n]*))?(?:\n|$)")
_SEPA = {
    "EREF": "end_to_end_reference",
    "KREF": "payer_reference",
    "MREF": "mandate_reference",
    "CRED": "creditor_id",
    "DEBT": "creditor_id",
    "SVWZ": "remittance",
    "ABWA": "deviating_name",
    "ABWE": "deviating_name",
    "IBAN": "counterparty_iban",
    "BIC": "counterparty_bic",
    "PURP": "purpose_code",
}
_SEPA_KEY = re.compile(rf"({'|'.join(_SEPA)}|COAM|OAMT|SQTP|MDAT)[+:] ?")
_SLASHED = {
    "EREF": "end_to_end_reference",
    "MARF": "mandate_reference",
    "CSID": "creditor_id",
    "IBAN": "counterparty_iban",
    "BIC": "counterparty_bic",
    "NAME": "counterparty_name",
    "REMI": "remittance",
    "TRTP": "posting_text",
    "PREF": "payer_reference",
    "RTRN": "text_key",
    "PURP": "purpose_code",
}
_SLASH_KEY = re.compile(rf"/({'|'.join(_SLASHED)}|CNTP|BENM|ORDP|ULTB|ULTD|ISDT|ADDR|CSID|SVCL|SUBF)/")


def entry_details(details: str) -> dict[str, str | None]:
    """Returns what an entry's details say, by column; columns of which they say nothing are absent."""
    flat = "".join(line.strip("\r\n") for line in details.split("\n"))
    subfields = _SUBFIELDS.match(flat)
    if subfields:
        return _german(flat, subfields)
    if flat.startswith("/") and _SLASH_KEY.search(flat):
        return _slashed(flat)
    leading = _LEADING_IBAN.match(details)
    if leading:
        return {"counterparty_iban": leading[1], "counterparty_name": (leading[2] or "").strip() or None}
    return {}


def _german(flat: str, start: re.Match[str]) -> dict[str, str | None]:
    separator = re.escape(start[2])
    pieces = re.split(rf"{separator}(?=(?:00|10|2\d|3[0-4]|6[0-9])(?!\d{{2}}[,.]))", flat[start.end() - 1 :])
    fields: dict[str, str] = {}
    for piece in pieces[1:]:
        key, text = piece[:2], piece[2:]
        fields[key] = fields.get(key, "") + text
    purpose = _wrapped([fields[key] for key in sorted(fields) if key[0] == "2" or key[0] == "6"])
    found: dict[str, str | None] = {
        "transaction_code": start[1] or None,
        "posting_text": fields.get("00"),
        "prima_nota": fields.get("10"),
        "purpose": purpose.strip() or None,
        "counterparty_name": _wrapped([fields[key] for key in ("32", "33") if key in fields]).strip() or None,
        "text_key": fields.get("34"),
    }
    for name, value in _sepa(purpose).items():
        found[name] = value
    bank, account = fields.get("30", "").strip(), fields.get("31", "").strip()
    found["counterparty_bic"] = bank or found.get("counterparty_bic")
    found["counterparty_iban"] = account or found.get("counterparty_iban")
    return found


def _wrapped(pieces: list[str]) -> str:
    """Joins subfields: a full one goes on in the next, after a shorter one begins another word."""
    text = ""
    for piece, before in zip(pieces, ["", *pieces], strict=False):
        text += f" {piece}" if before and len(before) < _WIDTH else piece
    return re.sub(" {2,}", " ", text)


def _sepa(purpose: str) -> dict[str, str | None]:
    pieces = _SEPA_KEY.split(purpose)
    found: dict[str, str | None] = {}
    for key, text in zip(pieces[1::2], pieces[2::2], strict=True):
        if key in _SEPA and text.strip():
            found.setdefault(_SEPA[key], text.strip())
    return found


def _slashed(flat: str) -> dict[str, str | None]:
    pieces = _SLASH_KEY.split(flat)
    found: dict[str, str | None] = {}
    for key, text in zip(pieces[1::2], pieces[2::2], strict=True):
        plain = text.strip(" /")
        if key == "CNTP":
            account, bank, name = [*(part.strip() for part in text.split("/")), "", "", ""][:3]
            found |= {"counterparty_name": name or None, "counterparty_bic": bank or None}
            found["counterparty_iban"] = account or None
        elif key in _SLASHED and plain:
            found.setdefault(_SLASHED[key], plain)
    iban = found.get("counterparty_iban")
    if iban and not _IBAN.fullmatch(iban.replace(" ", "")):
        found["counterparty_iban"] = iban.split("/")[0].strip() or None
    return found
