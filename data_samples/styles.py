"""Habits of the authors: greeting, sign-off, slips, quoting, encoding. What they say stands in letters."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from data_samples.letters import SMALL_TALK
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


STYLES = (
    Style("Hi {first},", "Best,\n{sign}", 0.02, "plain", "gmail", "qp", "plain"),
    Style("Hello {first},", "Thanks,\n{sign}", 0.06, "short", "gmail", "7bit", "plain"),
    Style("{first} -", "Cheers\n{sign}", 0.05, "k", "outlook", "qp", "comma"),
    Style("{first},", "{sign}", 0.04, "k", "outlook", "7bit", "comma"),
    Style("Hi {first}", "Regards\n{sign}", 0.0, "iso", "outlook", "base64", "plain", html=True),
    Style("Dear {first},", "Kind regards,\n{name}", 0.0, "iso", "outlook", "qp", "comma"),
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
)

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
    author: Person, reader: Person, paragraphs: list[str], rng: Random, bare: bool = False
) -> str:
    """The author's own text with greeting, slips, closing and signature."""
    style = style_of(author)
    title = "Ms" if reader.first.endswith(_FEMALE_ENDS) else "Mr"
    greeting = style.greeting.format(first=sign_name(reader), last=reader.last, title=title)
    if not bare and rng.random() < 0.2:
        paragraphs = [rng.choice(SMALL_TALK), *paragraphs]
    body = [_slip(text, style.slips, rng) for text in paragraphs]
    if style.lower:
        body = [text[:1].lower() + text[1:] for text in body]
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
