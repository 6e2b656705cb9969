# The commands of this project; `make` alone lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AWESOME := $(BIN)/awesome
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Only files whose hashes are in requirements/ are installed; then the package itself, built with them.
LOCKED := $(PIP) install --require-hashes -r requirements
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
  --custom-compile-command "make lock" $(UPGRADE)
ITSELF := $(PIP) install --no-deps --no-build-isolation -e .

.DEFAULT_GOAL := help
.PHONY: help run fresh test test-slow fuzz mutants lint check golden bench docs links build audit lock clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-9s %s\n", $$1, $$2}'

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("awesome needs Python 3.11 or later, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml requirements/run.txt | $(BIN)/python
	$(LOCKED)/run.txt
	$(ITSELF)
	@touch $@

$(VENV)/.dev: $(VENV)/.installed requirements/dev.txt
	$(LOCKED)/dev.txt
	@touch $@

run: $(VENV)/.installed ## set up, then validate the shipped survey, count it, show its gaps
	@$(AWESOME) validate
	@echo; $(AWESOME) stats
	@echo; $(AWESOME) gaps

fresh: $(VENV)/.installed ## say whether README, pictures and statistics follow from the records, as they do on main
	@$(AWESOME) render --check --diff

test: $(VENV)/.dev ## set up and run the tests but the slow ones, with few generated inputs, the same each time
	@$(BIN)/python -m pytest -q -n 2 -m 'not slow'

test-slow: $(VENV)/.dev ## run the slow tests (browsers, builds, kills), and many generated inputs that differ each time
	@$(BIN)/python -m pytest -q -n 2 -m 'slow or hypothesis' --hypothesis-profile=long

fuzz: $(VENV)/.dev ## try every reader with broken input for MINUTES, 2 if not said, and name what is a fault
	@$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),2) $(addprefix --seed ,$(SEED))

mutants: $(VENV)/.dev ## put wrong code in: PER pieces for each of six subjects, 60 if not said; at least 85 % must be noticed
	$(LOCKED)/mutants.txt
	@$(BIN)/python tests/mutants.py --per $(or $(PER),60) $(if $(SEED),--seed $(SEED))

lint: $(VENV)/.dev ## ruff, mypy, import-linter; zizmor for the workflows, the action and what new surveys get
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/zizmor --offline --quiet --strict-collection --config .github/zizmor.yml .github action.yml templates/starter/github

check: run lint test ## what CI runs

golden: $(VENV)/.dev ## rewrite every golden file and generated page; read the diff before you commit it
	@$(BIN)/python -m pytest -q --update-golden

bench: $(VENV)/.dev ## measure the speed against its floors, in a quarter of an hour; name what is above its target
	@$(BIN)/python -m bench

docs: $(VENV)/.dev ## build the manual in _site/manual
	@$(BIN)/sphinx-build -q -W --keep-going -c docs -d .make/doctrees . _site/manual

links: $(VENV)/.dev ## ask whether the addresses that the manual names answer (needs the network)
	@$(BIN)/sphinx-build -q -b linkcheck -c docs -d .make/doctrees . .make/links

build: $(VENV)/.dev ## build the wheel and the source archive
	@$(BIN)/python -m build --no-isolation

audit: $(BIN)/python ## ask PyPI for known faults in what is pinned (needs its network)
	$(LOCKED)/audit.txt
	@$(BIN)/pip-audit --strict --require-hashes --disable-pip -r requirements/dev.txt -r requirements/audit.txt

lock: $(BIN)/python ## pin what pyproject.toml asks for, with hashes; 'make lock UPGRADE=--upgrade' takes the newest
	$(LOCKED)/audit.txt
	$(LOCK) pyproject.toml --group build -o requirements/run.txt
	$(LOCK) pyproject.toml --group dev -c requirements/run.txt -o requirements/dev.txt
	$(LOCK) --group audit -c requirements/dev.txt -o requirements/audit.txt
	$(LOCK) --group mutants -c requirements/dev.txt -o requirements/mutants.txt
	npm install --prefix requirements/npm --package-lock-only --omit-lockfile-registry-resolved --silent

clean: ## remove what the other commands made
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache mutants
