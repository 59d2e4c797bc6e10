"""Whether mentions of one person get one surrogate, on mails whose mentions somebody labelled.

Belongs here: reading threads in the four-column CoNLL form of emailcoref, resolving their mentions with
our own registry, counting pairs. Does not belong here: printing (`detection`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import polars as pl

from anonymize.evidence import Evidence, collect_table
from anonymize.findings import Context, Finding, FindingKind
from anonymize.forms import words_of
from anonymize.keys import DatasetKey
from anonymize.kit import Kit, Plan
from anonymize.recognizers.names import name_finder
from anonymize.resolution import build_registry
from anonymize.surrogates import Assignments
from anonymize.words import is_role, nicknames, ordinary_words, word_set
from contracts.manifest import ColumnSpec, Company, Manifest
from contracts.names import addresses_in, fold
from contracts.tables import ColumnKind

_OPEN, _CLOSE = re.compile(r"\(P(\d+)"), re.compile(r"P(\d+)\*?\)")
_HEADERS = ("from", "to", "cc", "bcc")
_NO_BLANK_BEFORE = frozenset(",.:;)]>?!'") | {"'s", "n't", "'ll", "'re", "'ve", "'d", "'m", "-"}
_NO_BLANK_BEHIND = frozenset("(<[-")
_BESIDE = frozenset("mr mrs ms miss dr jr sr ii iii esq prof sir".split())
_NAMING = (FindingKind.PERSON, FindingKind.EMAIL, FindingKind.LOGIN)
LONGEST = 8
LONGEST_INITIALS = 3
OWN = Company(names=["Enron"], domains=["enron.com"], zones=["America/Chicago"], currency="USD")


class Mention(NamedTuple):
    """A labelled mention that bears a name or an address."""

    thread: int
    entity: int
    message: int
    start: int
    end: int
    text: str


class Message(NamedTuple):
    """One mail: its text, and the mailboxes of its header."""

    thread: int
    text: str
    mailboxes: tuple[str, ...]


class Pairs(NamedTuple):
    """Pairs of mentions of one thread, by truth and by surrogate."""

    mentions: int
    found: int
    """Mentions that got a surrogate of a person."""
    alike: int
    alike_found: int
    """Pairs of one person with one surrogate."""
    joined: int
    """Pairs with one surrogate."""

    @property
    def recall(self) -> float:
        """Share of pairs of one person that got one surrogate."""
        return self.alike_found / max(1, self.alike)

    @property
    def precision(self) -> float:
        """Share of pairs with one surrogate that are of one person."""
        return self.alike_found / max(1, self.joined)


def threads(folder: Path) -> tuple[list[Message], list[Mention]]:
    """Returns the mails and mentions of all threads in a folder."""
    messages: list[Message] = []
    mentions: list[Mention] = []
    for number, path in enumerate(sorted(folder.glob("*.conll"))):
        for text, found in _mails(path.read_text("utf-8")):
            place = len(messages)
            messages.append(Message(number, text, tuple(_mailboxes(text))))
            mentions += [
                Mention(number, entity, place, start, end, text[start:end])
                for entity, start, end in found
                if bears_name(text[start:end])
            ]
    return messages, mentions


def _mails(content: str) -> Iterator[tuple[str, list[tuple[int, int, int]]]]:
    """Yields text and person mentions (entity, start, end) of every mail of a thread."""
    text, open_, found, before = "", dict[int, list[int]](), list[tuple[int, int, int]](), ""
    for line in content.splitlines():
        cells = line.split("\t")
        if line.startswith(("#begin", "#end")) or len(cells) < 3:
            text += "" if text.endswith("\n") or not text else "\n"
            before = ""
            continue
        token, label = cells[0], cells[2]
        starts_mail = token == "Date" and text.endswith("\n") and _is_header(text) is False
        if starts_mail and text:
            yield text, found
            text, open_, found = "", {}, []
        glue = not before or token in _NO_BLANK_BEFORE or before in _NO_BLANK_BEHIND
        text += token if glue else f" {token}"
        start = len(text) - len(token)
        before = token
        if "|" in label:
            continue
        for match in _OPEN.finditer(label):
            open_.setdefault(int(match[1]), []).append(start)
        for match in _CLOSE.finditer(label):
            begun = open_.get(int(match[1]))
            if begun:
                found.append((int(match[1]), begun.pop(), len(text)))
    if text:
        yield text, found


def _is_header(text: str) -> bool:
    """Says whether the text so far is the beginning of a header that already has its date."""
    return "\n" in text and text.count("\n") < 2


def _mailboxes(text: str) -> Iterator[str]:
    """Yields the mailboxes of the header: addresses, with the X- line's names where they are as many."""
    lines = dict.fromkeys(_HEADERS, "")
    named = dict.fromkeys(_HEADERS, "")
    for line in text.split("\n")[:14]:
        match = re.match(r"(X-)?(From|To|cc|Cc|bcc|Bcc)\s*:(.*)", line)
        if match is not None:
            held = named if match[1] else lines
            held[match[2].lower()] = held[match[2].lower()] or match[3].strip()  # quoted headers come later
    for header in _HEADERS:
        addresses = addresses_in(lines[header])
        whole = re.sub(r"<[^<>,;]*>?|\([^()]*\)", "", named[header])
        names = _listed(whole, len(addresses))
        for place, address in enumerate(addresses):
            name = names[place].strip(" ,;\"'") if len(names) == len(addresses) else ""
            name = name if len(addresses) == 1 or _is_beside(name, address) else ""
            name = name.partition("/")[0].strip()  # "Ann Lee/HOU/ECT@ECT", a Notes name
            yield f"{name} <{address}>" if name and "@" not in name else f"<{address}>"


def _is_beside(name: str, address: str) -> bool:
    """Says whether a word of a list's name begins as a part of the address does: lists may be out of step."""
    local = fold(address.partition("@")[0])
    return any(word[:4] in local for word in re.findall(r"[^\W\d_]{3,}", fold(name)))


def _listed(text: str, many: int) -> list[str]:
    """Returns the names of a list of so many: a lone word before a comma is a family name, "Last, First"."""
    parts = [part.strip() for part in text.split(";" if ";" in text else ",") if part.strip()]
    if many == 1:
        return [text]
    if ";" in text:
        return parts
    names: list[str] = []
    family = ""
    for part in parts:
        if family or len([word for word in part.split() if fold(word).rstrip(".") not in _BESIDE]) > 1:
            names.append(f"{family}, {part}" if family else part)
            family = ""
        else:
            family = part
    return names


def bears_name(text: str) -> bool:
    """Says whether a mention is a name or an address as a whole: no pronoun, role or group."""
    if "@" in text:
        return " " not in text.strip() and not is_role(text.partition("@")[0])
    words = re.findall(r"[^\W\d_]+", text)
    if not words or len(words) > LONGEST or any(word.islower() for word in words):
        return False
    naming = [
        fold(word)
        for word in words
        if len(word) > 1
        and fold(word) not in _BESIDE
        and not (word.isupper() and len(word) <= LONGEST_INITIALS)
    ]
    return any(word not in ordinary_words() and word not in word_set("roles") for word in naming)


def make_kit(messages: list[Message]) -> Kit:
    """Returns what production makes of these mails: registry, surrogates, recognizers."""
    evidence = Evidence()
    boxes = [box for message in messages for box in message.mailboxes]
    frame = pl.DataFrame({"box": boxes})
    collect_table(evidence, "boxes", frame, {"box": ColumnSpec(kind=ColumnKind.MAILBOX)}, [], "mail.boxes")
    texts = sorted({message.text for message in messages})
    frame = pl.DataFrame({"text": texts})
    collect_table(evidence, "texts", frame, {"text": ColumnSpec(kind=ColumnKind.TEXT)}, [], "mail.texts")
    key = DatasetKey(b"k" * 32, "coreference")
    manifest = Manifest(name="coreference", company=OWN, sources=[])
    finder = name_finder()
    persons = set(finder.addressed(texts, build_registry(evidence, OWN)))
    registry = build_registry(evidence, OWN, sorted(persons))
    known = Kit(Plan(key, manifest, registry, Assignments())).recognizers
    found = finder.find(texts, known, registry)
    persons |= set(found.persons)
    for _ in range(2):
        registry = build_registry(evidence, OWN, sorted(persons), found.companies)
        known = Kit(Plan(key, manifest, registry, Assignments())).recognizers
        persons |= finder.full_names(texts, known, registry)
    registry = build_registry(evidence, OWN, sorted(persons), found.companies)
    return Kit(Plan(key, manifest, registry, Assignments()))


def resolved(messages: list[Message], mentions: list[Mention], kit: Kit) -> tuple[list[int], list[int]]:
    """Returns the person of every mention, -1 for none: with the span given, and as found in its text."""
    scopes = _scopes(messages, kit)
    contexts = [Context(tuple(dict.fromkeys(own + scopes[m.thread]))) for m, own in
                zip(messages, _own(messages, kit), strict=True)]  # fmt: skip
    findings = [kit.detector.find(message.text, context) for message, context in
                zip(messages, contexts, strict=True)]  # fmt: skip
    given, found = [], []
    for mention in mentions:
        scope = contexts[mention.message].persons
        inside = [f for f in findings[mention.message] if f.start < mention.end and mention.start < f.end]
        found.append(_person(inside, mention.text, scope, kit))
        text = re.sub(r"\s+", " ", mention.text)
        alone = kit.detector.find(f"Dear {text}", Context(scope))
        at_once = _person(alone, text, scope, kit)
        given.append(at_once if at_once >= 0 else found[-1])
    return given, found


def _own(messages: list[Message], kit: Kit) -> list[list[int]]:
    known = kit.registry.by_address
    return [
        [known[address] for box in message.mailboxes for address in addresses_in(box) if address in known]
        for message in messages
    ]  # fmt: skip


def _scopes(messages: list[Message], kit: Kit) -> dict[int, list[int]]:
    """Returns who takes part in each thread: by headers, then by names in full."""
    scopes: dict[int, list[int]] = {}
    for message, own in zip(messages, _own(messages, kit), strict=True):
        scopes.setdefault(message.thread, []).extend(own)
    for message in messages:
        scopes[message.thread].extend(kit.known.mentioned(message.text))
    return {thread: list(dict.fromkeys(persons)) for thread, persons in scopes.items()}


def _person(findings: list[Finding], text: str, scope: tuple[int, ...], kit: Kit) -> int:
    """Returns the person whose surrogate a replacement is a form of: the nearest in scope, -1 for nobody."""
    for address in addresses_in(text):
        if address in kit.registry.by_address:
            return int(kit.registry.by_address[address])
    naming = [finding for finding in findings if finding.entity_type in _NAMING]
    words = {word for f in naming for word in re.findall(r"[^\W\d_]+", fold(f.replacement))}
    words -= _BESIDE
    if not words:
        return -1
    whole = fold(" ".join(f.replacement for f in naming))
    everybody: dict[int, None] = dict.fromkeys((*scope, *range(len(kit.surrogates.persons))))
    for called in (True, False):
        alike = []
        for person in everybody:
            known = _words(kit, person, called=called)
            if words <= known or whole in known:
                alike.append(person)
        if alike:
            return next((person for person in alike if _is_named(kit, person, text)), alike[0])
    return -1


def _is_named(kit: Kit, person: int, text: str) -> bool:
    """Says whether a mention holds a word of a person's real names: surrogates of two may share a word."""
    real = {word for name in kit.registry.persons[person].names for part in name for word in words_of(part)}
    return not real.isdisjoint(words_of(text))


def _words(kit: Kit, person: int, *, called: bool) -> frozenset[str]:
    """Returns the words of all forms of a person's surrogate, or of those by which somebody is `called`."""
    surrogate = kit.surrogates.persons[person]
    name = surrogate.name
    parts = [name.first, name.last, surrogate.second_family, *([] if called else [name.middle])]
    written = [kit.surrogates.variant(person, real) for real in kit.registry.persons[person].names]
    parts += [part for real in written for part in (real.first, real.last)]
    words = {word for part in parts for word in re.findall(r"[^\W\d_]+", fold(part))}
    words |= set() if called else {word[0] for word in words}
    words |= {fold(nick) for nick in nicknames().get(fold(name.first), ())}
    handles = {kit.surrogates.login(login) for login in kit.registry.persons[person].logins}
    return frozenset(words | handles)


def pairs(mentions: list[Mention], persons: list[int]) -> Pairs:
    """Returns the pairs of mentions within each thread; nobody is alike to nobody."""
    alike = alike_found = joined = 0
    by_thread: dict[int, list[int]] = {}
    for place, mention in enumerate(mentions):
        by_thread.setdefault(mention.thread, []).append(place)
    for places in by_thread.values():
        for one, other in combinations(places, 2):
            same = mentions[one].entity == mentions[other].entity
            together = persons[one] == persons[other] != -1
            alike += same
            joined += together
            alike_found += same and together
    return Pairs(len(mentions), sum(person >= 0 for person in persons), alike, alike_found, joined)
