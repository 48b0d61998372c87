# Set-up is make: `make demo` and `make test` need Python >= 3.11 and make, nothing else.
#   make demo    install into .venv and run the main job offline on a recorded case, two rounds
#   make test    everything CI runs: ruff, mypy, generated references, pytest
#   make cases   the rules of the recorded cases, and the playbook on all of them against its baseline
#   make test PYTHON=python3.13 VENV=.venvs/3.13

PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2

.PHONY: demo test lint types references unit eval fuzz clean

demo: $(VENV)/.installed
	@$(BIN)/python -m copilot.demo

test: lint types references unit

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

references: $(VENV)/.dev
	$(BIN)/python tools/references.py --check

unit: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

cases: $(VENV)/.dev
	$(BIN)/python tools/lint_cases.py
	$(BIN)/python tools/case_baseline.py

$(VENV)/.created:
	@tools/make_venv.sh "$(PYTHON)" "$(VENV)"
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml requirements.txt
	@echo "installing the pinned requirements (a minute at most) ..." >&2
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.installed requirements-dev.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean:
	rm -rf .venv .venvs build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

fuzz: $(VENV)/.dev
	PYTHONPATH=.:tests $(BIN)/python tests/fuzz/fuzzing.py --minutes 10
