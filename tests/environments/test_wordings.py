"""How the environment's lexicon and the matcher judge wordings that were written apart from it."""

import itertools
import json
import random
import textwrap
from pathlib import Path

import pytest

from grader.wordings import find_claims
from runtime.matcher import Matcher
from worldgen.building import build
from worldgen.template import load_template

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "matcher"
SUITES = ("", "_fresh", "_held_out", "_varied", "_registers", "_colloquial")
"""Suites by the end of their files' names; each was written apart from the lexicon."""
DECOYS = ("", "_fresh", "_held_out")
ASK = "Could we meet for 30 minutes this week?"
FRAMES = (
    "I read in your news that {list}. Could we meet for 30 minutes?",
    "You have a lot on your plate: {list}. When are you free for a call?",
    "It seems that your company knows {list}. Can we talk next week?",
    "Your news made me write. You know {list}, I take it. Do you have 20 minutes on Tuesday?",
)
SOUPS = (
    "quarrel complain forfeited separate late penalty discount ledger signature withheld weakness",
    "backlog unposted twice double fraud scam. March April May June July, Atlas Meridian Juniper Falcon",
    "Finance teams like yours struggle with a backlog, with fraud and with duplicates: double entries, fake "
    "letters, piles of unposted paper",
    "duplicated bogus received already once number bank over board twice duplicate two a payment second gap",
    "penalty overdue discount forfeited one auditor audit",
    "You have late fees, duplicate payments, audit findings, supplier disputes, payment fraud, missed "
    "discounts, invoice backlog and many entities",
    "Late fees penalty interest",
)


def suite(kind, end):
    return json.loads((CASES / f"{kind}{end}.json").read_text("utf-8"))


def mails(end):
    return [(concept, text) for concept, texts in suite("relevant", end).items() for text in texts]


@pytest.fixture(scope="module")
def template():
    return load_template(ROOT / "environments" / "gtm-outbound")


@pytest.fixture(scope="module")
def server(template):
    return build(template, 1).server


@pytest.fixture(scope="module")
def judged(server):
    """What a buyer whose company has a problem makes of a text; {other} in it names another company."""
    first = server.buyers[0]
    other = next(one for one in server.buyers if one.account_id != first.account_id)
    places = {concept.id: place for place, concept in enumerate(server.concepts)}
    readers = [
        first.model_copy(update={"concept": concept, "news_facts": [], "account_id": first.account_id})
        for concept in places
    ]
    matcher = Matcher(server.model_copy(update={"buyers": [*readers, other]}))
    names = {
        "{other}": other.company_words[0],
        "{company}": first.company_words[0],
        "{first}": first.first_name,
        "{last}": first.party.name.split()[-1],
    }

    def judge(text, concept):
        for field, name in names.items():
            text = text.replace(field, name)
        return matcher.judge(text, places[concept])

    return judge


@pytest.fixture(scope="module")
def accepting(server, judged):
    """The problems whose buyers find a text relevant."""
    concepts = [concept.id for concept in server.concepts]
    return lambda text: [concept for concept in concepts if judged(text, concept).relevant]


@pytest.mark.parametrize("end", SUITES)
def test_at_least_95_percent_of_relevant_mails_are_understood_and_heard_as_asking(judged, end):
    cases = mails(end)
    missed = []
    for concept, text in cases:
        judgement = judged(text, concept)
        if not (judgement.relevant and judgement.asks):
            missed.append((concept, judgement.why, judgement.asks, text))
    assert len(missed) * 20 <= len(cases), missed


def test_no_problem_is_understood_less_than_others(judged):
    for concept, texts in suite("relevant", "_fresh").items():
        assert len(texts) >= 30
        missed = [text for text in texts if not judged(text, concept).relevant]
        assert len(missed) * 10 <= len(texts), missed


@pytest.mark.parametrize("width", [40, 60, 72])
def test_wrapped_lines_change_no_judgement(judged, width):
    changed = []
    for concept, text in itertools.chain.from_iterable(mails(end) for end in SUITES):
        wrapped = "\n".join("\n".join(textwrap.wrap(line, width)) for line in text.split("\n"))
        if judged(wrapped, concept) != judged(text, concept):
            changed.append(text)
    assert changed == []


def test_the_news_itself_with_a_question_for_a_meeting_is_relevant_in_each_wording_and_place(
    template, judged
):
    cities = [city.name for city in template.authored.cast.cities]
    concepts = template.authored.concepts
    months = itertools.cycle(["January", "May", "August"])
    products = itertools.cycle(concepts.products)
    missed = []
    for concept in concepts.concepts:
        for item, city in itertools.product(concept.news, cities):
            slots = {"city": city, "month": next(months), "product": next(products)}
            text = item.text.format(company="{company}", amount="$45,200", count=37, **slots)
            for body in (text, f'I read: "{text}"', text.split(". ")[0] + "."):
                judgement = judged(f"Hi {{first}},\n\n{body}\n\n{ASK}", concept.id)
                if not (judgement.relevant and judgement.asks):
                    missed.append((concept.id, judgement.why, judgement.problems, body))
    assert missed == []


@pytest.mark.parametrize("end", DECOYS)
def test_of_decoys_at_most_two_in_a_hundred_pass_with_any_buyer(accepting, end):
    decoys = suite("irrelevant", end)
    passed = [text for text in decoys if accepting(text)]
    assert len(passed) * 50 <= len(decoys), passed


@pytest.mark.parametrize("end", SUITES)
def test_a_mail_about_one_problem_is_irrelevant_where_another_was_in_the_news(accepting, end):
    assert [(concept, text) for concept, text in mails(end) if set(accepting(text)) - {concept}] == []


@pytest.mark.parametrize("soup", SOUPS)
def test_heaps_of_words_and_lists_are_relevant_to_nobody(accepting, soup):
    assert accepting(f"{soup}. {ASK}") == []


def test_each_wording_of_a_list_is_relevant_alone(judged):
    wordings = json.loads((CASES / "list_wordings.json").read_text("utf-8"))
    cases = [(concept, wording) for concept, held in wordings.items() for wording in held]
    missed = [case for case in cases if not judged(FRAMES[0].replace("{list}", case[1]), case[0]).relevant]
    assert len(missed) * 20 <= len(cases), missed


def lists(count):
    """Natural lists of two to four problems, drawn from a seed."""
    wordings = json.loads((CASES / "list_wordings.json").read_text("utf-8"))
    draws = random.Random(7)
    for place in range(count):
        chosen = draws.sample(sorted(wordings), 2 + place % 3)
        *front, last = [draws.choice(wordings[concept]) for concept in chosen]
        joint = draws.choice([" and ", ", and ", " as well as "])
        yield draws.choice(FRAMES).replace("{list}", ", ".join(front) + joint + last)


def test_of_natural_lists_of_problems_at_most_two_in_a_hundred_are_relevant_to_anybody(accepting):
    made = list(lists(300))
    passed = [text for text in made if accepting(text)]
    assert len(passed) * 50 <= len(made), passed


def test_of_two_mails_in_one_at_most_two_in_a_hundred_are_relevant_to_anybody(accepting):
    draws = random.Random(11)
    pool = [case for end in ("", "_held_out", "_varied") for case in mails(end) if accepting(case[1])]
    pairs = [pair for pair in (draws.sample(pool, 2) for _ in range(250)) if pair[0][0] != pair[1][0]]
    joined = [f"{left[1]} {right[1]}" for left, right in pairs]
    passed = [text for text in joined if accepting(text)]
    assert len(passed) * 50 <= len(joined), passed


def test_no_text_that_a_search_finds_is_relevant_to_two_problems(server, accepting, judged):
    draws = random.Random(3)
    phrases = [
        part.replace("*", "").split()
        for concept in server.concepts
        for wording in [*concept.phrases, *concept.cues]
        for part in [draws.choice(group.split("|")) for group in wording.split(" + ")]
    ]
    glue = "you your in the of and because , . a that which with is are has on".split()
    words = sorted({word for phrase in phrases for word in phrase} | set(glue))

    def worth(soup):
        text = f"You {' '.join(soup)}. {ASK}"
        accepted = accepting(text)
        return len(accepted), len(judged(text, server.concepts[0].id).problems)

    def changed(soup):
        made = list(soup)
        at = draws.randrange(len(made))
        kind = draws.randrange(5)
        if kind == 0:
            made[at] = draws.choice(words)
        elif kind == 1 and len(made) > 3:
            made.pop(at)
        elif kind == 2:
            made.insert(at, draws.choice(glue))
        elif kind == 3:
            made[at:at] = draws.choice(phrases)
        else:
            other = draws.randrange(len(made))
            made[at], made[other] = made[other], made[at]
        return made[:40]

    best = []
    for _ in range(25):
        soup = draws.choice(phrases) + draws.choice(glue).split() + draws.choice(phrases)
        score = worth(soup)
        for _ in range(40):
            step = changed(soup)
            if (reached := worth(step)) >= score:
                soup, score = step, reached
        best.append((score, soup))
    assert max(score[0] for score, _ in best) == 1, "the search finds texts, and none for two problems"


def test_nothing_that_the_world_shows_in_public_is_a_promise_when_a_mail_repeats_it():
    bundle = build(load_template(ROOT / "environments" / "gtm-outbound"), 1)
    shown = [page for site in bundle.visible.sites for page in site.pages]
    shown += [page for page in bundle.visible.playbook if not page.internal]
    texts = [text for page in shown for item in page.items for text in (item.heading, item.text)]
    texts += list(bundle.visible.problems.values()) + [mail.body for mail in bundle.visible.mails]
    promised = [
        (text, found) for text in texts if (found := find_claims(text, bundle.truth.claims, "ledgerline"))
    ]
    assert promised == []


def test_no_news_wording_and_no_pitch_of_the_template_is_a_promise():
    authored = load_template(ROOT / "environments" / "gtm-outbound").authored
    texts = [
        text
        for concept in authored.concepts.concepts
        for item in concept.news
        for text in (item.heading, item.text)
    ]
    texts += [concept.pitch for concept in authored.concepts.concepts]
    promised = [text for text in texts if find_claims(text, authored.office.claims, "ledgerline")]
    assert texts and promised == []
