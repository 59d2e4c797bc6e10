"""Writes the sample archive and its answer key.

`python -m data_samples.make --seed 7 --scale 1 [--only mail] [-o data_samples]`
"""

from __future__ import annotations

import argparse
import gc
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from data_samples import (
    answers,
    boxes,
    crm,
    discrepancies,
    engineering,
    erp,
    jira,
    rulings,
    sheets,
    variety,
    zendesk,
)
from data_samples.history import History
from data_samples.quoting import body_text
from data_samples.world import simulate

README = (
    "This archive is invented: no person, company, address or amount in it is real.\n"
    "It is written by `python -m data_samples.make`; the answer key stands beside it in `truth/` and "
    "is never a source.\n"
)
MAX_SCALE = 500
SYSTEMS = ("mail", "tickets", "crm", "erp", "sheets", "engineering")
MANIFEST = Path(__file__).with_name("manifest.yaml")
"""The authored manifest that the archive carries as its `dataset.yaml`."""
TEXTS = (".csv", ".ndjson", ".txt")


def build(seed: int, scale: int) -> dict[str, bytes]:
    """All files of archive and truth by relative path, the same bytes for the same seed and scale."""
    return dict(produce(seed, scale, SYSTEMS))


def produce(
    seed: int, scale: int, only: tuple[str, ...], also: Callable[[History], None] | None = None
) -> Iterator[tuple[str, bytes]]:
    """The files of the chosen systems one after the other; the whole answer key only with all systems.

    `also` may add to the history before it is written.
    """
    h = simulate(seed, scale)
    if also is not None:
        also(h)
    variety.finish(h)
    discrepancies.plant(h)
    crm.number_records(h)
    yield "archive/README.md", README.encode()
    yield "archive/dataset.yaml", MANIFEST.read_bytes()
    held = boxes.fill_boxes(h, scale) if "mail" in only else None
    if held is not None:
        yield from ((f"archive/{path}", content) for path, content in boxes.mail_files(h, held))
    files = _tables(h, only)
    yield from ((f"archive/{path}", content) for path, content in files.items())
    tables: dict[str, list[erp.Row]] = erp.rows(h) if "erp" in only else {}
    if tables:
        yield "archive/erp/erp.sqlite", erp.export(tables)
    counts = answers.counts(h, held, files, {name: len(content) for name, content in tables.items()})
    if held is None or len(only) < len(SYSTEMS):
        yield "truth/counts.json", _json(counts)
        return
    text = _text(h, files, tables)
    truth = {
        "cases": answers.cases(h),
        "rules": rulings.rules(h),
        "outcomes": answers.outcomes(h),
        "response": answers.response(h),
        "entities": answers.entities(h, text),
        "traps": h.traps,
        "contradictions": h.contradictions,
        "messages": answers.messages(h, held),
        "counts": counts,
    }
    yield from ((f"truth/{name}.json", _json(content)) for name, content in truth.items())


def _tables(h: History, only: tuple[str, ...]) -> dict[str, bytes]:
    """Every file that is neither mail nor database, by its path below `archive/`."""
    files: dict[str, bytes] = {}
    if "tickets" in only:
        files["tickets/jira_export.csv"] = jira.export(h)
        files |= {f"tickets/{name}": content for name, content in zendesk.export(h).items()}
    if "crm" in only:
        files |= {f"crm/{name}": content for name, content in crm.export(h).items()}
    if "sheets" in only:
        files[f"sheets/{sheets.BOOK}"] = sheets.export(h)
    if "engineering" in only:
        files |= {f"engineering/{name}": content for name, content in engineering.export(h).items()}
    return files


def _text(h: History, files: dict[str, bytes], tables: dict[str, list[erp.Row]]) -> str:
    """Everything that stands in the archive as text, for the forms of people and companies."""
    return "\n".join(
        [
            *(
                f"{mail.from_line}\n{mail.to_lines}\n{mail.cc_lines}\n{mail.subject}\n{body_text(mail)}\n"
                f"{[file.name for file in mail.attachments]}"
                for mail in h.mails
            ),
            *(content.decode("utf-8-sig") for path, content in files.items() if path.endswith(TEXTS)),
            sheets.written(h),
            *(str(row) for content in tables.values() for row in content),
        ]
    )


def _json(content: Any) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def write(files: Iterator[tuple[str, bytes]], target: Path) -> tuple[int, int]:
    """Put archive and truth in place of older ones, each folder whole or not at all; files and bytes."""
    number = size = 0
    for top in ("archive", "truth"):
        for folder in (target / f"{top}.pending", target / f"{top}.old"):
            shutil.rmtree(folder, ignore_errors=True)
    for name, content in files:
        top, _, rest = name.partition("/")
        path = target / f"{top}.pending" / rest
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        number, size = number + 1, size + (len(content) if top == "archive" else 0)
    for maildir in (target / "archive.pending" / "mail" / "maildir").glob("*"):
        (maildir / "tmp").mkdir()
    for top in ("archive", "truth"):
        final, old = target / top, target / f"{top}.old"
        if final.exists():
            final.replace(old)
        (target / f"{top}.pending").replace(final)
        shutil.rmtree(old, ignore_errors=True)
    return number, size


def main(arguments: list[str] | None = None) -> int:
    """0 once archive and truth are written, 2 on wrong use."""
    parser = argparse.ArgumentParser(
        prog="python -m data_samples.make", description="Write the invented sample archive."
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--scale", type=int, default=1, help=f"multiplies the number of leads, 1 to {MAX_SCALE}"
    )
    parser.add_argument(
        "--only",
        default=",".join(SYSTEMS),
        help=f"systems to write, with counts as their only answer key: {', '.join(SYSTEMS)}",
    )
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).parent)
    chosen = parser.parse_args(arguments)
    if not 1 <= chosen.scale <= MAX_SCALE:
        parser.error(f"--scale {chosen.scale} is out of range, choose 1 to {MAX_SCALE}")
    only = tuple(dict.fromkeys(chosen.only.split(",")))
    unknown = [name for name in only if name not in SYSTEMS]
    if unknown:
        parser.error(f"--only {','.join(unknown)} is no system, choose from {', '.join(SYSTEMS)}")
    if len(only) < len(SYSTEMS) and chosen.output == parser.get_default("output"):
        parser.error("--only writes a part of the archive, choose another folder with -o")
    # A history of half a million objects has hardly any cycles; looking for them would double the time.
    gc.disable()
    number, size = write(produce(chosen.seed, chosen.scale, only), chosen.output)
    sys.stdout.write(f"{number} files, archive {size} bytes, in {chosen.output}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
