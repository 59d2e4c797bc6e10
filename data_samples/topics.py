"""The eight problems of the trade as news, pitches and facts word them. All other wordings are in letters."""

from __future__ import annotations

from typing import NamedTuple


class Topic(NamedTuple):
    """One problem: how the press reports it, a rep pitches it, a follow-up cites the facts."""

    key: str
    subject: tuple[str, ...]
    pains: tuple[str, ...]
    pitches: tuple[str, ...]
    facts: tuple[str, ...]


TOPICS = (
    Topic(
        "paid_twice",
        ("Bills that go out twice", "A second payment run you did not want"),
        (
            (
                "{paper}, {month}: the {place} site paid twice for freight, {figure} clawed back from "
                "two hauliers"
            ),
            "Annual report mentions duplicate payments of {figure} in {place}, found by accident in {month}",
            "{paper} ({month}): double payment to a packaging supplier in {place}, {figure} still disputed",
        ),
        (
            (
                "I read that the same invoice twice made it through your payment run. {product} "
                "compares every bill with "
                "what has already gone out, even when somebody retyped the number."
            ),
            (
                "Duplicate payments are the first thing our customers get rid of: the check runs "
                "before the bank file is "
                "written and not three months later."
            ),
            (
                "Money that is paid twice rarely comes back in full. We stop it at the door, so nobody "
                "has to chase a refund."
            ),
            (
                "A double payment mostly begins with a scan and a PDF of one bill. We match the two "
                "before anyone posts them."
            ),
        ),
        (
            (
                "The {figure} that went out twice in {place} is the kind of thing I mean: {product} "
                "would have held the "
                "double payment back."
            ),
            "Getting {figure} back after a duplicate payment must have kept {place} busy since {month}.",
        ),
    ),
    Topic(
        "penalty_interest",
        ("Late fees", "Paying on the day, not after it"),
        (
            "{paper}, {month}: suppliers of the {place} depot charge late fees, {figure} in one quarter",
            "Accounts filed in {month} show {figure} of penalty interest, mostly {place}",
            "Trade blog {month}: hauliers stop deliveries to {place} after overdue penalties of {figure}",
        ),
        (
            (
                "Late fees tend to come from bills that wait for a signature. {product} shows what "
                "falls due this week and "
                "who is sitting on it."
            ),
            (
                "Your suppliers seem to be adding penalty interest. We route each bill by due date, "
                "so the last signature "
                "is there in time."
            ),
            (
                "Overdue penalties are easy money for suppliers. Our customers cut them by nine tenths "
                "in the first year."
            ),
            (
                "I noticed the late-payment charges in the press. A due-date queue takes care of them "
                "without more people."
            ),
        ),
        (
            (
                "{figure} of late fees in one period, as reported for {place}, would pay for {product} "
                "several times."
            ),
            "The piece from {month} put the penalty interest at {figure}; most of that is avoidable.",
        ),
    ),
    Topic(
        "lost_skonto",
        ("The two percent you leave behind", "Early-payment discounts"),
        (
            "{paper}, {month}: {place} group forgoes early-payment discounts worth {figure} a year",
            "CFO in an interview ({month}): missed discounts of {figure}, approvals take too long in {place}",
            "Analyst note {month}: cash discount lost on {figure} of purchases, {place}",
        ),
        (
            (
                "Early-payment discounts only help the one who signs within ten days. {product} puts "
                "those bills first."
            ),
            (
                "I understand that you have missed discounts because approvals run late. We sort the "
                "queue by what a day costs."
            ),
            (
                "A cash discount lost is margin lost. We flag every bill with terms while the discount "
                "is still open."
            ),
            (
                "Two percent for ten days sounds small until you add up the discounts you could not "
                "take. We make them visible."
            ),
        ),
        (
            "With {figure} of missed discounts, as your CFO said in {month}, the first quarter already pays.",
            (
                "{place} alone could collect most of the {figure} in early-payment discounts that the "
                "article mentions."
            ),
        ),
    ),
    Topic(
        "typing_backlog",
        ("Boxes of unposted bills", "Typing invoices by hand"),
        (
            "{paper}, {month}: invoice backlog at {place}, bills worth {figure} wait to be keyed",
            "Local radio {month}: temps in {place} typing invoices by hand, {figure} unposted",
            "{paper} ({month}): {figure} of unposted bills pile up after the move to {place}",
        ),
        (
            (
                "An invoice backlog does not need more temps. {product} reads the bill, codes it and "
                "only asks when it is unsure."
            ),
            (
                "Typing invoices by hand is what our customers stopped doing first. Four out of five "
                "lines post themselves."
            ),
            (
                "I saw that unposted bills have piled up. We cleared twelve thousand of them for a firm "
                "of your size in six weeks."
            ),
            (
                "Manual data entry of bills is slow and dull. Capture takes it over and your team checks "
                "the odd ones."
            ),
        ),
        (
            (
                "Bills worth {figure} waiting in {place}, as reported in {month}: that invoice backlog "
                "is our daily bread."
            ),
            "We could take the {figure} of unposted bills in {place} as the pilot.",
        ),
    ),
    Topic(
        "supplier_queries",
        ("Suppliers asking where their money is", "Supplier disputes"),
        (
            "{paper}, {month}: supplier disputes over {figure} at {place}, portal down for weeks",
            (
                "Growers' association complains ({month}): vendors of the {place} plant cannot see "
                "{figure} of open items"
            ),
            "{paper} ({month}): vendor portal of {place} rejects bills, {figure} contested",
        ),
        (
            (
                "Supplier disputes start when nobody can say where a bill is. {product} gives each "
                "vendor a page with its status."
            ),
            (
                "Your vendor portal was in the news. Ours lets vendors correct a wrong bill on the spot "
                "and not by phone."
            ),
            (
                "When vendors cannot see their open items, they call. We moved eight of ten such calls "
                "to self-service."
            ),
            (
                "Disputed supplier bills need one thread per bill, with both sides in it. That is how we "
                "built it."
            ),
        ),
        (
            (
                "The contested {figure} in {place} is a textbook case: a vendor portal that answers "
                "would have settled most."
            ),
            "In {month} the paper wrote of supplier disputes about {figure}; we would begin with those.",
        ),
    ),
    Topic(
        "auditor_remarks",
        ("After the auditor's letter", "Audit findings in payables"),
        (
            "{paper}, {month}: audit findings at {place}, {figure} approved without second signature",
            "Annual report ({month}): auditors note missing approvals for {figure} in {place}",
            "{paper} ({month}): control weakness in payables at {place}, {figure} restated",
        ),
        (
            (
                "Audit findings about approvals are hard to argue with. {product} records who signed "
                "what, when and on which rule."
            ),
            (
                "Your auditors noted missing approvals. With us a bill without its second signature "
                "cannot reach the bank file."
            ),
            (
                "A control weakness in payables closes fastest when the system enforces the rule. That "
                "is what we do."
            ),
            (
                "The auditor's remarks I read about are what our approval trail answers, with one export "
                "per sample."
            ),
        ),
        (
            (
                "{figure} without a second signature in {place}: this audit finding would not come back "
                "next year."
            ),
            (
                "Restating {figure} in {month} cannot have been fun; the control weakness behind it is "
                "one we close."
            ),
        ),
    ),
    Topic(
        "many_entities",
        ("One payables team, many companies", "Consolidating entities"),
        (
            (
                "{paper}, {month}: group adds its seventh company in {place}, entities keep separate "
                "books, {figure} of deals"
            ),
            "Press release {month}: multi-entity group buys two firms near {place} for {figure}",
            (
                "{paper} ({month}): consolidation of entities delayed, closing in {place} takes 19 days, "
                "{figure} unreconciled"
            ),
        ),
        (
            (
                "A multi-entity group wants one queue and many ledgers. {product} posts each bill to the "
                "right company by itself."
            ),
            (
                "Consolidation of entities usually stalls at payables, since intercompany bills are "
                "keyed twice. We post both legs."
            ),
            "With separate books per company, nobody sees the total owed. We show it by entity and by group.",
            (
                "After buying companies you inherit their payables. We bring new entities live in about "
                "three weeks each."
            ),
        ),
        (
            (
                "Nineteen days to close and {figure} in play in {place}: the entities could share one "
                "payables queue."
            ),
            "The {month} deal adds entities in {place}; with {figure} at stake, one set of rules helps.",
        ),
    ),
    Topic(
        "bank_detail_fraud",
        ("Changed bank details", "Payment fraud"),
        (
            "{paper}, {month}: fraudsters changed bank details, {place} firm wires {figure}",
            "Police report {month}: payment fraud at {place}, {figure} lost to a forged supplier letter",
            "{paper} ({month}): fake supplier account, {figure} recovered in part, {place}",
        ),
        (
            (
                "Changed bank details are how the money leaves. {product} freezes a vendor until two "
                "people confirm the new account."
            ),
            (
                "I read about the payment fraud attempt. We check each account against the vendor's "
                "history before release."
            ),
            "A fake supplier account looks fine on paper. We compare it with the bank's own owner record.",
            (
                "Fraudsters write to clerks and not to systems. A locked vendor record takes the "
                "pressure off your people."
            ),
        ),
        (
            "The {figure} wired from {place} would have stopped at our check for changed bank details.",
            "What happened in {month} is payment fraud of the common kind; {figure} is sadly typical.",
        ),
    ),
)

GENERIC_SUBJECTS = (
    "Quick question",
    "Modernising finance at {company}",
    "Introduction",
    "{company} + Tarnwick",
)
GENERIC_PITCHES = (
    "We help finance teams do more with less. {product} is the leading platform for modern payables.",
    "Many companies in {industry} have moved to {product} this year and I think {company} could be next.",
    "I wanted to put {product} on your radar. Our customers love how easy everything becomes.",
    "You are hiring, so you are growing, and growing firms like {company} choose {product}.",
)
ASKS = (
    "Would you have half an hour for a call next week?",
    "Could we talk for thirty minutes? Tell me a time that suits you and I will send the invite.",
    "Do you have time for a short call this week or next?",
    "May I show you in a 30 minute call? Any slot works on my side.",
)
NO_ASKS = (
    "I have put the two-page summary on our site in case it is useful.",
    "Happy to send the write-up if you care to read it.",
    "Just thought you should know that there is a way out.",
)


def by_key(key: str) -> Topic:
    """The topic with that key."""
    return next(topic for topic in TOPICS if topic.key == key)
