"""How a mail addresses its reader: the name in its first line, and the text behind it."""

from __future__ import annotations

import re

from contracts.names import name_tokens
from contracts.world import Buyer, Server
from runtime.stems import stems_in

_GREETING = re.compile(
    r"^\s*(?:hi|hello|hey|hiya|dear|greetings|good (?:morning|afternoon|evening|day)|hallo|liebe[rs]?"
    r"|sehr geehrter?|bonjour|morning|afternoon)"
    r"\s+((?:(?:mr|mrs|ms|dr|prof|herr|frau)\.?\s)?[^,!:;.\n]{1,50}?)\s*(?:[,!:;.\n]|\s[-–—]|$)",
    re.IGNORECASE,
)
_LOOSE_GREETING = re.compile(r"^\s*(?:greetings|morning|afternoon)\b", re.IGNORECASE)
"""Words that greet somebody only before a name: "Greetings from a sunny office" greets nobody."""
_BARE = re.compile(
    r"^\s*((?:[Mm]rs?\.? |[Mm]s\.? |[Dd]r\.? )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2})\s*(?:[,:!]|\n|\s[-–—]\s)"
)
"""A first line without a greeting word: "Bob, ..."."""
_TITLES = re.compile(r"\b(?:mr|mrs|ms|dr|prof|herrn?|frau)\b\.?", re.IGNORECASE)
_ANYBODY = frozenset(
    "there all team everyone everybody folks sir madam colleague colleagues friend again".split()
)
_NO_NAME = frozenset(
    "hi hello hey hiya dear greetings good morning afternoon evening day oof ouch wow whoa yikes ugh oh ah "
    "aha well so yes no ok okay sorry apologies congratulations congrats thanks thank welcome please today "
    "others many most yesterday tomorrow here there this that these those now then again also first second "
    "third finally "
    "still just one two three quick question note re fwd subject ps true imagine look listen see say tell "
    "read what why how when who which where news update hope greetings cheers salut team all everybody "
    "guten tag hallo moin servus bonjour buenos dias herr frau sehr geehrte geehrter damen herren auditors "
    "suppliers "
    "having according following after since with in on at by for from as if to your you we i my our it "
    "monday tuesday wednesday thursday friday saturday sunday may could can would "
    "mate mates sir sirs madam ma'am buddy pal friend friends chief boss neighbour neighbor love guys gents "
    "ladies gentlemen dude bro amigo comrade respected esteemed honoured folks colleague colleagues man "
    "gosh goodness blimey heavens alas cheers regards hurray bingo aye yeah yep nope anyway anyhow right "
    "fine great nice cool good bad sad pity late twice paid money cash discount interest fraud duplicates "
    "invoices bills paper papers boxes crates".split()
)
_NO_NAMES_ENDINGS = ("ly", "ity", "tion", "sion", "ment", "ness", "ance", "ence", "ism", "ties", "ments")


class Greetings:
    """The greetings of mails to the buyers of one world."""

    def __init__(self, server: Server) -> None:
        self._vocabulary = frozenset(
            stem
            for concept in server.concepts
            for wording in [*concept.phrases, *concept.cues]
            for stem in stems_in(wording.replace("|", " "))
        )

    def fit(self, text: str, buyer: Buyer) -> bool:
        """Says whether the greeting fits the buyer; no greeting and "Hi there" fit everybody."""
        match = self._match(text)
        if match is None:
            return True
        greeted = [
            word for word in name_tokens(_TITLES.sub(" ", match.group(1))) if word not in _ANYBODY | _NO_NAME
        ]
        own = {token for word in [buyer.party.name, *buyer.company_words] for token in name_tokens(word)}
        if not greeted or len(greeted) > 4:
            return True
        return any(_is_same(word, mine) for word in greeted for mine in own)

    def body(self, text: str) -> str:
        """Returns a text without its greeting."""
        match = self._match(text)
        return text if match is None else text[match.end() :]

    def _match(self, text: str) -> re.Match[str] | None:
        match = _GREETING.match(text)
        if match and match.group(1)[0].islower() and _LOOSE_GREETING.match(text):
            return None
        return match or self._bare_name(text)

    def _bare_name(self, text: str) -> re.Match[str] | None:
        match = _BARE.match(text)
        if match is None:
            return None
        words = name_tokens(match.group(1))
        named = not any(word in _NO_NAME or word.endswith(_NO_NAMES_ENDINGS) for word in words)
        return match if named and not self._vocabulary & set(stems_in(match.group(1))) else None


def _is_same(word: str, name: str) -> bool:
    shorter, longer = sorted((word, name), key=len)
    return word == name or (len(shorter) >= 3 and longer.startswith(shorter))
