# Two commands matter: `make check` verifies the paper, `make test` tests the software.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: check test tests check-deep accepted bench docs lint format coverage clean mutants weaken fuzz frameworks

# What the commands need; on top of it, in .stamp, what the tests and the linters need.
# The stamps carry the definition of the environment: a change of pyproject.toml installs again.
.venv/.runtime: pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) -e '.[plot]'
	@touch $@

.venv/.stamp: .venv/.runtime
	$(PIP) -e '.[dev]'
	@touch $@

check: .venv/.runtime
	$(BIN)/oubli check

# Resumable: what was measured before a stop is kept; `oubli check` takes in what was measured.
check-deep: .venv/.stamp
	$(BIN)/python -m oubli.checks.measure.deep
	$(BIN)/oubli check --deep

# The linters beside the tests: what waits on the disk leaves a core to the other.
test: .venv/.stamp
	$(MAKE) -j2 lint tests

# A worker that has nothing left takes from the other: files differ much in what they cost.
tests: .venv/.stamp
	$(BIN)/python -m pytest checks/ tests/ -n 2 --dist worksteal

# Tracing makes the suite two thirds slower, so it is measured apart, on the tests that need no long runs.
coverage: .venv/.stamp
	$(BIN)/python -m pytest tests/theory tests/sim -n 2 --cov --cov-report=term:skip-covered

# Rules in PyTorch and JAX: heavy, so apart from the others. This version of PyTorch comes without CUDA.
.venv/.frameworks: .venv/.stamp
	$(PIP) -e '.[jax]' torch==2.13.0
	@touch $@

frameworks: .venv/.frameworks
	$(BIN)/python -m pytest tests/checks/audit_more/test_adapters.py -n 2

# One change at a time in everything that is trusted, and which test notices: tests/mutants/mutants.md. Resumable.
mutants: .venv/.stamp
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.mutants

# Every proved claim, changed so that it claims more, judged again: tests/adversarial/weakened.json.
weaken: .venv/.stamp
	nice $(BIN)/python -m tests.adversarial.weaken

# Many calls of the command line with what nobody should type.
fuzz: .venv/.stamp
	$(BIN)/python -m tests.fuzz --calls 200000

lint: .venv/.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Which records the calculator may certify by: judged again, written to theory/regimes/accepted.json.
accepted: .venv/.runtime
	$(BIN)/python -m oubli.theory.regimes.accept

format: .venv/.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Everything that is measured goes into benchmarks/results.md; the audit has a table of its own.
bench: .venv/.stamp
	$(BIN)/python benchmarks/run.py
	for file in benchmarks/audit*.py; do PYTHONSAFEPATH=1 $(BIN)/python $$file || exit 1; done

# The site in docs/_build/html: warnings are errors, every example is run, no internal link is dead.
.venv/.docs: .venv/.runtime
	$(PIP) -e '.[docs]'
	@touch $@

docs: .venv/.docs
	$(BIN)/python -m sphinx -E -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/python -m pytest docs/

clean:
	rm -rf .venv report build docs/_build docs/claims *.egg-info .coverage
