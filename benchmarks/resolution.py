"""How well and how fast records of people are resolved, against exact keys and splink over the same records.

`python -m benchmarks.resolution [--records 10000,100000,1000000] [--seed 1] [--no-splink]`

The records are those of `benchmarks.people`, read by the package's own road: tables with column kinds
become evidence, evidence becomes a registry, and every record is looked up in it as replacement does, by
record key, address and name, or login. Figures are over pairs of records, counted by the sizes of groups:
precision is the share of pairs under one entity that are one person, recall the share of one person's pairs
under one entity. "recall by trait" counts the pairs of which at least one record has the trait.

`exact` joins records that share a mail address, a login, a phone and first letter, or a folded name and
company; `splink` (4 or later, where it is installed: `pip install splink`) learns its weights from the same
records without labels and joins at probability 0.9. Seconds are those of resolution alone, "read" those of
reading into evidence; peak memory is that of the whole process, with the records. Nothing here fails by its
figures.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from importlib import import_module

import polars as pl

from anonymize.clusters import Clusters
from anonymize.display_names import read_name
from anonymize.evidence import Evidence, collect_table
from anonymize.forms import parse_company, words_of
from anonymize.registry import Registry
from anonymize.resolution import build_registry
from benchmarks.measuring import Measured, Watch, measure, perform, table
from benchmarks.people import OWN_DOMAIN, Population, Truth, population
from contracts.manifest import Company
from contracts.names import fold

OWN = Company(names=["Brightwater"], domains=[OWN_DOMAIN], zones=["UTC"], currency="USD")
TRAITS = (
    "plain", "nickname", "typo", "initial", "diacritics", "family first", "married name", "no mail",
    "second address", "shared mailbox",
)  # fmt: skip
PROBABILITY = 0.9


def scores(truth: list[Truth], found: Iterable[Hashable]) -> dict[str, float]:
    """Returns precision, recall and F1 over pairs of records, and recall by trait, in percent."""
    cells = Counter(zip((one.person for one in truth), found, strict=True))
    found_sizes: Counter[Hashable] = Counter()
    true_sizes: Counter[int] = Counter()
    for (person, group), size in cells.items():
        found_sizes[group] += size
        true_sizes[person] += size
    right = sum(map(_pairs, cells.values()))
    precision = right / max(1, sum(map(_pairs, found_sizes.values())))
    recall = right / max(1, sum(map(_pairs, true_sizes.values())))
    result = {"precision": precision, "recall": recall, "f1": 2 * precision * recall / (precision + recall)}
    return result | {"entities": len(found_sizes), "persons": len(true_sizes)}


def by_trait(truth: list[Truth], found: list[Hashable]) -> dict[str, float]:
    """Returns recall over the pairs of which at least one record has a trait, for every trait."""
    result = {}
    for trait in TRAITS:
        without = [at for at, one in enumerate(truth) if trait not in one.traits]
        cells = Counter((one.person, group) for one, group in zip(truth, found, strict=True))
        persons = Counter(one.person for one in truth)
        easy = Counter((truth[at].person, found[at]) for at in without)
        easy_persons = Counter(truth[at].person for at in without)
        met = sum(map(_pairs, cells.values())) - sum(map(_pairs, easy.values()))
        all_pairs = sum(map(_pairs, persons.values())) - sum(map(_pairs, easy_persons.values()))
        result[trait] = met / max(1, all_pairs)
    return result


def _pairs(size: int) -> int:
    return size * (size - 1) // 2


def evidence_of(people: Population) -> Evidence:
    """Returns what the tables say, read as those of a dataset are."""
    evidence = Evidence()
    for name, frame in people.frames.items():
        collect_table(evidence, name, frame, people.specs[name], people.keys.get(name, []), name)
    return evidence


def looked_up(registry: Registry, truth: list[Truth]) -> list[Hashable]:
    """Returns the entity of every record; one that nobody is registered under is an entity of its own."""
    return [_entity(registry, one, at) for at, one in enumerate(truth)]


def _entity(registry: Registry, one: Truth, at: int) -> Hashable:
    if one.key:
        return registry.by_record.get(one.key, f"record {at}")
    typed = read_name(one.name, one.address)
    person = registry.person_at(one.address, typed.name) if typed.name is not None else None
    return f"record {at}" if person is None else person


def ours(records: int, seed: int) -> dict[str, float]:
    """The package's own resolution."""
    people = population(seed, records)
    watch = Watch()
    evidence = evidence_of(people)
    read, _ = watch.read()
    watch = Watch()
    registry = build_registry(evidence, OWN)
    seconds, cpu = watch.read()
    found = looked_up(registry, people.truth)
    counts = {"read": read, "doubtful": len(registry.doubtful), "companies": len(registry.companies)}
    counts |= scores(people.truth, found) | by_trait(people.truth, found)
    return counts | {"records": len(people.truth), "firms": people.companies, "seconds": seconds, "cpu": cpu}


def exact(records: int, seed: int) -> dict[str, float]:
    """Equal keys only."""
    people = population(seed, records)
    watch = Watch()
    clusters, first = Clusters(len(people.truth)), dict[tuple[str, ...], int]()
    for at, one in enumerate(people.truth):
        for key in _keys(one):
            clusters.join(first.setdefault(key, at), at)
    seconds, cpu = watch.read()
    found: list[Hashable] = [clusters.find(at) for at in range(len(people.truth))]
    counts = scores(people.truth, found) | by_trait(people.truth, found)
    return counts | {"records": len(people.truth), "seconds": seconds, "cpu": cpu}


def _keys(one: Truth) -> list[tuple[str, ...]]:
    typed = read_name(one.name, one.address)
    name = typed.name.key if typed.name is not None else fold(one.name)
    firm = parse_company(one.company) if one.company else None
    keys: list[tuple[str, ...]] = [("mail", one.address)] if one.address else []
    keys += [("login", one.login)] if one.login else []
    keys += [("phone", re.sub(r"\D", "", one.phone)[-10:], name[:1])] if one.phone else []
    return keys + ([("name", name, firm.key)] if firm is not None else [])


def splink(records: int, seed: int) -> dict[str, float]:
    """Splink with DuckDB: blocked by mail, phone, name and company; weights by expectation maximisation."""
    # No dependency of the project: without it the rows of splink are left out.
    compared = import_module("splink.comparison_library")
    found = import_module("splink")
    block_on = found.block_on

    people = population(seed, records)
    frame = _plain_table(people.truth)
    watch = Watch()
    settings = found.SettingsCreator(
        link_type="dedupe_only",
        unique_id_column_name="at",
        comparisons=[
            compared.NameComparison("first"),
            compared.JaroWinklerAtThresholds("family").configure(term_frequency_adjustments=True),
            compared.ExactMatch("mail"),
            compared.ExactMatch("phone"),
            compared.ExactMatch("firm").configure(term_frequency_adjustments=True),
        ],
        blocking_rules_to_generate_predictions=[
            block_on("mail"), block_on("phone"), block_on("family", "firm"), block_on("first", "firm"),
        ],
    )  # fmt: skip
    api = found.DuckDBAPI()
    linker = found.Linker(api.register(frame.to_arrow()), settings)
    linker.training.estimate_probability_two_random_records_match([block_on("mail")], recall=0.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1_000_000)
    for rule in (block_on("mail"), block_on("family", "firm")):
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    pairs = linker.inference.predict(threshold_match_probability=PROBABILITY)
    joined = linker.clustering.cluster_pairwise_predictions_at_threshold(pairs, PROBABILITY)
    groups = joined.as_duckdbpyrelation().pl().sort("at")["cluster_id"].to_list()
    seconds, cpu = watch.read()
    counts = scores(people.truth, groups) | by_trait(people.truth, groups)
    return counts | {"records": len(people.truth), "seconds": seconds, "cpu": cpu}


def _plain_table(truth: list[Truth]) -> pl.DataFrame:
    rows = []
    for at, one in enumerate(truth):
        typed = read_name(one.name, one.address)
        name = typed.name
        firm = parse_company(one.company) if one.company else None
        host = one.address.rpartition("@")[2].split(".")[0].replace("-", "")
        joined = "".join(words_of(firm.core)) if firm is not None else host or None
        rows.append((
            at, fold(name.first) if name else None, fold(name.last) if name else None, one.address or None,
            re.sub(r"\D", "", one.phone) or None, joined,
        ))  # fmt: skip
    return pl.DataFrame(rows, schema=["at", "first", "family", "mail", "phone", "firm"], orient="row")


WORK: dict[str, Callable[[int, int], dict[str, float]]] = {"ours": ours, "exact": exact, "splink": splink}


def main() -> None:
    """Prints the tables, or does one piece of work for `measure`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--records", default="10000,100000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-splink", action="store_true")
    parser.add_argument("--work", choices=WORK)
    chosen = parser.parse_args()
    if chosen.work:
        perform(lambda: WORK[chosen.work](int(chosen.records), chosen.seed))
        return
    present = importlib.util.find_spec("splink") is not None and not chosen.no_splink
    works = [work for work in WORK if work != "splink" or present]
    measured: dict[tuple[str, str], Measured] = {}
    for records in chosen.records.split(","):
        for work in works:
            arguments = ("--records", records, "--seed", str(chosen.seed))
            measured[records, work] = measure("benchmarks.resolution", work, *arguments)
    table(
        f"pairs of records, seed {chosen.seed}",
        (
            "",
            "records",
            "precision",
            "recall",
            "F1",
            "seconds",
            "CPU s",
            "records/s",
            "read s",
            "peak MB",
            "doubtful",
        ),
        [_row(work, one) for (_, work), one in measured.items()],
    )
    table(
        "recall by trait",
        ("", "records", *TRAITS),
        [
            (work, f"{one.counted['records']:,.0f}", *(f"{one.counted[trait]:.3f}" for trait in TRAITS))
            for (_, work), one in measured.items()
        ],
    )


def _row(work: str, one: Measured) -> tuple[str, ...]:
    counted = one.counted
    return (
        work,
        f"{counted['records']:,.0f}",
        *(f"{counted[figure]:.4f}" for figure in ("precision", "recall", "f1")),
        f"{one.seconds:.1f}",
        f"{one.cpu:.1f}",
        f"{counted['records'] / one.cpu:,.0f}",
        f"{counted.get('read', 0):.1f}",
        f"{one.peak_mb:,.0f}",
        f"{counted.get('doubtful', 0):,.0f}",
    )


if __name__ == "__main__":
    main()
