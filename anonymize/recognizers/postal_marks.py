"""Postcodes that need no known city: by their form, by a word for addresses, by the lines of an address.

Belongs here: what around a candidate tells that it is a postcode. Does not belong here: known cities and what
replaces a postcode (`postcodes`).
"""

from __future__ import annotations

import re

from anonymize.recognizers.things import is_thing
from anonymize.words import ordinary_words, word_list
from contracts.names import fold

LONGEST_ADDRESS = 160
"""Characters between a word for an address and the end of its postcode."""
_LABEL = re.compile(
    r"(?<!\w)(?i:(?:liefer|rechnungs|versand|post|besuchs|heim|wohn|firmen|privat|zustell|abhol)?-?(?:adresse"
    r"|anschrift)|(?:ship(?:ping|ment)?|bill(?:ing)?|deliver(?:y)?|invoice|mailing|postal|home|office)"
    r"(?: (?:to|address))|address|wohnhaft in|wohnt in|versand an|lieferung an|empf(?:ä|ae)nger|lieferort"
    r"|standort|sitz)[ \t]{0,2}[:;.,-]?[ \t]{0,3}\r?\n?(?P<between>(?:(?!\n[ \t]*\n)[\s\S])*)$"
)
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]+(?:[-'’][^\W\d_]+)*\.?"
_PLACE = (
    rf"(?P<place>{_CAPITAL}(?:[ -](?:(?:am|an|der|im|in|ob|bei|v\.|d\.|a\.|upon|on|le|la|de"
    rf"|sur) )*{_CAPITAL}){{0,3}})"
)
_BEHIND = re.compile(rf"[ \t\u00a0]+{_PLACE}")
_LINE_BEHIND = re.compile(rf"[ \t\u00a0]+{_PLACE}(?:[ \t/(][^\n\d]{{0,30}})?[ \t,.]*(?=\r?\n|$)")
_HOUSE_BEFORE = re.compile(
    r"(?:[^\W\d_]{3,}\.?|[^\W\d_]\.) ?\d{1,4} ?[a-zA-Z]?(?:[ \t]*[-/][ \t]*\d{1,4}[a-z]?)?[ \t]*"
    r"(?:,[ \t]*(?:[A-Z]{1,2}-)?|\r?\n[ \t>|]*(?:[A-Z]{1,2}-)?|[|;][ \t]*)$"
)
_LINE_START = re.compile(r"(?:^|\n)[ \t>|*]*(?:[A-Z]{1,2}-)?$")
_LINE_END = re.compile(r"[ \t.,;)]*(?:\r?\n|$)")
_BRITISH = re.compile(r"(?:[A-PR-UWYZ]\d[A-HJKPSTUW\d]?|[A-PR-UWYZ][A-HK-Y]\d[A-Z\d]?) \d[ABD-HJLNP-UW-Z]{2}")
_CANADIAN = re.compile(r"[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d")
_DUTCH = re.compile(r"[1-9]\d{3} ?[A-Z]{2}")
_STATES = frozenset(
    word_list(
        "AL AK AZ AR CA CO CT DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV"
        " NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY DC PR"
    )
)
_WORD_STATES = frozenset(word_list("IN OR ME OK HI ID DE PA MA MO MS CO AL PR"))
"""Abbreviations that mean something else as well: they need a comma and a place before them."""
_STATE_BEFORE = re.compile(r"(?P<place>[A-Z][\w.'’-]+,[ \t]*)?(?<![\w-])(?P<state>[A-Z]{2})[ \t]$")
_TOWN = re.compile(
    r".{2,}(?:stadt|stedt|dorf|burg|berg|heim|hausen|hofen|ingen|bach|feld|felde|furt|haven|hafen|kirchen"
    r"|kirch|tal|see|bruck|brucken|born|brunn|walde|rode|leben|buttel|horst|stein|fels|ried|au|itz|zell)$"
)
"""How folded names of German towns end."""
_UNITS = frozenset(
    word_list("EU US UK KG KM KW MB GB TB MM CM ML PC HP PS ST IT AG SE EA PX OZ LB FT HZ AM PM ET PT CO")
)


def is_marked(text: str, start: int, end: int, country: str) -> bool:
    """Says whether digits and letters are a postcode by what they are and what stands around.

    Args:
        text: in which they stand.
        start: where they begin, without a country's letters.
        end: where they end.
        country: the letters before them, or nothing.
    """
    code, before = text[start:end], text[max(0, start - LONGEST_ADDRESS) : start]
    if _BRITISH.fullmatch(code) or _CANADIAN.fullmatch(code):
        return True
    if code[:5].isdigit() and _is_american(before, code):
        return True
    if re.fullmatch(r"(?:19|20)\d\d", code) and not country:
        return False
    place = _place(_BEHIND.match(text, end))
    if _DUTCH.fullmatch(code):
        alone = bool(_LINE_START.search(before)) and bool(_LINE_END.match(text, end))
        return code[-2:] not in _UNITS and (bool(place) or alone or _is_addressed(before, country))
    if not place:
        return False
    if country.endswith("-") or _is_addressed(before, country):
        return True
    lined = bool(_place(_LINE_BEHIND.match(text, end)))
    return bool(_HOUSE_BEFORE.search(before)) or (
        len(code) >= 5 and lined and bool(_LINE_START.search(before)) and _is_named(place)
    )


def _is_addressed(before: str, country: str) -> bool:
    """Says whether a word for an address stands before, on the lines of the same address."""
    label = _LABEL.search(before.removesuffix(country))
    return label is not None and label["between"].count("\n") <= 4


def _is_american(before: str, code: str) -> bool:
    match = _STATE_BEFORE.search(before)
    if match is None or match["state"] not in _STATES:
        return False
    return bool(match["place"]) or match["state"] not in _WORD_STATES or "-" in code


def _place(match: re.Match[str] | None) -> str:
    return match["place"] if match is not None else ""


def _is_named(place: str) -> bool:
    """Says whether a place has a name as places have: "10500 Dichtringe" is a line of an order."""
    words = [fold(word.strip(".")) for word in re.split(r"[ -]", place)]
    if any(word in ordinary_words() or is_thing(word) for word in words):
        return False
    return words[0] in ("bad", "sankt", "st") or bool(_TOWN.search(words[0])) or bool(_TOWN.search(words[-1]))
