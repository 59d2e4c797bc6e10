"""Many worlds: whether each is sound, and how they vary.

`python -m benchmarks.worlds [--seeds 1000] [--level standard]`

Every world is held against every check of `worldgen.soundness`; in every tenth one the reference works its
shift and must reach 1.00. Then each field's values, over all worlds or over all places where it stands: how
many there are, how many are distinct, which share that is, and how often the most frequent one stands.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator

from benchmarks.measuring import PROJECT, Watch, table
from contracts.template import WorldTemplate
from contracts.world import Bundle
from grader.grading import grade_shift
from runtime.agents.registry import agent_named
from runtime.core import Shift
from worldgen.building import build
from worldgen.errors import WorldError
from worldgen.reference import reference_knowledge
from worldgen.soundness import CHECKS
from worldgen.template import load_template

ENV = PROJECT / "environments" / "gtm-outbound"
PLAYED = 10
"""Of so many worlds one is played."""
_SHOWN = 20
_FULL = 1_000_000


def values_of(bundle: Bundle) -> Iterator[tuple[str, str]]:
    """Yields a world's values by field; first those that a world has once."""
    visible, server, truth = bundle.visible, bundle.server, bundle.truth
    buyers = {buyer.party.address: buyer for buyer in server.buyers}
    right = [next(one for one in account.people if one.kind == "right") for account in truth.accounts]
    machines = [buyers[one.address].machine for one in right]
    designs = {site.domain: site.design for site in visible.sites}
    yield "world: hash", bundle.world_hash
    yield "world: order of archetypes", str([account.archetype for account in truth.accounts])
    yield "world: order of buyer machines", str(machines)
    yield "world: order of designs", str([designs[one.website] for one in visible.accounts])
    yield "world: order of concepts and reasons", str([account.reason for account in truth.accounts])
    yield "world: accounts of the traps", str([(trap.id, trap.account_id) for trap in truth.traps])
    yield "world: companies", str(sorted(one.name for one in visible.accounts))
    yield "world: people", str(sorted(one.name for account in truth.accounts for one in account.people))
    yield (
        "world: offered times",
        str([start for one in server.buyers for pair in one.offers for start in pair]),
    )
    yield "world: calendar", str([(one.starts_at, one.ends_at) for one in visible.calendar])
    yield "world: inbox", str([mail.subject for mail in visible.mails])
    yield "world: arrivals", str([due.at_ms for due in server.schedule])
    yield "world: right role", right[0].role
    yield "world: bait", truth.traps[0].bait_address
    for record in visible.accounts:
        yield "company name", record.name
        yield "company word", record.name.split()[0]
        yield "website", record.website
        yield "record", str(sorted(record.fields.items()))
    for account, machine in zip(truth.accounts, machines, strict=True):
        yield "archetype", account.archetype
        yield "buyer machine", machine
        yield "facts", str(sorted(account.facts.items()))
        yield "concept" if account.archetype == "bookable" else "reason", account.reason
        for person in account.people:
            yield "person", person.name
            yield "address", person.address
    for site in visible.sites:
        yield "design", site.design
        for page in site.pages:
            if page.path in ("/about", "/careers", "/news"):
                for item in page.items:
                    yield f"text of {page.path}", item.text
    for buyer in server.buyers:
        for pair in buyer.offers:
            for start in pair:
                yield "offered time", str(start)
        yield "reply delays", str(buyer.reply_delays_ms)


def unsolved(template: WorldTemplate, bundle: Bundle) -> Iterator[str]:
    """Yields what keeps the reference from a full reward."""
    shift = Shift(bundle.visible, bundle.server, world_hash=bundle.world_hash, level=bundle.level)
    agent_named("reference").work(shift, reference_knowledge(template, bundle))
    grade = grade_shift(shift.events, bundle.truth)
    if grade.reward_millionths != _FULL:
        yield f"the reference earns {grade.reward:.3f}"


def main() -> None:
    """Prints defects, then the variety."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=1_000)
    parser.add_argument("--level", default="standard")
    chosen = parser.parse_args()
    template = load_template(ENV)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    names = ["built", *(check.__name__.strip("_") for check in CHECKS), "played"]
    tested: Counter[str] = Counter()
    failed: dict[str, set[int]] = {name: set() for name in names}
    examples: list[str] = []

    def hold(name: str, seed: int, defects: Iterator[str]) -> None:
        tested[name] += 1
        for defect in defects:
            failed[name].add(seed)
            examples.append(f"seed {seed}, {name}: {defect}")

    watch = Watch()
    for seed in range(1, chosen.seeds + 1):
        try:
            bundle = build(template, seed, chosen.level)
        except WorldError as error:
            hold("built", seed, iter([str(error)]))
            continue
        hold("built", seed, iter(()))
        for name, check in zip(names[1:], CHECKS, strict=False):
            hold(name, seed, check(template, bundle))
        if seed % PLAYED == 0:
            hold("played", seed, unsolved(template, bundle))
        for field, value in values_of(bundle):
            counts[field][value] += 1
    wall, cpu = watch.read()
    rows: list[tuple[str, ...]] = [(name, f"{tested[name]:,}", str(len(failed[name]))) for name in names]
    title = f"{chosen.level}, seeds 1-{chosen.seeds}: {wall:.0f} s, {cpu:.0f} s of processor"
    table(title, ("check", "worlds", "with defects"), rows)
    for example in examples[:_SHOWN]:
        print(f"  {example}")
    varied: list[tuple[str, ...]] = [
        (
            field,
            f"{seen.total():,}",
            f"{len(seen):,}",
            f"{len(seen) / seen.total():.1%}",
            f"{max(seen.values()) / seen.total():.2%}",
        )
        for field, seen in counts.items()
    ]
    table("How they vary", ("field", "values", "distinct", "distinct share", "most frequent"), varied)


if __name__ == "__main__":
    main()
