"""Model check of the buyers' machines that the environment declares, and that the check finds each fault."""

import itertools

import pytest

from contracts.world import Machine
from runtime.errors import MachineError
from runtime.machine import Effect, Guard, Trigger, checked_machine, faults_of

NAMES = ("bookable", "cancels", "delegate", "out_of_office", "unfit", "wrong_person")


def test_the_environment_declares_the_six_machines(declared):
    assert tuple(sorted(declared)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_declared_machine_has_no_fault(declared, name):
    assert faults_of(declared[name]) == []


@pytest.mark.parametrize("name", NAMES)
def test_whatever_holds_in_whatever_state_one_transition_is_taken(declared, name):
    machine = checked_machine(name, declared[name])
    guards = [guard for guard in Guard if guard is not Guard.ALWAYS]
    some = [frozenset({Guard.ALWAYS, *held}) for n in (0, 1, 2) for held in itertools.combinations(guards, n)]
    for state in declared[name].states:
        for trigger in (Trigger.MAIL, Trigger.INVITE):
            for held, more in itertools.product(some, (True, False)):
                row = machine.row(state, trigger, held, more_times=more)
                assert row is not None and row.next in declared[name].states


@pytest.mark.parametrize("name", NAMES)
def test_only_who_may_meet_offers_times_and_only_who_cancels_cancels(declared, name):
    machine = checked_machine(name, declared[name])
    assert machine.has(Effect.OFFER) is (name in {"bookable", "cancels", "delegate"})
    assert machine.has(Effect.CANCEL) is (name == "cancels")


def test_an_offer_is_not_made_where_no_times_are_left(declared):
    machine = checked_machine("bookable", declared["bookable"])
    held = frozenset({Guard.ALWAYS, Guard.PITCH, Guard.RELEVANT})
    assert machine.row("cold", Trigger.MAIL, held, more_times=True).effect is Effect.OFFER
    assert machine.row("cold", Trigger.MAIL, held, more_times=False).reply == "ask_back"


def _set(path, value):
    def change(machine):
        *way, last = path
        for step in way:
            machine = machine[step]
        machine[last] = value

    return change


def _drop(*path):
    def change(machine):
        *way, last = path
        for step in way:
            machine = machine[step]
        del machine[last]

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_set(["start"], "warm"), "warm is declared nowhere"),
        (_set(["ends"], ["gone"]), "gone is declared nowhere"),
        (_set(["states", "cold", "phone"], [{"when": "always"}]), "no trigger of that name"),
        (_set(["states", "cold", "mail", 0, "when"], "charming"), "no guard 'charming'"),
        (_set(["states", "cold", "mail", 0, "when"], "at_offer"), "no guard 'at_offer'"),
        (_set(["states", "cold", "mail", 0, "effect"], "accept"), "no effect 'accept'"),
        (_set(["states", "cold", "mail", 0, "to"], "warm"), "warm is declared nowhere"),
        (_set(["states", "cold", "mail", 0, "reply"], ""), "the effect 'offer' needs a reply"),
        (_set(["states", "cold", "mail", 1, "when"], "pitch"), "can never be taken"),
        (_set(["states", "cold", "mail", 1, "when"], "always"), "can never be taken"),
        (_drop("states", "cold", "mail", 2), "the last guard must be always"),
        (_set(["states", "cold", "mail"], []), "the last guard must be always"),
        (_set(["states", "cold", "mail", 2, "effect"], "offer"), "times run out"),
        (_set(["most_offers"], 0), "times run out"),
        (_drop("states", "cold", "invite"), "cold has no answer to invite"),
        (_drop("states", "booked", "withdrawn"), "booked has no answer to withdrawn"),
        (_drop("states", "booked", "due"), "booked has no answer to due"),
        (_drop("states", "settled", "withdrawn"), "settled has no answer to withdrawn"),
        (_set(["states", "asked", "mail", 0, "to"], "asked"), None),
        (_set(["states", "cold", "mail", 1, "to"], "refused"), "asked is never reached"),
        (
            _set(["states", "asked"], {t: [{"when": "always"}] for t in ("mail", "invite")}),
            "asked is a dead end",
        ),
    ],
)
def test_each_fault_is_found_and_named(declared, change, says):
    edited = declared["cancels"].model_dump()
    # One reference to asked remains, so that it can be cut off.
    edited["states"]["refused"]["mail"][1]["to"] = "refused"
    change(edited)
    machine = Machine.model_validate(edited)
    if says is None:
        assert faults_of(machine) == []
        return
    with pytest.raises(MachineError, match=f"'cancels' cannot run: .*{says}"):
        checked_machine("cancels", machine)
