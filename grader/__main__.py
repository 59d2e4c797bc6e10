"""`python -m grader RUN_DIR TRUTH.json`: grades a run folder where nothing else is installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from contracts.world import Truth
from grader.grading import grade_run


def main(arguments: list[str]) -> int:
    """Writes `grade.json` into a run folder; returns 0, or 2 where a file is missing or bad."""
    if len(arguments) != 2:
        sys.stderr.write("usage: python -m grader RUN_DIR TRUTH.json\n")
        return 2
    run, truth_file = map(Path, arguments)
    try:
        truth = Truth.model_validate_json(truth_file.read_bytes())
        grade = grade_run(run, truth)
        aside = run / ".grade.json.part"
        aside.write_text(grade.model_dump_json(indent=2) + "\n", encoding="utf-8")
        os.replace(aside, run / "grade.json")
    except (OSError, ValueError) as error:
        sys.stderr.write(f"cannot grade {run.name}: {type(error).__name__}: {str(error)[:300]}\n")
        return 2
    sys.stdout.write(f"{grade.reward:.6f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
