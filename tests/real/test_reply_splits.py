"""Published reply fixtures: own words must equal the expected ones; shown beside two other libraries.

The expected splits are read at run time from the projects' own test files, which lie beside the texts:
quotequail's (plain and HTML; what is not quoted is own, signature included, since it tells no signatures)
and mail-parser-reply's (every claim of a test about the first reply and the quoted ones).
Words are compared, so white space and lines of dashes do not count.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from archive.quotes import split_body
from archive.textforms import html_to_text

REAL = os.environ.get("RL_DOJO_REAL_DATA", "")
pytestmark = [
    pytest.mark.skipif(not REAL, reason="RL_DOJO_REAL_DATA is not set: the real data sets are not here"),
    pytest.mark.real,
]
ROOT = Path(REAL) / "email_replies"
LANGUAGES = ["en", "de", "fr", "it", "es", "nl", "pl", "sv", "da", "ja", "zh", "cs", "ko", "pt", "ru"]


class Text(NamedTuple):
    """A mail's text, as HTML where it is HTML, and the languages that its test names."""

    text: str
    html: bool
    languages: list[str]


class Split(NamedTuple):
    own: str
    signature: str
    quoted: str


class Claim(NamedTuple):
    part: str
    """own, signature, unquoted, quoted, replies."""
    relation: str
    """equals, holds, lacks, one, more."""
    value: str


class Case(NamedTuple):
    name: str
    suite: str
    text: Text
    claims: list[Claim]


def words(text: str) -> list[str]:
    return [word for word in text.split() if any(char.isalnum() for char in word)]


def parametrized(path: Path) -> Iterator[tuple[str, list[Any]]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call):
                    yield node.name, ast.literal_eval(mark.args[1])


def quotequail_cases() -> Iterator[Case]:
    tests = ROOT / "quotequail" / "tests"
    for function, rows in parametrized(tests / "test_unwrap.py"):
        for number, (text, expected) in enumerate(rows):
            own = text if expected is None else _top_and_bottom(expected, "text")
            yield _unquoted(f"{function}-{number}", text, own, html=False)
    for function, rows in parametrized(tests / "test_quote.py"):
        for number, (text, _, shown) in enumerate(rows):
            own = "\n".join(part for is_shown, part in shown if is_shown)
            yield _unquoted(f"{function}-{number}", text, own, html=False)
    for function, rows in parametrized(tests / "test_unwrap_html.py"):
        for number, (given, expected) in enumerate(rows):
            text = (tests / "files" / given).read_text("utf-8") if given.endswith(".html") else given
            own = text if expected is None else _top_and_bottom(expected, "html")
            yield _unquoted(f"{function}-{number}", text, html_to_text(own), html=True)


def _top_and_bottom(expected: dict[str, str], key: str) -> str:
    return expected.get(f"{key}_top", "") + "\n" + expected.get(f"{key}_bottom", "")


def _unquoted(name: str, text: str, own: str, html: bool) -> Case:
    return Case(name, "quotequail", Text(text, html, LANGUAGES), [Claim("unquoted", "equals", own)])


def mail_parser_reply_cases() -> Iterator[Case]:
    tests = ROOT / "mail-parser-reply" / "test"
    tree = ast.parse((tests / "test_email_reply_parser.py").read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or not function.name.startswith("test_"):
            continue
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
        mail = next(call for call in calls if _called(call) == "get_email")
        stated = [key.value for key in mail.keywords if key.arg == "languages"]
        claims = [claim for call in calls for claim in _claims(call)]
        if stated and claims and not any(_called(call) == "EmailMessage" for call in calls):
            path = tests / "emails" / f"{ast.literal_eval(mail.args[0])}.txt"
            languages = [name for name in ast.literal_eval(stated[0])]
            text = Text(path.read_text(encoding="utf-8"), False, languages)
            yield Case(function.name, "mail-parser-reply", text, claims)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _claims(call: ast.Call) -> Iterator[Claim]:
    """The claims of one assertion, as far as they speak of parts of the text."""
    called = _called(call)
    if called == "assertEqual" and "len(mail.replies)" in ast.unparse(call):
        yield Claim("replies", "one" if ast.literal_eval(call.args[0]) == 1 else "more", "")
    if called in ("assertIn", "assertNotIn"):
        part = _part(call.args[1])
        if part and (part != "quoted" or called == "assertIn"):
            yield Claim(part, "holds" if called == "assertIn" else "lacks", ast.literal_eval(call.args[0]))
    if called == "assertTrue" and isinstance(call.args[0], ast.Compare):
        compare = call.args[0]
        part = _part(compare.comparators[0])
        relation = {ast.In: "holds", ast.NotIn: "lacks", ast.Eq: "equals"}[type(compare.ops[0])]
        if part and isinstance(compare.left, ast.Constant):
            if part == "quoted":
                # Parts of quoted replies are not told apart here: their text must be quoted, no more.
                if relation != "lacks":
                    yield Claim(part, "holds", str(compare.left.value))
            else:
                yield Claim(part, relation, str(compare.left.value))


def _part(node: ast.expr) -> str:
    written = ast.unparse(node)
    first = {"body": "own", "signatures": "signature", "content": "unquoted"}
    if written.startswith("mail.replies[0]."):
        return first.get(written.rpartition(".")[2], "")
    return "quoted" if written.startswith("mail.replies[") else ""


def ours(text: Text) -> Split:
    parts = split_body(html_to_text(text.text) if text.html else text.text)
    return Split(parts.own, parts.signature, parts.quoted)


def by_quotequail(text: Text) -> Split:
    quotequail = pytest.importorskip("quotequail")
    found = quotequail.unwrap_html(text.text) if text.html else quotequail.unwrap(text.text)
    plain = html_to_text if text.html else str
    if found is None:
        return Split(plain(text.text), "", "")
    key = "html" if text.html else "text"
    own = plain(found.get(f"{key}_top", "")) + "\n" + plain(found.get(f"{key}_bottom", ""))
    rest = [value for name, value in found.items() if name not in ("type", f"{key}_top", f"{key}_bottom")]
    return Split(own, "", "\n".join(map(plain, rest)))


def by_mail_parser_reply(text: Text) -> Split:
    library = pytest.importorskip("mailparser_reply")
    plain = html_to_text(text.text) if text.html else text.text
    replies = library.EmailReplyParser(languages=text.languages).read(plain).replies
    first = replies[0]
    return Split(first.body or "", first.signatures or "", "\n".join(one.content for one in replies[1:]))


def met(split: Split, claim: Claim) -> bool:
    part = {
        "own": split.own,
        "signature": split.signature,
        "unquoted": f"{split.own}\n{split.signature}",
        "quoted": split.quoted,
        "replies": split.quoted,
    }[claim.part]
    if claim.relation in ("one", "more"):
        return bool(words(part)) == (claim.relation == "more")
    if claim.relation == "equals":
        return words(part) == words(claim.value)
    return (" ".join(words(claim.value)) in " ".join(words(part))) == (claim.relation == "holds")


TOOLS: dict[str, Callable[[Text], Split]] = {
    "ours": ours,
    "quotequail": by_quotequail,
    "mail-parser-reply": by_mail_parser_reply,
}


def test_our_splits_are_at_least_as_good_as_the_better_of_two_libraries() -> None:
    cases = [*quotequail_cases(), *mail_parser_reply_cases()]
    strict = [case for case in cases if any(claim.relation == "equals" for claim in case.claims)]
    assert len(cases) > 60 and len(strict) > 35
    scores: dict[str, dict[str, int]] = {}
    for tool, split in TOOLS.items():
        kept = {case.name for case in cases if all(met(split(case.text), claim) for claim in case.claims)}
        scores[tool] = {
            "all": len(kept),
            "strict": sum(case.name in kept for case in strict),
            **{
                suite: sum(case.suite == suite and case.name in kept for case in cases)
                for suite in TOOLS
                if suite != "ours"
            },
        }
        if tool == "ours":
            print("not met:", sorted({case.name for case in cases} - kept))
    print(f"{len(cases)} cases, {len(strict)} strict:", scores)
    for figure in ("all", "strict"):
        assert scores["ours"][figure] >= max(scores[tool][figure] for tool in TOOLS if tool != "ours"), figure
