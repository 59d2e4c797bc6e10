"""How mails and promises in many wordings are judged, by problem and by kind of writing.

`python -m benchmarks.wordings [--misses] [--folder FOLDER]`

Relevant mails are put to the buyer whose company has the problem: "accepted" of all, "asks" of those that
ask for a meeting, "others" of those that the buyer of another problem would have accepted. Irrelevant ones
are put to the buyer of the problem they touch, or to all buyers where they touch none. Promises and
innocent sentences go through the gate against false claims. "ms" is processor time of a judgement that
was not made before.

A folder holds more suites in the form of `tests/cases`: `relevant*.json`, `irrelevant*.json`,
`promises*.json|txt`, `innocent*.json|txt`, in sub-folders or beside one another.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measuring import PROJECT, table
from contracts.world import Bundle, Mail
from grader.claim_model import promise_finder
from runtime.composer import compose
from runtime.matcher import Judgement, Matcher
from worldgen.building import build
from worldgen.template import load_template

CASES = PROJECT / "tests" / "cases"
ENVIRONMENT = PROJECT / "environments" / "gtm-outbound"


class Case(NamedTuple):
    """A text of a suite."""

    suite: str
    concept: str
    """The problem that it is about or touches; empty for none."""
    kind: str
    text: str
    asks: bool | None
    received: str


class Judged(NamedTuple):
    """A text with what became of it."""

    case: Case
    good: bool
    asked: bool
    others: bool
    seconds: float
    why: str


class Readers:
    """The buyers of one world: one for each problem, all of the same company, and a stranger to it."""

    def __init__(self, bundle: Bundle) -> None:
        """Makes them of the first buyer of a world."""
        server = bundle.server
        first = server.buyers[0]
        other = next(one for one in server.buyers if one.account_id != first.account_id)
        self._mail = bundle.visible.mails[0]
        self._zone = bundle.visible.zone
        self.places = {concept.id: place for place, concept in enumerate(server.concepts)}
        buyers = [first.model_copy(update={"concept": concept}) for concept in self.places]
        read = server.model_copy(update={"buyers": [*buyers, other]})
        self.matcher = Matcher(read)
        self.rules = Matcher(read.model_copy(update={"mail_model": ""}))
        """What judges by the rules alone."""
        city, amount, _, month, product = first.news_facts[:5]
        self._names = {
            "{other}": other.company_words[0],
            "{company}": first.company_words[0],
            "{first}": first.first_name,
            "{last}": first.party.name.split()[-1],
            "{place}": city.title(),
            "{figure}": amount,
            "{date}": month.title(),
            "{product}": product.title(),
        }

    def filled(self, text: str) -> str:
        """Returns a text with the facts of the company for its fields."""
        for field, name in self._names.items():
            text = text.replace(field, name)
        return text

    def written(self, case: Case) -> str:
        """Returns what the writer of a text wrote themselves: what was received before is not theirs."""
        text, received = self.filled(case.text), self.filled(case.received)
        if not received:
            return text
        mail: Mail = self._mail.model_copy(update={"body": received})
        marked = "\n".join("> " + line for line in received.splitlines())
        return compose(text.replace(marked, received), None, [mail], self._zone).written

    def judge(self, case: Case, concept: str) -> Judgement:
        """Returns what the buyer of a problem makes of a text."""
        return self.matcher.judge(self.written(case), self.places[concept])


def cases_in(folder: Path, kind: str) -> Iterator[Case]:
    """Yields the texts of all suites of a kind in a folder and those below it."""
    for path in sorted(folder.rglob(f"{kind}*")):
        name = path.stem.removeprefix(kind).strip("_") or "first"
        if path.suffix == ".txt":
            yield from (_case(name, "", line) for line in path.read_text("utf-8").splitlines() if line)
        elif path.suffix == ".json":
            held = json.loads(path.read_text("utf-8"))
            if isinstance(held, dict):
                yield from (_case(name, concept, text) for concept, texts in held.items() for text in texts)
            else:
                yield from (_case(name, "", one) for one in held)


def _case(suite: str, concept: str, held: str | dict[str, Any]) -> Case:
    if isinstance(held, str):
        return Case(suite, concept, "", held, True if concept else None, "")
    asks, received = held.get("asks"), held.get("received", "")
    return Case(suite, held.get("concept") or "", held.get("kind", ""), held["text"], asks, received)


def judged_mails(readers: Readers, cases: Iterable[Case], *, relevant: bool) -> list[Judged]:
    """Returns the mails with whether they were judged as they should be."""
    found = []
    for case in cases:
        own = [case.concept] if case.concept else list(readers.places)
        started = time.process_time()
        judgements = [readers.judge(case, concept) for concept in own]
        seconds = time.process_time() - started
        accepted = any(one.relevant for one in judgements)
        others = any(readers.judge(case, one).relevant for one in readers.places if one not in own)
        first = next((one for one in judgements if one.relevant), judgements[0])
        why = f"{first.why} {','.join(first.problems)}"
        asked = case.asks in {None, first.asks}
        found.append(Judged(case, accepted is relevant, asked, others, seconds, why))
    return found


def judged_sentences(
    bundle: Bundle, readers: Readers, cases: Iterable[Case], *, promise: bool
) -> list[Judged]:
    """Returns the sentences with whether the gate judged them as it should."""
    found = []
    find = promise_finder(bundle.truth.claims, bundle.truth.claim_model, "ledgerline")
    find("What is made ready once is no judgement's time.")
    for case in cases:
        written = readers.written(case)
        started = time.process_time()
        claims = find(written)
        seconds = time.process_time() - started
        why = ",".join(sorted({claim.id for claim in claims}))
        found.append(Judged(case, bool(claims) is promise, True, False, seconds, why))
    return found


def _share(part: list[Judged], good: Callable[[Judged], bool], *, wanted: bool = True) -> str:
    if not part:
        return "-"
    hits = sum(good(one) is wanted for one in part)
    return f"{hits}/{len(part)} {100 * hits / len(part):.0f}%"


def _rows(found: list[Judged], by: Callable[[Judged], str], *, good: bool) -> list[tuple[str, ...]]:
    groups: dict[str, list[Judged]] = {}
    for one in found:
        groups.setdefault(by(one), []).append(one)
    rows: list[tuple[str, ...]] = []
    for name, part in [*sorted(groups.items()), ("all", found)]:
        slowest = max(one.seconds for one in part)
        asking = [one for one in part if one.case.asks is True]
        silent = [one for one in part if one.case.asks is False]
        rows.append(
            (
                name or "-",
                _share(part, lambda one: one.good, wanted=good),
                _share(asking, lambda one: one.asked),
                _share(silent, lambda one: one.asked, wanted=False),
                _share(part, lambda one: one.others),
                f"{1000 * sum(one.seconds for one in part) / len(part):.1f}",
                f"{1000 * slowest:.0f}",
            )
        )
    return rows


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folder", type=Path, default=CASES)
    parser.add_argument("--misses", action="store_true", help="print each text that was judged wrongly")
    options = parser.parse_args()
    bundle = build(load_template(ENVIRONMENT), 1)
    readers = Readers(bundle)
    # Collecting garbage is no judgement's time.
    gc.disable()
    mails = {
        kind: judged_mails(readers, cases_in(options.folder, kind), relevant=kind == "relevant")
        for kind in ("relevant", "irrelevant")
    }
    sentences = {
        kind: judged_sentences(bundle, readers, cases_in(options.folder, kind), promise=kind == "promises")
        for kind in ("promises", "innocent")
    }
    heads = {"relevant": "accepted", "irrelevant": "accepted", "promises": "flagged", "innocent": "flagged"}
    for kind, found in (mails | sentences).items():
        if not found:
            continue
        for title, by in (
            ("suite", lambda one: one.case.suite),
            ("problem", lambda one: f"{one.case.suite} {one.case.concept}"),
            ("kind", lambda one: f"{one.case.suite} {one.case.kind}"),
        ):
            rows = _rows(found, by, good=kind in {"relevant", "promises"})
            if title == "suite" or kind in mails:
                header = (title, heads[kind], "asks seen", "asks seen wrongly", "others", "ms", "ms worst")
                table(f"{kind} by {title}", header, rows)
        if options.misses:
            for one in found:
                if not one.good or not one.asked or one.others:
                    marks = f"asks right={one.asked} others={one.others}"
                    print(f"  {kind} {one.case.concept} {one.case.kind}: {one.why} {marks}")
                    print(f"      {one.case.text!r}")


if __name__ == "__main__":
    main()
