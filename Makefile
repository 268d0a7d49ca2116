# One word a task. Needs Python 3.11 or newer and a package index that pip can reach; everything goes into .venv.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
JOBS   ?= 2
ARGS   ?=

.DEFAULT_GOAL := help
.PHONY: help run serve test check lint format golden bench clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.base ## start a server, run the demo against it, stop it
	@$(BIN)/python -m dorisette.demo

serve: $(VENV)/.base ## keep a server running on 127.0.0.1:9030 (make serve ARGS="--query-port 9031")
	@$(BIN)/dorisette serve $(ARGS)

test: $(VENV)/.dev ## all tests (make test ARGS="-k stream")
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

lint: $(VENV)/.dev ## format, rules, types, walls, dependencies, spelling
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/codespell

check: lint test ## what CI runs: lint, then test

format: $(VENV)/.dev ## let ruff format the code and fix what it can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

golden: $(VENV)/.dev ## write golden files, generated documents and the package list anew; read the diff
	$(BIN)/python -m pytest tests/golden tests/docs tests/packaging/test_package_list.py --update

bench: $(VENV)/.dev ## ratios against plain DuckDB (make bench ARGS=--quick)
	$(BIN)/python -m bench $(ARGS)

clean: ## remove what the other targets made
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# The stamps: installing happens once, and again when pyproject.toml changed.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Dorisette needs Python 3.11 or newer; say make PYTHON=python3.12")'
	@echo "setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml | $(BIN)/python
	@$(PIP) --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.base
