"""What a mail says to a buyer: which problem it asserts, of whom, and whether it asks for a meeting.

Rules over words: the same text always gets the same judgement, with its evidence. The wordings of the
problems, and how far words lean to them, are the world's. Which problem a text is about does not depend on
its reader; what stands here is how this reader takes it: by name, company and the facts of their own news.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from contracts.names import fold
from contracts.spellings import spelt_out
from contracts.wording import clauses_in, without_hollow_negation, without_quotes_of_others, words_in
from contracts.world import Buyer, Server
from runtime.asking import Asks
from runtime.facts import MONTHS, NewsFacts
from runtime.greetings import Greetings
from runtime.mail_model import MailModel, Weighed
from runtime.marks import Marks, Sentence
from runtime.parties import OTHERS, Names
from runtime.problems import Problems, Topic
from runtime.statements import statements_in

_MOST_WORDS = 600
"""What a buyer reads of a mail; the rest of a longer one is unread."""
_MOST_CHARACTERS = 6_000
_MOST_KEPT = 256
_MOST_NAMED = 1
"""Problems that rules found, at most, where models are asked: what tells several is for nobody."""
_ORIGINAL = re.compile(r"(?m)^\s*-{2,}\s?(?:Original|Forwarded) Message\s?-{2,}", re.IGNORECASE)


@dataclass(frozen=True)
class Judgement:
    """What a mail is to one buyer."""

    relevant: bool
    off_topic: bool
    """It asserts problems, but not this company's one."""
    asks: bool
    facts: tuple[str, ...]
    why: str
    """relevant, no_problem, other_problem, several_problems, other_company, other_name."""
    problems: tuple[str, ...]
    clause: str
    weighed: Weighed | None = None
    """What the fitted models made of it, where the world has some and no rule decided alone."""

    def evidence(self) -> dict[str, Any]:
        """Returns the judgement as the log keeps it."""
        return {
            "why": self.why,
            "problems": list(self.problems),
            "asks": self.asks,
            "facts": list(self.facts),
            "clause": self.clause,
            **({} if self.weighed is None else {"weighed": self.weighed.evidence()}),
        }


@dataclass(frozen=True)
class _Reading:
    """What a text says, whoever reads it."""

    topic: Topic
    asks: bool


class Matcher:
    """Judges mails by the wordings of one world."""

    def __init__(self, server: Server) -> None:
        self._buyers = server.buyers
        self._asks = Asks(server.ask_phrases)
        self._problems = Problems(server.concepts, server.other_topics)
        self._facts = NewsFacts(buyer.news_facts for buyer in server.buyers)
        self._greetings = Greetings(server)
        self._companies = {buyer.account_id: tuple(buyer.company_words) for buyer in server.buyers}
        self._one_word = {
            words[0]: words[1]
            for words in self._companies.values()
            if len(words) > 1 and not OTHERS.isdisjoint(words_in(words[0]))
        }
        self._must_address = server.must_address
        self._names = Names(
            frozenset(word for held in self._companies.values() for name in held for word in words_in(name)),
            frozenset(
                word
                for buyer in server.buyers
                for fact in buyer.news_facts
                for word in words_in(fact)
                if not word.isdigit() and word not in MONTHS
            ),
            frozenset(word for buyer in server.buyers for word in words_in(buyer.party.name)),
        )
        self._model = MailModel(server.mail_model) if server.mail_model and server.must_address else None
        self._marks: dict[str, Marks] = {}
        self._readings: dict[str, _Reading] = {}

    def judge(self, written: str, place: int) -> Judgement:
        """Returns what a text says to the buyer at a place of the world's list."""
        buyer = self._buyers[place]
        text = _read_part(written)
        reading = self._reading(text)
        why = self._verdict(text, reading.topic, buyer)
        weighed = self._weighed(text, reading.topic, buyer, why)
        if weighed:
            why = _agreed(why, weighed, buyer.concept)
        return Judgement(
            relevant=why == "relevant",
            off_topic=why not in {"relevant", "no_problem"},
            asks=reading.asks,
            facts=self._facts.told(text, tuple(buyer.news_facts)),
            why=why,
            problems=reading.topic.named,
            clause=reading.topic.clause[:200] if reading.topic.problem == buyer.concept else "",
            weighed=weighed,
        )

    def sentences(self, written: str, place: int) -> list[Sentence]:
        """Returns a text's sentences as fitted models see them for the buyer at a place."""
        return _marked(_read_part(written), Marks(self._buyers[place], self._companies))

    def _weighed(self, text: str, topic: Topic, buyer: Buyer, why: str) -> Weighed | None:
        """Returns what the models make of a text on which no rule has the last word."""
        if self._model is None or why in {"other_name", "other_company"} or len(topic.named) > _MOST_NAMED:
            return None
        if buyer.contact_id not in self._marks:
            self._marks[buyer.contact_id] = Marks(buyer, self._companies)
        return self._model.weigh(_marked(text, self._marks[buyer.contact_id]), topic.named)

    def _reading(self, text: str) -> _Reading:
        if text not in self._readings:
            own = self._by_one_word(_own_lines(self._greetings.body(text)))
            body = without_hollow_negation(without_quotes_of_others(spelt_out(own)))
            names = self._names if self._must_address else None
            topic = self._problems.topic(statements_in(body, self._asks.stand_in, names))
            asks = any(self._asks.stand_in(clause) for clause in clauses_in(body))
            if len(self._readings) >= _MOST_KEPT:
                self._readings.clear()
            self._readings[text] = _Reading(topic, asks)
        return self._readings[text]

    def _by_one_word(self, text: str) -> str:
        """Calls a company by its one word where its name tells of a trade that is another's elsewhere."""
        for name, word in self._one_word.items():
            text = text.replace(name, word)
        return text

    def _verdict(self, text: str, topic: Topic, buyer: Buyer) -> str:
        if not self._greetings.fit(text, buyer):
            return "other_name"
        if self._speaks_of_another(text, buyer.account_id, topic):
            return "other_company"
        if not topic.named:
            return "no_problem"
        if not topic.problem:
            return "several_problems" if buyer.concept in topic.named else "other_problem"
        return "relevant" if topic.problem == buyer.concept else "other_problem"

    def _speaks_of_another(self, text: str, account_id: str, topic: Topic) -> bool:
        """Says whether a text is of another company: all of it, its problem, or the last one named before."""
        here = self._companies[account_id]
        mine = {fold(word) for word in here}
        elsewhere = [
            word
            for other, words in self._companies.items()
            if other != account_id
            for word in words
            if fold(word) not in mine
        ]
        if _last(topic.before, elsewhere) > _last(topic.before, here):
            return True
        return any(_names(part, elsewhere) and not _names(part, here) for part in (text, topic.clause))


def _marked(text: str, marks: Marks) -> list[Sentence]:
    return marks.sentences(spelt_out(_own_lines(text)))


def _agreed(why: str, weighed: Weighed, concept: str) -> str:
    """Returns what a text is to a buyer by the models, in the words of the rules."""
    if weighed.score > 0:
        return "relevant" if weighed.problem == concept else "other_problem"
    return "no_problem" if why == "relevant" else why


def _read_part(written: str) -> str:
    """Returns what a buyer reads of a text: its first six hundred words."""
    held = written[:_MOST_CHARACTERS]
    words = list(re.finditer(r"\S+", held))
    return held if len(words) <= _MOST_WORDS else held[: words[_MOST_WORDS].start()]


def _own_lines(text: str) -> str:
    """Returns a text without lines that are marked as somebody else's, received or not."""
    before = _ORIGINAL.split(text, maxsplit=1)[0]
    return "\n".join(line for line in before.split("\n") if not line.lstrip().startswith(">"))


def _names(text: str, names: Sequence[str]) -> bool:
    """Says whether a text holds a name, written with the capitals of a name."""
    return _last(text, names) >= 0


def _last(text: str, names: Sequence[str]) -> int:
    """Returns where a text holds the last of some names; -1 where it holds none."""
    known = (rf"(?<!\w){re.escape(name)}(?!\w)" for name in names if name)
    return max((match.end() for one in known for match in re.finditer(one, text)), default=-1)
