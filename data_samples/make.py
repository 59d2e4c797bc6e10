"""Writes the sample archive and its answer key.

`python -m data_samples.make --seed 7 --scale 1 [-o data_samples]`
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from data_samples import answers, crm, erp, jira
from data_samples.mailbox import body_text
from data_samples.mboxes import fill_boxes
from data_samples.world import simulate

README = (
    "This archive is invented: no person, company, address or amount in it is real.\n"
    "It is written by `python -m data_samples.make`; the answer key stands beside it in `truth/` and "
    "is never a source.\n"
)
MAX_SCALE = 50
MANIFEST = Path(__file__).with_name("manifest.yaml")
"""The authored manifest that the archive carries as its `dataset.yaml`."""


def build(seed: int, scale: int) -> dict[str, bytes]:
    """All files of archive and truth by relative path, the same bytes for the same seed and scale."""
    h = simulate(seed, scale)
    crm.number_records(h)
    tables = crm.export(h)
    boxes = fill_boxes(h, scale)
    tickets = jira.export(h)
    files = {"archive/README.md": README.encode(), "archive/dataset.yaml": MANIFEST.read_bytes()}
    files |= {f"archive/mail/{name}": content for name, content in boxes.files.items()}
    files["archive/tickets/jira_export.csv"] = tickets
    files |= {f"archive/crm/{name}": content for name, content in tables.items()}
    files["archive/erp/erp.sqlite"] = erp.export(h)
    text = "\n".join(
        [
            *(
                f"{mail.from_line}\n{mail.to_lines}\n{mail.cc_lines}\n{mail.subject}\n{body_text(mail)}\n"
                f"{[file.name for file in mail.attachments]}"
                for mail in h.mails
            ),
            tickets.decode(),
            *(content.decode() for content in tables.values()),
            *(str(row) for content in erp.rows(h).values() for row in content),
        ]
    )
    truth = {
        "cases": answers.cases(h),
        "rules": answers.rules(h),
        "outcomes": answers.outcomes(h),
        "response": answers.response(h),
        "entities": answers.entities(h, text),
        "traps": h.traps,
        "messages": answers.messages(h, boxes),
        "counts": answers.counts(h, boxes, tables),
    }
    return files | {f"truth/{name}.json": _json(content) for name, content in truth.items()}


def _json(content: Any) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def write(files: dict[str, bytes], target: Path) -> None:
    """Put archive and truth in place of older ones; each folder appears whole or not at all."""
    for top in ("archive", "truth"):
        pending, final, old = target / f"{top}.pending", target / top, target / f"{top}.old"
        for folder in (pending, old):
            shutil.rmtree(folder, ignore_errors=True)
        for name, content in files.items():
            if name.startswith(f"{top}/"):
                path = pending / name.removeprefix(f"{top}/")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        if final.exists():
            final.replace(old)
        pending.replace(final)
        shutil.rmtree(old, ignore_errors=True)


def main(arguments: list[str] | None = None) -> int:
    """0 once archive and truth are written, 2 on wrong use."""
    parser = argparse.ArgumentParser(
        prog="python -m data_samples.make", description="Write the invented sample archive."
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--scale", type=int, default=1, help=f"multiplies the number of leads, 1 to {MAX_SCALE}"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).parent)
    chosen = parser.parse_args(arguments)
    if not 1 <= chosen.scale <= MAX_SCALE:
        parser.error(f"--scale {chosen.scale} is out of range, choose 1 to {MAX_SCALE}")
    files = build(chosen.seed, chosen.scale)
    write(files, chosen.output)
    size = sum(len(content) for name, content in files.items() if name.startswith("archive/"))
    sys.stdout.write(f"{len(files)} files, archive {size} bytes, in {chosen.output}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
