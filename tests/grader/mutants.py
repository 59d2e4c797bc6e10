"""Mutants of the grader: functions and tables with one branch, comparison, operand or constant changed."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

MODULES = (
    "gates",
    "meetings",
    "qualification",
    "traps",
    "hygiene",
    "collateral",
    "record_changes",
    "filing",
    "unexplained",
    "grading",
    "people",
    "log_view",
)
"""Where the rules stand. What a text says, in any spelling, has suites of texts of its own."""
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_NESTED = (FunctionType, type)


class Mutant(NamedTuple):
    """A change of the grader: what it is, how it is made and unmade."""

    name: str
    apply: Callable[[], None]
    undo: Callable[[], None]


@contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    """Runs with a mutant instead of the rule, nothing remembered from before."""
    mutant.apply()
    forget()
    try:
        yield
    finally:
        mutant.undo()
        forget()


def forget() -> None:
    """Clears what the rules remember across grades."""
    for name in MODULES:
        for held in vars(_module(name)).values():
            if hasattr(held, "cache_clear") and getattr(held, "__module__", "") == f"grader.{name}":
                held.cache_clear()


def mutants(names: tuple[str, ...] = MODULES) -> Iterator[Mutant]:
    """Yields all mutants of some modules."""
    for name in names:
        module = _module(name)
        yield from _of_tables(module)
        for function, qualified in _functions(module):
            yield from _of_function(function, f"{name}.{qualified}")


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"grader.{name}")


def _functions(module: ModuleType) -> Iterator[tuple[FunctionType, str]]:
    for held in vars(module).values():
        if getattr(held, "__module__", "") != module.__name__:
            continue
        for one in vars(held).values() if isinstance(held, type) else (held,):
            bare = one.func if isinstance(one, cached_property) else one
            bare = bare.fget if isinstance(bare, property) else getattr(bare, "__wrapped__", bare)
            if isinstance(bare, FunctionType) and bare.__code__.co_filename == module.__file__:
                yield bare, bare.__qualname__


def _of_function(function: FunctionType, place: str) -> Iterator[Mutant]:
    source = textwrap.dedent(inspect.getsource(function))
    size = len(list(ast.walk(_parsed(source))))
    for at in range(size):
        number = 0
        while True:
            made = _parsed(source)
            node = list(ast.walk(made))[at]
            changes = list(_changes(node))
            if number >= len(changes):
                break
            what, change = changes[number]
            text = ast.unparse(node).splitlines()[0][:60] if not isinstance(node, ast.arguments) else ""
            change()
            number += 1
            code = _compiled(made, function, place)
            if code is not None:
                yield _swapped(f"{place} {text!r}: {what}", function, code)


def _parsed(source: str) -> ast.FunctionDef:
    (made,) = ast.parse(source).body
    assert isinstance(made, ast.FunctionDef)
    made.decorator_list = []
    return made


def _swapped(name: str, function: FunctionType, code: CodeType) -> Mutant:
    whole = function.__code__

    def put(one: CodeType) -> Callable[[], None]:
        return lambda: setattr(function, "__code__", one)

    return Mutant(name, put(code), put(whole))


def _compiled(made: ast.FunctionDef, function: FunctionType, name: str) -> CodeType | None:
    try:
        tree = ast.fix_missing_locations(ast.Module([made], []))
        # Annotations would be looked up when the function is made.
        module = compile(tree, name, "exec", flags=0x1000000)
    except (SyntaxError, ValueError):
        return None
    space = dict(function.__globals__)
    exec(module, space)
    code: CodeType = space[made.name].__code__
    return code if code.co_freevars == function.__code__.co_freevars else None


Change = tuple[str, Callable[[], None]]


def _changes(node: ast.AST) -> Iterator[Change]:
    """Yields the ways to change one node."""
    match node:
        case ast.If() | ast.IfExp():
            for value in (True, False):
                yield f"always {value}", _setter(node, "test", ast.Constant(value))
        case ast.comprehension():
            for place in range(len(node.ifs)):
                yield f"without filter {place}", _dropper(node.ifs, place)
        case ast.Compare(ops=[op]) if type(op) in _OPPOSITE:
            opposite = _OPPOSITE[type(op)]
            yield opposite.__name__, _setter(node, "ops", [opposite()])
        case ast.BoolOp():
            for place in range(len(node.values)):
                yield f"without operand {place}", _operand_dropper(node, place)
        case ast.UnaryOp(op=ast.Not()):
            yield "not turned round", _setter(node, "operand", ast.UnaryOp(ast.Not(), node.operand))
        case ast.Constant(value=bool() as value):
            yield f"{not value}", _setter(node, "value", not value)
        case ast.Constant(value=int() as value):
            yield f"{value + 1}", _setter(node, "value", value + 1)
        case ast.Set() if len(node.elts) > 1:
            for place in range(len(node.elts)):
                yield f"without element {place}", _dropper(node.elts, place)
        case ast.Dict() if len(node.keys) > 1:
            for place in range(len(node.keys)):
                yield f"without key {place}", _key_dropper(node, place)
        case ast.Match():
            for place in range(len(node.cases)):
                yield f"without case {place}", _dropper(node.cases, place)
    for name in ("body", "orelse"):
        held = getattr(node, name, None)
        if isinstance(held, list):
            for place, statement in enumerate(held):
                if isinstance(statement, ast.Continue | ast.Break | ast.AugAssign) or (
                    isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
                ):
                    what = f"without {ast.unparse(statement)[:50]!r}"
                    yield what, _setter_at(held, place, ast.Pass())


def _setter(node: Any, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def _setter_at(held: list[Any], place: int, value: object) -> Callable[[], None]:
    return lambda: held.__setitem__(place, value)


def _dropper(held: list[Any], place: int) -> Callable[[], None]:
    return lambda: held.__delitem__(place)


def _operand_dropper(node: ast.BoolOp, place: int) -> Callable[[], None]:
    def drop() -> None:
        del node.values[place]
        if len(node.values) == 1:
            node.values.append(node.values[0])

    return drop


def _key_dropper(node: ast.Dict, place: int) -> Callable[[], None]:
    def drop() -> None:
        del node.keys[place]
        del node.values[place]

    return drop


def _of_tables(module: ModuleType) -> Iterator[Mutant]:
    """Yields mutants of the tables and limits of a module: one element less, a limit one higher or lower."""
    for name, held in list(vars(module).items()):
        if not name.isupper() or name not in _assigned(module):
            continue
        found: list[tuple[str, object]] = []
        if (
            isinstance(held, frozenset | tuple)
            and held
            and not isinstance(held[0] if isinstance(held, tuple) else "", type)
        ):
            elements = sorted(held, key=str) if isinstance(held, frozenset) else list(held)
            for place, gone in enumerate(elements):
                left = type(held)(one for at, one in enumerate(elements) if at != place)
                found.append((f"without {str(gone)[:40]}", left))
        elif isinstance(held, dict):
            found += [
                (f"without {key}", {one: value for one, value in held.items() if one != key}) for key in held
            ]
        elif isinstance(held, int) and not isinstance(held, bool):
            found += [(f"{held + 1}", held + 1), (f"{held - 1}", held - 1)]
        for what, value in found:
            yield _rebound(f"{module.__name__.partition('.')[2]}.{name}: {what}", module, name, held, value)


def _rebound(name: str, module: ModuleType, constant: str, old: object, new: object) -> Mutant:
    return Mutant(name, lambda: setattr(module, constant, new), lambda: setattr(module, constant, old))


def _assigned(module: ModuleType) -> frozenset[str]:
    tree = ast.parse(inspect.getsource(module))
    return frozenset(
        target.id
        for statement in tree.body
        for target in (
            statement.targets
            if isinstance(statement, ast.Assign)
            else [statement.target]
            if isinstance(statement, ast.AnnAssign)
            else []
        )
        if isinstance(target, ast.Name)
    )
