#!/bin/bash
# Grades the exported log against the truth and writes the one reward that Harbor reads.
set -u
mkdir -p /logs/verifier
if python -m grader /srv/export /tests/truth.json; then
  python - <<'PY'
import json, pathlib
grade = json.loads(pathlib.Path("/srv/export/grade.json").read_text())
out = pathlib.Path("/logs/verifier")
(out / "reward-details.json").write_text(json.dumps(grade))
(out / "reward.json").write_text(json.dumps({"reward": grade["reward_millionths"] / 1_000_000}))
PY
fi
