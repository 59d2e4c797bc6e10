"""A mail is relevant only as a statement about its reader's company, and to the right person."""

import pytest

from contracts.world import Concept
from runtime.matcher import Matcher

ASK = " Could we meet?"


@pytest.fixture
def judge(small_server):
    concepts = [
        Concept(
            id="duplicate_payments",
            label="Duplicate payments",
            phrases=["duplicate payment", "pay * twice", "pay + twice"],
            cues=["twice", "duplicate"],
        ),
        Concept(
            id="late_fees",
            label="Late fees",
            phrases=["late fee", "penalty interest", "pay * late"],
            cues=["late", "penalty"],
        ),
        Concept(
            id="audit_findings",
            label="Audit findings",
            phrases=["audit finding", "audit + find|gap", "approval + miss|late"],
            cues=["audit"],
        ),
    ]
    facts = [["leeds", "$1,200", "37", "may", "atlas"], ["bonn", "$90", "12", "june", "orion"]]
    buyers = [
        buyer.model_copy(update={"concept": "late_fees", "news_facts": facts[place % 2]})
        for place, buyer in enumerate(small_server.buyers)
    ]
    matcher = Matcher(small_server.model_copy(update={"concepts": concepts, "buyers": buyers}))
    return lambda text, place=0: matcher.judge(text, place)


@pytest.mark.parametrize(
    "text",
    [
        "You pay late fees.",
        "Your suppliers charge you late fees, I read.",
        "I read in your news of the late fees.",
        "Late fees are in your news.",
        "Late fees again? I saw it in your news.",
        "We read that Company0 had late fees.",
        "Company0 had to pay penalty interest in Leeds.",
        "Our tool is made for late fees like yours.",
        "Your late fees are not small.",
        "You don't like the late fees, I am sure; they were in your news: late fees of $1,200.",
        "You paid late\nfees in Leeds.",
        "Your audit says that you pay late fees.",
        "You pay late fees because an approval was missing.",
    ],
)
def test_what_the_readers_company_or_its_news_is_said_to_have_is_heard(judge, text):
    assert judge(text + ASK).why == "relevant"


UNSAID = {
    "denied": [
        "I read that late fees are not your problem.",
        "I read that you have no late fees.",
        "It is not true that you pay late fees.",
        "Nobody claims that you pay late fees.",
        "Late fees never happen to you.",
        "Late fees don't bother you.",
        "Late fees cannot happen at your company.",
        "You never had to pay late fees.",
    ],
    "over": [
        "You are free of late fees.",
        "You avoided late fees.",
        "You got rid of late fees.",
        "You ended late fees.",
        "You have overcome late fees.",
        "You were spared late fees.",
        "You used to pay late fees.",
        "You no longer pay late fees.",
        "Zero late fees were charged to you.",
        "Late fees: zero.",
        "Late fees are rare at your company.",
        "Late fees are the least of your problems.",
        "Late fees are a thing of the past at your company.",
        "Your late fees are history.",
        "Congratulations on ending late fees.",
        "Your suppliers waived late fees.",
    ],
    "of others": [
        "Your competitors pay late fees.",
        "Many companies pay late fees.",
        "Companies in your industry pay late fees.",
        "In your industry late fees are common.",
        "Late fees are common in your industry.",
        "Others, unlike you, pay late fees.",
        "Other firms pay late fees.",
        "Everybody pays late fees.",
        "Our customers pay late fees.",
        "We once had late fees ourselves.",
        "We help companies like yours with late fees.",
        "Our product stops late fees.",
        "Ledgerline warns before a due date passes, so that no supplier charges late fees.",
    ],
    "asked": [
        "Late fees?",
        "Do you have late fees?",
        "Are you struggling with late fees, could we meet?",
        "If you have late fees, we can help.",
        "Late fees penalty interest.",
        "You " + "pay late fees and other fees and " * 12 + "more.",
    ],
}


@pytest.mark.parametrize(("why", "text"), [(why, text) for why, texts in UNSAID.items() for text in texts])
def test_what_is_denied_over_of_others_or_asked_is_not_said_of_the_reader(judge, why, text):
    assert judge(text + ASK).why == "no_problem", why


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("You pay late fees. You also pay bills twice.", ["late_fees", "duplicate_payments"]),
        ("You pay late fees and bills twice.", ["late_fees", "duplicate_payments"]),
        ("Your audit finding and your late fees are in the news.", ["late_fees", "audit_findings"]),
    ],
)
def test_who_names_several_problems_is_relevant_to_nobody(judge, text, problems):
    judgement = judge(text + ASK)
    assert judgement.why == "several_problems"
    assert sorted(judgement.problems) == sorted(problems)


@pytest.mark.parametrize(
    ("greeting", "fits"),
    [
        ("Hi Pat0,", True),
        ("Pat0,", True),
        ("Pat0 -", True),
        ("Dear Mr. Doe,", True),
        ("Hi there,", True),
        ("Hello,", True),
        ("Ouch,", True),
        ("Quick one,", True),
        ("Greetings from a sunny office.", True),
        ("To whom it may concern,", True),
        ("Hi Company0 team,", True),
        ("Hi Bob,", False),
        ("Bob,", False),
        ("Bob -", False),
        ("Bob Miller:", False),
        ("Dear Ms. Renner,", False),
    ],
)
@pytest.mark.parametrize("joint", [" ", "\n", "\n\n"])
def test_a_mail_with_another_name_in_its_first_line_is_anothers(judge, greeting, fits, joint):
    assert (judge(f"{greeting}{joint}I read that you pay late fees.{ASK}").why == "relevant") is fits


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("In Leeds you paid $1,200 in May.", ("leeds", "$1,200", "may")),
        ("May I call you?", ()),
        ("In March, April, May and June.", ()),
        ("Leeds, Bonn.", ()),
        ("Atlas Orion", ()),
        ("37 invoices, and 30 minutes on the 14th at 10:30.", ("37",)),
        ("12 13 14 37 38 39 40 41", ()),
    ],
)
def test_a_fact_counts_where_it_is_the_only_one_of_its_kind(judge, text, facts):
    assert judge(text).facts == facts


def test_a_buyer_reads_six_hundred_words(judge):
    filler = "We write software. " * 200
    assert judge("You pay late fees. " + filler).why == "relevant"
    assert judge(filler + "You pay late fees.").why == "no_problem"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Might we sit down for a quarter of an hour?", True),
        ("When might we speak?", True),
        ("Do you have time this week?", True),
        ("20 min?", True),
        ("Call Tuesday?", True),
        ("I could show you a faster way on Monday.", True),
        ("We would be honoured to present it at your convenience.", True),
        ("We do not want a meeting.", False),
        ("You pay late fees.", False),
        ("Is it true?", False),
    ],
)
def test_a_mail_asks_for_a_meeting_by_grammar(judge, text, asks):
    assert judge(text).asks is asks
