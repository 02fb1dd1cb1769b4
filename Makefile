# Two commands matter: `make check` verifies the paper, `make test` tests the software.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: check test check-deep bench lint clean

# The stamp carries the definition of the environment: a change of pyproject.toml installs again.
.venv/.stamp: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

check: .venv/.stamp
	$(BIN)/oubli check

# Resumable: what was measured before a stop is kept; `oubli check` takes in what was measured.
check-deep: .venv/.stamp
	$(BIN)/python -m checks.deep
	$(BIN)/oubli check --deep

test: .venv/.stamp lint
	$(BIN)/python -m pytest checks/ tests/ sim/ theory/ -n 2

lint: .venv/.stamp
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: .venv/.stamp
	for file in benchmarks/*.py; do $(BIN)/python $$file || exit 1; done

clean:
	rm -rf .venv report build *.egg-info
