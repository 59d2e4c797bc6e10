"""Habits of the authors: greeting, sign-off, slips, quoting, encoding. What they say stands in letters."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from data_samples.ledger import Document, write_amount
from data_samples.letters import SMALL_TALK, TAILS
from data_samples.market import Person


class Style(NamedTuple):
    """How one author writes."""

    greeting: str
    closing: str
    slips: float
    amount: str
    quote: str
    encoding: str
    display: str
    html: bool = False
    lower: bool = False
    german: bool = False
    short: bool = False
    wordy: float = 0.0


STYLES = (
    Style("Hi {first},", "Best,\n{sign}", 0.02, "plain", "gmail", "qp", "plain"),
    Style("Hello {first},", "Thanks,\n{sign}", 0.06, "short", "gmail", "7bit", "plain"),
    Style("{first} -", "Cheers\n{sign}", 0.05, "k", "outlook", "qp", "comma", html=True),
    Style("{first},", "{sign}", 0.04, "k", "outlook", "7bit", "comma"),
    Style("Hi {first}", "Regards\n{sign}", 0.0, "iso", "outlook", "base64", "plain", html=True),
    Style("Dear {first},", "Kind regards,\n{name}", 0.0, "iso", "outlook", "qp", "comma", wordy=0.6),
    Style("Hey {first},", "Thx!\n{sign}", 0.08, "short", "gmail", "qp", "plain"),
    Style("{first}:", "- {sign}", 0.02, "plain", "gmail", "7bit", "mail"),
    Style("Good morning {first},", "Sincerely,\n{name}", 0.0, "plain", "outlook", "qp", "company", html=True),
    Style("hi {first}", "{sign}", 0.1, "k", "gmail", "7bit", "plain", lower=True),
    Style(
        "Dear {title} {last},",
        "Best regards / Mit freundlichen Grüßen\n{name}",
        0.01,
        "german",
        "outlook",
        "8859",
        "comma",
    ),
    Style("Hello {first},", "Viele Grüße\n{sign}", 0.02, "iso", "outlook", "8859", "plain"),
    Style(
        "Hello {first},",
        "Best regards\n{name}",
        0.01,
        "german",
        "outlook",
        "1252",
        "comma",
        german=True,
        wordy=0.4,
    ),
    Style("Hello {first},", "Thanks,\n{sign}", 0.06, "short", "gmail", "7bit", "plain", german=True),
    Style("{first}, hi,", "rgds {sign}", 0.09, "k", "apple", "qp", "plain", lower=True, short=True),
    Style("Hi {first}!", "Cheers,\n{sign} :)", 0.03, "short", "apple", "qp", "plain", html=True),
    Style("{first}", "P. Z.", 0.05, "iso", "gmail", "base64", "mail", short=True),
)
_SHORTHAND = {
    "please": "pls",
    "Please": "Pls",
    "your": "ur",
    "with": "w/",
    "invoice": "inv",
    "revision": "rev",
    "regards": "rgds",
}

_SLIPS = {
    "receive": "recieve",
    "tomorrow": "tommorow",
    "because": "becuase",
    "their": "thier",
    "which": "wich",
    "would": "woudl",
    "really": "realy",
    "until": "untill",
    "already": "allready",
    "about": "abotu",
    "please": "pls",
    "Thanks": "Thansk",
    "with": "wiht",
    "the": "teh",
}
_FEMALE_ENDS = ("a", "e", "Gwendolyn", "Heike", "Fern", "Mabel", "Mavis", "Jolene", "Siobhán", "Morag")


def style_of(person: Person) -> Style:
    """The author's habits."""
    return STYLES[person.style % len(STYLES)]


def sign_name(person: Person) -> str:
    """What the person signs with: the nickname where there is one."""
    return person.nick or person.first


def write_letter(
    author: Person,
    reader: Person,
    paragraphs: list[str],
    rng: Random,
    bare: bool = False,
    german: bool = False,
) -> str:
    """The author's own text with greeting, slips, closing and signature."""
    style = style_of(author)
    title = "Ms" if reader.first.endswith(_FEMALE_ENDS) else "Mr"
    greeting = style.greeting.format(first=sign_name(reader), last=reader.last, title=title)
    if not bare and not style.short and rng.random() < 0.2:
        paragraphs = [rng.choice(SMALL_TALK), *paragraphs]
    if not bare and rng.random() < style.wordy:
        paragraphs = [*paragraphs, rng.choice(TAILS)]
    body = [_slip(text, style.slips, rng) for text in paragraphs]
    if style.short:
        body = [" ".join(_SHORTHAND.get(word, word) for word in text.split(" ")) for text in body]
    if style.lower:
        body = [text[:1].lower() + text[1:] for text in body]
    if german:
        title = "Frau" if title == "Ms" else "Herr"
        ending = "e" if title == "Frau" else "er"
        greeting = (
            f"Sehr geehrt{ending} {title} {reader.last}," if bare else f"Guten Tag {title} {reader.last},"
        )
        closing = f"Mit freundlichen Grüßen\n{author.name}"
        return "\n\n".join([greeting, *paragraphs, closing]) + "\n" + signature(author)
    closing = style.closing.format(sign=sign_name(author), name=author.name)
    if bare:
        return "\n\n".join([*body, sign_name(author)])
    return "\n\n".join([greeting, *body, closing]) + "\n" + signature(author)


def signature(person: Person) -> str:
    """The block below the closing; three layouts."""
    if person.style % 3 == 0:
        return f"\n-- \n{person.name}\n{person.title}, {person.company.name}\n{person.phone}"
    if person.style % 3 == 1:
        return f"\n{person.name} | {person.title} | {person.company.short}\nT {person.phone} | {person.email}"
    company = person.company
    return f"\n{person.title}\n{company.name}\n{company.street}, {company.place.city}\nTel: {person.phone}"


def display_name(person: Person, last: str = "") -> str:
    """The name part of an address as the author's mail program writes it."""
    last = last or person.last
    form = style_of(person).display
    if form == "comma":
        return f'"{last}, {person.first}"'
    if form == "company":
        return f'"{person.first} {last} ({person.company.short})"'
    if form == "mail":
        return ""
    return f"{sign_name(person)} {last}"


def address_line(person: Person, email: str, last: str = "") -> str:
    """Display name and address; the bare address where the program shows no name."""
    shown = display_name(person, last)
    return f"{shown} <{email}>" if shown else email


def _slip(text: str, rate: float, rng: Random) -> str:
    words = text.split(" ")
    return " ".join(_SLIPS[word] if word in _SLIPS and rng.random() < rate else word for word in words)


def fill(author: Person, wording: str, document: Document, **more: str) -> tuple[str, list[tuple[str, str]]]:
    """The wording with the document's amount and number; the amount as the author writes it, if it stands."""
    amount = write_amount(document.net, style_of(author).amount)
    text = wording.format(amount=amount, quote=document.number.lstrip("0"), **more)
    return text, [(amount, document.number)] if amount in text else []


def writes_german(author: Person, reader: Person) -> bool:
    """True where the author writes German to this reader."""
    return style_of(author).german and reader.company.place.country == "DE"
