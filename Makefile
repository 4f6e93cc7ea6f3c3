# The one front door. Every target sets up what it needs, in .venv, from the locked requirements.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test check lint format fuzz bench generate docs lock sbom audit release test-release clean

VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.run
DEV := $(VENV)/.dev
FUZZ := $(VENV)/.fuzz
BENCH := $(VENV)/.bench
ARGS ?=
# The tests start hundreds of interpreters; without bytecode each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE
SHELLS := src/calivet/node/probe.sh src/calivet/live/scripts/collect.sh $(shell grep -lx '\#!/bin/sh' scripts/*)

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Exit code 1 says that a fault was found, which is what a demo shows.
demo: $(RUN)  ## Diagnose a built-in incident (another one: make demo ARGS=NAME)
	@$(BIN)/calivet demo $(ARGS) || [ $$? -eq 1 ]

test: $(DEV)  ## Run the tests (some of them: make test ARGS=tests/readers)
	@scripts/test-shells
	@scripts/test-lab
	@scripts/test-ssh
	@scripts/test-browser
	@$(BIN)/python scripts/test-components >/dev/null || true
	$(BIN)/pytest --numprocesses auto --dist loadgroup $(ARGS)

# What needs nothing but Python: no installers, no built components, no browser, no lab. Marks are in tests/conftest.py.
check: $(DEV)  ## Run the fast part of the tests: nothing is installed or built for them
	$(BIN)/pytest --numprocesses auto --dist loadgroup -m "not slow" $(ARGS)

lint: $(DEV)  ## Check format, style, types, imports between rooms, sizes, generated files and what comes from others
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/shellcheck $(SHELLS)
	$(BIN)/python scripts/check-sizes
	$(BIN)/python scripts/check-printing
	$(BIN)/python scripts/check-generated
	$(BIN)/python scripts/new-cause --check
	$(BIN)/python scripts/check-requirements
	$(BIN)/python scripts/check-licences
	$(BIN)/python scripts/audit --if-reachable

format: $(DEV)  ## Format the code and mend what ruff can mend by itself
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

fuzz: $(DEV) $(FUZZ)  ## Look for input that breaks something (a minute for each target: make fuzz TIME=60; one: ARGS=whole)
	@$(BIN)/python scripts/fuzz $(if $(TIME),--time $(TIME)) $(ARGS)

bench: $(DEV) $(BENCH)  ## Race calivet against others and write docs/benchmarks.md (one part: ARGS=scan; all of it small: ARGS=--quick)
	@scripts/bench-tools
	@$(BIN)/python -m bench $(ARGS)

generate: $(DEV)  ## Write the generated files anew: anchors, cause pages, the role, schemas, pictures of the terminal
	$(BIN)/python scripts/check-generated --write

docs: $(DEV)  ## Run the documentation's examples and build its site in build/site
	$(BIN)/sphinx-build --quiet --fail-on-warning --fresh-env --jobs auto -c docs/site -d build/doctrees docs build/site
	@echo "build/site/index.html"

lock: $(DEV)  ## Pin the newest versions that pyproject.toml allows, with their hashes, in requirements/
	$(BIN)/pip-compile --quiet --upgrade --output-file requirements/run.txt pyproject.toml
	$(BIN)/pip-compile --quiet --upgrade --extra dev --constraint requirements/run.txt --output-file requirements/dev.txt pyproject.toml
	$(BIN)/pip-compile --quiet --upgrade --extra fuzz --constraint requirements/dev.txt --output-file requirements/fuzz.txt pyproject.toml
	$(BIN)/pip-compile --quiet --upgrade --extra bench --constraint requirements/dev.txt --output-file requirements/bench.txt pyproject.toml
	$(BIN)/python scripts/lock-debian

sbom: $(DEV)  ## Write the bills of materials, as CycloneDX JSON, to build/sbom
	@$(BIN)/python scripts/make-sbom

audit: $(DEV)  ## Ask the registry for known vulnerabilities of what is locked
	@$(BIN)/python scripts/audit

release: $(DEV)  ## Build all that a release publishes, in dist (minutes; options of scripts/build-release: ARGS=...)
	@scripts/release-tools
	$(BIN)/python scripts/build-release $(ARGS)

test-release: $(DEV)  ## Test what is in dist: in empty roots, under containerd, against a real API server (minutes)
	@scripts/release-tools
	@scripts/test-lab
	CALIVET_RELEASE=dist $(BIN)/pytest tests/release tests/e2e/test_collect_script.py $(ARGS)

clean:  ## Remove the environment, caches and build results
	rm -rf $(VENV) build dist src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests scripts bench -name __pycache__ -prune -exec rm -rf {} +

# A stamp per lock file. The package itself is installed again when its version or its entry points may have changed.
$(RUN) $(DEV) $(FUZZ) $(BENCH): $(VENV)/.%: requirements/%.txt pyproject.toml src/calivet/__init__.py | $(VENV)/pyvenv.cfg
	@echo "Installing requirements/$*.txt into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/pyvenv.cfg:
	@PYTHON="$(PYTHON)" scripts/make-environment $(VENV)
