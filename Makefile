# Two commands on a fresh machine: `make demo` and `make test`. Both install what they need first.
export DAGSTER_HOME ?= $(CURDIR)/dagster_home
export VIRTUAL_ENV := $(CURDIR)/.venv
BIN := .venv/bin
AGENTS := reference,scripted:process-misses,scripted:generic-pitch,scripted:list-to-fake-boss,scripted:reader,noop

.DEFAULT_GOAL := help
.PHONY: help demo test long real check harbor format ui lock clean

help: ## Lists the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/'

.venv/.installed: requirements.lock pyproject.toml scripts/bootstrap
	@scripts/bootstrap

demo: .venv/.installed ## Runs the main job on the sample archive
	@$(BIN)/rl-dojo onboard data_samples/archive --home .rl-dojo
	@$(BIN)/rl-dojo run environments/gtm-outbound --agent $(AGENTS) --seeds 1,2,3 --home .rl-dojo

test: .venv/.installed ## Passes the tests, without the long ones and the slow ones on real data
	@$(BIN)/python -m pytest -n 2 -q -m "not long and not (slow and real)"

long: .venv/.installed ## Passes the long tests: hostile archives, lines of a gigabyte, the sample exported and read again
	@$(BIN)/python -m pytest -q -m long

real: .venv/.installed ## Passes the tests on real public data (RL_DOJO_REAL_DATA=FOLDER)
	@$(BIN)/python -m pytest -q tests/real tests/anonymize/test_real_data.py tests/pipeline

check: .venv/.installed ## Checks format, lint, types, floors and Dagster definitions
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/dg check defs

harbor: ## Checks environments with Harbor's own classes (needs python3.12)
	@[ -x .venv-harbor/bin/python ] || python3.12 -m venv .venv-harbor
	@.venv-harbor/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r harbor.lock
	@.venv-harbor/bin/python scripts/check_harbor.py environments/gtm-outbound

format: .venv/.installed ## Formats the code and mends what lint can mend
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

ui: .venv/.installed ## Opens the Dagster UI on http://localhost:3000
	@$(BIN)/dagster dev

lock: ## Writes requirements.lock anew (needs uv)
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-strip-extras --no-header \
		--python-version 3.11 --extra dev pyproject.toml -o requirements.lock

clean: ## Removes the environment and caches; datasets under .rl-dojo stay
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
