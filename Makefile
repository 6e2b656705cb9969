# The commands of this project; `make` alone lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AWESOME := $(BIN)/awesome
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help run fresh test test-slow fuzz lint check golden bench build clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-9s %s\n", $$1, $$2}'

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("awesome needs Python 3.11 or later, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -c constraints.txt --upgrade pip

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(PIP) install -c constraints.txt --group dev
	@touch $@

run: $(VENV)/.installed ## set up, then validate the shipped survey, count it, show its gaps
	@$(AWESOME) validate
	@echo; $(AWESOME) stats
	@echo; $(AWESOME) gaps

fresh: $(VENV)/.installed ## say whether README, pictures and statistics follow from the records, as they do on main
	@$(AWESOME) render --check --diff

test: $(VENV)/.dev ## set up and run the whole test suite, its slow part with few examples
	@$(BIN)/python -m pytest -q -n 2

test-slow: $(VENV)/.dev ## browsers, kills, mutants and generated inputs alone, with ten times as many examples
	@$(BIN)/python -m pytest -q -n 2 -m 'slow or hypothesis' --hypothesis-profile=long

fuzz: $(VENV)/.dev ## try every reader with broken input for MINUTES, 2 if not said, and name what is a fault
	@$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),2)

lint: $(VENV)/.dev ## ruff, mypy, import-linter
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

check: run lint test ## what CI runs

golden: $(VENV)/.dev ## rewrite every golden file and generated page; read the diff before you commit it
	@$(BIN)/python -m pytest -q --update-golden

bench: $(VENV)/.dev ## measure the speed against its floors
	@$(BIN)/python -m bench

build: $(VENV)/.dev ## build the wheel and the source archive
	@$(BIN)/python -m build

clean: ## remove what the other commands made
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
