"""How much of what is real in a text is found, beside stock Presidio where a public set allows it.

`python -m benchmarks.detection [--only masked,pii,coreference] [--seeds 201,202,203] [--folder FOLDER]`

masked: people and companies in all texts of sample archives made here with other names
(`benchmarks.strange_names`): spans written over as a whole; people of whom no table, header or address knows;
replaced tokens that no truth accounts for ("needless"). Nothing of it needs data from outside.
pii: synth_dataset_v2 of presidio-research under its own SpanEvaluator at IoU 0.7, all types as one, ours
(`anonymize.free_text`) and stock Presidio in one run with one model. Rules were written while looking at
texts of even template ids; "odd" are the others. It needs `scripts/pii_benchmark.sh`, which makes an
environment with Python 3.12, the evaluator and the md model, and runs this.
coreference: emailcoref_enron (train part), pairs of mentions that are a name or an address, within a thread.
Threads of both halves were looked at while rules were written: no half is unseen.

Public sets are read from the folder in RL_DOJO_REAL_DATA; without it their tables are left out.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measuring import table

PARTS = ("masked", "pii", "coreference")
SEEDS = "201,202,203"


def report_masked(seeds: list[int], folder: Path) -> None:
    """Prints spans written over and needless replacements, a row per seed."""
    from benchmarks.masking import masked
    from benchmarks.strange_names import made

    rows: list[tuple[str, ...]] = []
    for seed in seeds:
        found = masked(made(folder, seed))
        shares = [
            f"{found.masked[kind] / max(1, found.spans[kind]):.4f} of {found.spans[kind]:,}"
            for kind in ("person", "company", "stranger")
        ]
        needless = sum(found.needless.values()) / max(1, found.tokens)
        rows.append((str(seed), *shares, f"{needless:.2%} of {found.tokens:,}"))
    header = ("seed", "PERSON masked", "ORGANIZATION masked", "people only in text", "needless tokens")
    table(f"python -m benchmarks.detection --only masked --seeds {','.join(map(str, seeds))}", header, rows)


def report_pii(real: Path) -> None:
    """Prints precision, recall and F2 of ours and of stock Presidio."""
    if find_spec("presidio_evaluator") is None:
        print("\npii: presidio-evaluator is not installed here: run scripts/pii_benchmark.sh")
        return
    from benchmarks.pii import scores

    rows: list[tuple[str, ...]] = [
        (name, part, str(score.texts), f"{score.precision:.3f}", f"{score.recall:.3f}", f"{score.f2:.3f}")
        for name, part, score in scores(real / "presidio_research" / "data" / "synth_dataset_v2.json")
    ]
    header = ("recognisers", "template ids", "texts", "precision", "recall", "F2 at IoU 0.7")
    table("python -m benchmarks.detection --only pii", header, rows)


def report_coreference(real: Path) -> None:
    """Prints pairwise recall and precision of surrogates."""
    from benchmarks.coreference import make_kit, pairs, resolved, threads

    messages, mentions = threads(real / "emailcoref_enron" / "data" / "LREC" / "train")
    given, found = resolved(messages, mentions, make_kit(messages))
    rows: list[tuple[str, ...]] = []
    for name, persons in (("gold spans", given), ("end to end", found)):
        for part, wanted in (("all", (0, 1)), ("even threads", (0,)), ("odd threads", (1,))):
            chosen = [place for place, mention in enumerate(mentions) if mention.thread % 2 in wanted]
            result = pairs([mentions[place] for place in chosen], [persons[place] for place in chosen])
            shares = (f"{result.recall:.4f}", f"{result.precision:.4f}")
            rows.append((name, part, str(result.mentions), str(result.found), f"{result.alike:,}", *shares))
    header = ("", "part", "mentions", "found", "pairs of one person", "recall", "precision")
    table("python -m benchmarks.detection --only coreference", header, rows)


def main() -> None:
    """Prints the chosen tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument(
        "--seeds", default=SEEDS, help="of the archives; below 200: sentences that were looked at"
    )
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "rl-dojo-bench")
    chosen = parser.parse_args()
    only = chosen.only.split(",")
    if set(only) - set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}")
    real = os.environ.get("RL_DOJO_REAL_DATA", "")
    print(f"Python {sys.version.split()[0]}")
    if "masked" in only:
        chosen.folder.mkdir(parents=True, exist_ok=True)
        report_masked([int(seed) for seed in chosen.seeds.split(",")], chosen.folder)
    if not real and set(only) & {"pii", "coreference"}:
        print("\nRL_DOJO_REAL_DATA is unset: no public sets here")
        return
    if "pii" in only:
        report_pii(Path(real))
    if "coreference" in only:
        report_coreference(Path(real))


if __name__ == "__main__":
    main()
