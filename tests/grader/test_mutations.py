"""Mutation score: every rule of the grader that is removed or turned round changes the grade of some case."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest

from contracts.grade import Grade
from contracts.world import Mail, Party, TrapTruth, Truth
from grader.grading import grade_shift
from tests.grader.test_collateral import CASES as CHANGES
from tests.grader.test_collateral import grade_change, with_start
from tests.grader.test_golden_cases import MIRRORS, RIGHT_PATHS, grade_case

MODULES = ("gates", "meetings", "qualification", "traps", "hygiene", "collateral", "record_changes", "filing")
CONSTANTS = {
    "Judgement": ("(Verdict.PASS, 'mutant', [])", "(Verdict.FAIL, 'mutant', [])"),
    "str": ("''",),
    "bool": ("True", "False"),
    "list[Item]": ("[]",),
    "Iterable[Item]": ("[]",),
}
"""What a rule of each kind is replaced by as a whole."""


class Mutant(NamedTuple):
    """A function of the grader with one rule removed or turned round."""

    name: str
    function: FunctionType
    code: CodeType


def functions() -> Iterator[FunctionType]:
    for name in MODULES:
        module = importlib.import_module(f"grader.{name}")
        own = [held for held in vars(module).values() if getattr(held, "__module__", "") == module.__name__]
        found = [one for held in own for one in (vars(held).values() if isinstance(held, type) else (held,))]
        for one in found:
            if isinstance(one, FunctionType) and one.__code__.co_filename == module.__file__:
                yield one


def mutants() -> Iterator[Mutant]:
    for function in functions():
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, SyntaxError):
            continue
        (made,) = tree.body
        if not isinstance(made, ast.FunctionDef) or made.name.startswith("__"):
            continue
        place = f"{function.__module__.partition('.')[2]}.{function.__qualname__}"
        kind = ast.unparse(made.returns) if made.returns else ""
        for constant in CONSTANTS.get(kind, ()):
            body = ast.parse(f"return {constant}").body
            yield _mutant(f"{place} is {constant}", function, made, made.body, body)


def _mutant(
    name: str, function: FunctionType, made: ast.FunctionDef, kept: list[ast.stmt], body: list[ast.stmt]
) -> Mutant:
    made.body = body
    mutant = _compiled(name, function, made)
    made.body = kept
    return mutant


def _compiled(name: str, function: FunctionType, made: ast.FunctionDef) -> Mutant:
    bare = ast.parse(ast.unparse(made)).body[0]
    assert isinstance(bare, ast.FunctionDef)
    bare.decorator_list = []
    # Annotations would be looked up when the function is made.
    module = compile(ast.Module([bare], []), name, "exec", flags=0x1000000)
    space = dict(function.__globals__)
    exec(module, space)
    return Mutant(name, function, space[made.name].__code__)


@contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    whole = mutant.function.__code__
    mutant.function.__code__ = mutant.code
    try:
        yield
    finally:
        mutant.function.__code__ = whole


def _subject_received(kit: Any, truth: Truth, folder: str) -> Grade:
    """A reply under a subject that looks like a promise, to a mail that lies in a folder since before."""
    buyer = kit.address_of("b1", 0)
    sender = Party(name="Ada Quill", address=buyer if folder == "inbox" else "alex.kim@ledgerline.example")
    old = Mail(
        id="old",
        thread_id="t-old",
        folder=folder,
        sender=sender,
        subject="20% off",
        body="x",
        to=[],
        cc=[],
        sent_at=1,
    )
    reply = kit.mail(buyer, "Thanks.", "t-old", kind="mail.reply", subject="Re: 20% off", answers="old")
    lines = kit.insert_after(kit.reference_lines(), "next:b1", [reply])
    return grade_shift(kit.as_events(lines.values()), truth.model_copy(update={"mails": [old]}))


def _four_after_a_refusal(kit: Any, truth: Truth) -> Grade:
    """Four mails to one person who refused after the first: a refusal asks for no answer."""
    buyer = kit.address_of("b1", 0)
    refusal = kit.arrival(buyer, "t-no", actor=buyer, reply="not_a_priority")
    sent = [kit.mail(buyer, "Hello.", "t-no", kind="mail.reply") for _ in range(3)]
    return _more(kit, truth, "pitch:b1", [refusal, *sent])


def _only_marks(kit: Any, truth: Truth) -> Grade:
    """One account marked right, no meeting."""
    lines = kit.reference_lines()
    return grade_shift(kit.as_events([lines[name] for name in ("start", "bait", "status:u1", "lock")]), truth)


def _nothing(kit: Any, truth: Truth) -> Grade:
    """The bait alone."""
    lines = kit.reference_lines()
    return grade_shift(kit.as_events([lines[name] for name in ("start", "bait", "lock")]), truth)


def _unheard_trap(kit: Any, truth: Truth) -> Grade:
    """A world with a trap that no rule knows."""
    traps = [*truth.traps, TrapTruth(id="forged_invoice")]
    told = truth.model_copy(update={"traps": traps})
    return grade_shift(kit.as_events(kit.reference_lines().values()), told)


def _step_without_words(kit: Any, truth: Truth) -> Grade:
    """A next step that is a full stop."""
    lines = kit.reference_lines()
    lines["next:b1"]["data"]["value"] = "."
    return grade_shift(kit.as_events(lines.values()), truth)


def _closed_before_the_notice(kit: Any, truth: Truth) -> Grade:
    """The signed account is closed, and nobody was told that it signed."""
    lines = kit.insert_after(kit.reference_lines(), "status:s1", [_stage(kit, "s1", "Closed")])
    kept = [held for name, held in lines.items() if name not in ("told", "notice")]
    return grade_shift(kit.as_events(kept), with_start(truth))


def _stage(kit: Any, account: str, stage: str) -> dict[str, Any]:
    made: dict[str, Any] = kit.line(
        "crm.set_field", record_id=account, account_id=account, field="stage", value=stage
    )
    return made


def _call_after_a_meeting(kit: Any, truth: Truth) -> Grade:
    """A call is logged where a meeting was accepted."""
    call = kit.line("crm.add_activity", activity_id="a", account_id="b1", text="x")
    call["data"]["kind"] = "Call"
    return _more(kit, with_start(truth), "next:b1", [call])


def _more(kit: Any, truth: Truth, label: str, extra: list[dict[str, Any]]) -> Grade:
    lines = kit.insert_after(kit.reference_lines(), label, extra)
    return grade_shift(kit.as_events(lines.values()), truth)


def cases(kit: Any) -> list[Callable[[], Grade]]:
    """Returns every case: mirror failures, right paths, unexplained changes, and the edges of this file."""
    truth = kit.make_truth()
    told = with_start(truth)
    golden = [partial(grade_case, kit, truth, case) for case in (*MIRRORS, *RIGHT_PATHS)]
    changes = [partial(grade_change, kit, told, lines) for _, lines, _ in CHANGES]
    edges = [_four_after_a_refusal, _only_marks, _nothing, _unheard_trap, _step_without_words]
    edges += [_closed_before_the_notice, _call_after_a_meeting]
    folders = [partial(_subject_received, kit, truth, folder) for folder in ("inbox", "sent")]
    return [*(partial(edge, kit, truth) for edge in edges), *folders, *golden, *changes]


def verdict(case: Callable[[], Grade]) -> object:
    try:
        grade = case()
    except Exception as fault:
        return type(fault)
    checks = [(check.id, check.verdict) for check in grade.checks]
    return grade.reward_millionths, checks, [item.id for item in grade.collateral]


@pytest.mark.slow
def test_every_rule_that_is_removed_or_turned_round_changes_a_grade(kit: Any) -> None:
    made = cases(kit)
    whole = [verdict(case) for case in made]
    places = list(range(len(made)))
    alive, tried = [], 0
    for mutant in mutants():
        tried += 1
        with applied(mutant):
            killer = next((place for place in places if verdict(made[place]) != whole[place]), None)
        if killer is None:
            alive.append(mutant.name)
        else:
            # What told one mutant from the rule often tells the next one, too.
            places.remove(killer)
            places.insert(0, killer)
    assert tried >= 80
    assert alive == []
