"""Mutation score: every rule of the grader that is removed or turned round changes the grade of some case.

Where a case states its loss or its failed check, that says what is right. The pinned digests of the others
say only that nothing changed unseen.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.grader.edges import PINNED, cases, digests, verdict
from tests.grader.mutants import MODULES, applied, mutants

EQUIVALENT = {
    "the numbers of two lines are never equal": (
        "collateral._had_written 'line.seq < mail.seq': LtE",
        "collateral._stands_already 'meeting.cancelled > seq': GtE",
        "collateral._stands_already 'meeting.moved < seq': LtE",
        "collateral._stands_already 'line.seq < seq': LtE",
        "collateral._was_given_up 'line.seq < seq': LtE",
        "hygiene._contact_added 'mailed[0] < added[0]': LtE",
        "hygiene._note 'note.seq > agreed': GtE",
        "meetings.Calendar.times_of 'named.seq < before': LtE",
        "traps._buyer_cancels 'old.moved > first.seq': GtE",
        "traps._fake_boss 'line.seq > arrived[0]': GtE",
    ),
    "what comes after the last ask is no ask, and before an ask only asks count": (
        "meetings.Calendar.right_meeting '1': 2",
    ),
    "the type of a line's data follows from the type of the line; it is asked for the type checker": (
        "collateral._invited_wrongly 'isinstance(data, Answered) and line.type == WorldEvent.DECLI': "
        "without operand 0",
        "collateral._invited_wrongly 'isinstance(data, SentInvite | MovedEvent) and line.type in (': "
        "without operand 0",
        "log_view.LogView.of 'line.type in types and isinstance(line.data, model)': without operand 1",
        "meetings._change 'isinstance(data, MovedEvent) and kind == Action.INVITE_UPDAT': without operand 0",
        "meetings.read_calendar 'isinstance(data, Answered) and line.type == WorldEvent.ACCEP': "
        "without operand 0",
    ),
    "remembered or looked up faster, the same is found": (
        "log_view.LogView.of 'if (model, types) not in self._found:': always True",
        "log_view.LogView.of 'self._by_type.get(types[0], []) if len(types) == 1 else self': always False",
        "people.People.account_of 'if address not in self._found:': always True",
        "people.People.is_outside 'if address not in self._outside:': always True",
    ),
    "a view in its place is passed over early; the long way finds nothing in it either": (
        "log_view._VIEWS: without ",
        "log_view.view_log 'event.at_ms >= before': Gt",
        "log_view.view_log 'if event.type in _VIEWS and event.seq == number and (event.a': always False",
        "log_view.view_log 'if event.type in _VIEWS and event.seq == number and (event.a': without '",
    ),
    "the two are of one length": ("gates.check_gates 'True': False", "grading.grade_shift 'True': False"),
    "no mail comes from nobody": ("gates._too_many ' for a in truth.accounts if a.away_address': ",),
    "of two lists that are equal both are empty or none is": ("people.names_alike '0': 1",),
    "the stage of a meeting was judged before": ("record_changes._wrong_stage 'place < met': LtE",),
}
"""Why mutants grade everything alike -> how their names begin."""
_KNOWN = tuple(name for names in EQUIVALENT.values() for name in names)
PARTS = 60
"""One of so many mutants is tried whenever tests run."""


def survivors(kit: Any, modules: tuple[str, ...], part: int = 0, parts: int = 1) -> tuple[int, list[str]]:
    """Returns how many mutants were tried, and which of them no case tells from the rule."""
    made = cases(kit)
    whole = [verdict(case) for case in made]
    places = list(range(len(made)))
    alive, tried = [], 0
    for number, mutant in enumerate(mutants(modules)):
        if number % parts != part or mutant.name.startswith(_KNOWN):
            continue
        tried += 1
        with applied(mutant):
            killer = next((place for place in places if verdict(made[place]) != whole[place]), None)
        if killer is None:
            alive.append(mutant.name)
        else:
            # What told one mutant from the rule often tells the next one, too.
            places.remove(killer)
            places.insert(0, killer)
    return tried, alive


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_every_rule_that_is_removed_or_turned_round_changes_a_grade(kit: Any, module: str) -> None:
    tried, alive = survivors(kit, (module,))
    assert tried
    assert alive == []


def test_a_sample_of_rules_that_are_removed_or_turned_round_changes_a_grade(kit: Any) -> None:
    tried, alive = survivors(kit, MODULES, 0, PARTS)
    assert tried
    assert alive == []


def test_each_mutant_that_is_called_equivalent_is_one() -> None:
    names = [mutant.name for mutant in mutants()]
    unheard = [known for known in _KNOWN if not any(name.startswith(known) for name in names)]
    assert unheard == []


def test_every_case_gives_what_it_gave(kit: Any) -> None:
    given, pinned = digests(kit), json.loads(PINNED.read_text("utf-8"))
    changed = [place for place, pair in enumerate(zip(given, pinned, strict=True)) if pair[0] != pair[1]]
    assert changed == [], "if that is meant: python -m tests.grader.edges"
