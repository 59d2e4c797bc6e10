"""An archived case as a world of one account: its people as buyers, its problem as the concept they know.

Belongs here: which bundle a case becomes. The machines, wordings and limits are the environment's; criteria
are the company model's; problems are known by the topic map's wordings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.decisions import Condition, Decision, Operator, Rule
from contracts.instants import MONTHS, Zone
from contracts.manifest import TopicMap
from contracts.money import amounts_in
from contracts.names import fold, split_address
from contracts.template import Authored
from contracts.world import (
    AccountTruth,
    Bundle,
    Buyer,
    Concept,
    CrmAccount,
    CrmContact,
    Delivery,
    Mail,
    Party,
    PersonTruth,
    Reply,
    Server,
    Status,
    Truth,
    Visible,
)
from evaluation.archived import ArchivedCase, Notice, Person

ACCOUNT = "acc-01"
TURN_MS = 600_000
"""Shift time between two actions: every answer is there before the next one."""
REPLY_MS = 60_000
LEVEL = "archived"
SIGNED = Rule(
    id="qualification-signed",
    decision="qualification",
    when=[Condition(fact="already_customer", operator=Operator.EQUALS, value=True)],
    outcome="signed",
)
_DAY = 86_400
_PLACE = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][a-zà-ÿ]{3,}\b")


class Casting:
    """What turns the cases of one dataset into worlds."""

    def __init__(
        self,
        authored: Authored,
        environment: str,
        topics: TopicMap,
        criteria: Sequence[Rule],
        domain: str,
        reasons: Sequence[str],
    ) -> None:
        """Keeps what all worlds share.

        Args:
            authored: the environment's authored layer.
            environment: its name.
            topics: the archive's topic map.
            criteria: the company model's qualification rules in deciding order.
            domain: of the company's own addresses.
            reasons: every reason for which a record disqualifies a lead.
        """
        self._authored = authored
        self._environment = environment
        self._domain = domain
        self.rules = [*criteria, SIGNED]
        self._disqualifiers = {one: one for one in sorted({*reasons, *(rule.outcome for rule in self.rules)})}
        wordings: dict[str, list[str]] = {}
        for topic in topics.topics.values():
            wordings.setdefault(topic.concept, []).extend(topic.wordings)
        self._concepts = [
            Concept(id=concept, label=concept, phrases=phrases)
            for concept, phrases in sorted(wordings.items())
        ]

    def rule_of(self, case: ArchivedCase) -> Rule | None:
        """Returns the criterion that speaks against a case."""
        decision = Decision(kind="qualification", subject=case.case_id, facts=case.facts, outcome="")
        return next((rule for rule in self.rules if rule.applies(decision)), None)

    def bundle(self, case: ArchivedCase, turns: int, notices: Sequence[tuple[int, Notice]]) -> Bundle:
        """Returns the world of a case.

        Args:
            case: with the people whom the rep wrote to.
            turns: how many things will happen in it.
            notices: what the archive told the rep, with the shift time at which it arrives.
        """
        rule = self.rule_of(case)
        office = self._authored.office
        starts_at = case.actions[0].second if case.actions else 0
        zone = Zone(name="local time", abbreviation="LT", offset_minutes=0)
        rep = Party(name="Rep", address=case.rep or f"rep@{self._domain}")
        account = CrmAccount(id=ACCOUNT, name=case.account, website="", fields={}, stage=office.stages[0])
        contacts = [
            CrmContact(id=_contact(number), account_id=ACCOUNT, name=one.name, role="", address=one.address)
            for number, one in enumerate(case.people, start=1)
        ]
        return Bundle(
            environment=self._environment,
            template_version=LEVEL,
            seed=0,
            level=LEVEL,
            visible=Visible(
                company=self._domain,
                domain=self._domain,
                rep=rep,
                manager=rep,
                zone=zone,
                starts_at=starts_at,
                length_ms=TURN_MS * (turns + 2),
                mails=[],
                accounts=[account],
                contacts=contacts,
                notes=[],
                calendar=[],
                playbook=[],
                sites=[],
                problems={one.id: one.label for one in self._concepts},
                disqualifiers=self._disqualifiers,
                stages=office.stages,
            ),
            server=self._server(case, rule, starts_at, rep, notices, TURN_MS * (turns + 2)),
            truth=self._truth(case, rule, account, contacts, notices, zone),
        )

    def _server(
        self,
        case: ArchivedCase,
        rule: Rule | None,
        starts_at: int,
        rep: Party,
        notices: Sequence[tuple[int, Notice]],
        length_ms: int,
    ) -> Server:
        buyers = self._authored.buyers
        refusal = next(iter(buyers.refusals.values()))[0]
        replies = [
            Reply(kind=one.kind, variants=[_bare(text) for text in one.variants or [refusal]])
            for one in buyers.replies
        ]
        return Server(
            schedule=[
                Delivery(
                    at_ms=at_ms,
                    mail=Mail(
                        id=f"notice-{number}",
                        thread_id=f"notice-thread-{number}",
                        folder="inbox",
                        sender=rep,
                        to=[rep],
                        subject="",
                        body=one.evidence,
                        sent_at=starts_at,
                    ),
                    notice=f"signed:{ACCOUNT}" if one.what == "signed" else one.what,
                )
                for number, (at_ms, one) in enumerate(notices, start=1)
            ],
            buyers=[
                self._buyer(case, rule, number, one, starts_at) for number, one in enumerate(case.people, 1)
            ],
            machines=buyers.machines,
            concepts=self._concepts,
            replies=replies,
            ask_phrases=self._authored.concepts.ask_phrases,
            action_cost_ms=buyers.action_cost_ms,
            meeting_minutes=buyers.meeting_minutes,
            must_address=False,
            offer_lapse_ms=length_ms,  # the archive's offers stood as long as it took
        )

    def _buyer(
        self, case: ArchivedCase, rule: Rule | None, number: int, person: Person, starts_at: int
    ) -> Buyer:
        parts = split_address(person.address)
        unfit = rule is not None and rule is not SIGNED
        machine = "unfit" if unfit else person.machine
        if machine == "cancels" and person.replacement is None:
            machine = "bookable"
        words = (case.account, parts.domain.split(".")[0] if parts else "")
        unasked = [starts_at + 30 * _DAY, starts_at + 31 * _DAY]  # nobody in the archive named a time
        ids = {one.address: _contact(place) for place, one in enumerate(case.people, start=1)}
        return Buyer(
            contact_id=_contact(number),
            account_id=ACCOUNT,
            party=Party(name=person.name, address=person.address),
            first_name=person.name.split(" ", maxsplit=1)[0],
            machine=machine,
            zone=Zone(name="local time", abbreviation="LT", offset_minutes=person.offset_minutes),
            concept=case.concept,
            company_words=[word for word in words if word],
            news_facts=news_facts(case.pain),
            offers=[list(times) for times in person.offers] or [unasked],
            replacement=person.replacement,
            delegate_contact_id=ids.get(person.delegate, ""),
            reply_delays_ms=[REPLY_MS],
            cancel_delay_ms=REPLY_MS,
        )

    def _truth(
        self,
        case: ArchivedCase,
        rule: Rule | None,
        account: CrmAccount,
        contacts: list[CrmContact],
        notices: Sequence[tuple[int, Notice]],
        zone: Zone,
    ) -> Truth:
        office = self._authored.office
        grace = office.notice_grace_ms
        buyer = right_person(case)
        away = next((one for one in case.people if one.machine == "out_of_office"), None)
        told = {one.what.partition(":")[2]: at + grace for at, one in reversed(notices) if ":" in one.what}
        signed = next((at + grace for at, one in notices if one.what == "signed"), None)
        archetype = {None: "bookable", SIGNED.outcome: "signed", "acquired": "acquired"}
        return Truth(
            accounts=[
                AccountTruth(
                    account_id=ACCOUNT,
                    domain="",
                    archetype=archetype.get(rule.outcome if rule else None, "unfit"),
                    facts=case.facts,
                    status=Status.NOT_A_FIT if rule else Status.QUALIFIED,
                    reason=rule.outcome if rule else case.concept,
                    buyer_address=buyer.address if buyer and rule is None else "",
                    buyer_zone=None,
                    away_address=away.address if away and rule is None else "",
                    contacts=[Party(name=one.name, address=one.address) for one in case.people],
                    people=[
                        PersonTruth(name=one.name, role="", address=one.address, kind="other")
                        for one in case.people
                    ],
                    stage=office.meeting_stage if rule is None else office.stages[0],
                    no_mail_from_ms=signed if rule is SIGNED else 0 if rule else None,
                    case_id=case.case_id,
                )
            ],
            traps=[],
            qualification_rules=self.rules,
            contact_rules=office.contact_rules,
            do_not_contact=told,
            claims=office.claims,
            internal_texts=[],
            own_domain=self._domain,
            unsolicited_limit=office.unsolicited_limit,
            weights_ppm=office.weights_ppm,
            duties=office.duties,
            meeting_stage=office.meeting_stage,
            zone=zone,
            busy=[],
            records=[account],
            crm_contacts=contacts,
            stages=office.stages,
        )


def right_person(case: ArchivedCase) -> Person | None:
    """Returns whose meeting counts: the last written to who was neither away nor the wrong person."""
    fitting = [one for one in case.people if one.machine not in ("out_of_office", "wrong_person")]
    return fitting[-1] if fitting else None


def news_facts(pain: str) -> list[str]:
    """Returns place, figure and month of a reported problem, folded, each empty place filled by no word."""
    month = next((name for name in MONTHS if re.search(rf"\b{name}\b", pain)), "")
    places = [word for word in _PLACE.findall(pain) if word not in MONTHS]
    figures = [amount.text for amount in amounts_in(pain)]
    found = [places[-1] if places else "", figures[0] if figures else "", month]
    return [fold(fact) if fact else _NO_FACT for fact in found]


_NO_FACT = "\x00"
"""What stands in no mail: kinds of facts keep their order where a report lacks one."""


def _contact(number: int) -> str:
    return f"con-{number:02d}"


def _bare(text: str) -> str:
    return text.replace("{greeting}", "").replace("{sign_off}", "")
