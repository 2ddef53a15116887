# Everything below sets up what it needs in .venv; nothing is installed elsewhere.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GRAMMAR := $(wildcard grammar/src/*.c grammar/src/tree_sitter/*.h grammar/bindings/python/*.c)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test check lint types unit client neovim bench reference lock recordings grammar clean

help:
	@echo "make demo        the main job on the example: no key, no editor, no network but the package registry"
	@echo "make test        lint, types and tests"
	@echo "make client      the VS Code extension: types, bundle, tests (needs Node)"
	@echo "make neovim      the Neovim plugin in a real Neovim, which it installs outside of the checkout"
	@echo "make bench       speed of the language core, templates and the server on this machine"
	@echo "make reference   the reference pages and the queries, from the language's tables"
	@echo "make recordings  the example's recordings, made anew from its hand-written answers"
	@echo "make grammar     grammar/src from grammar.js (needs tree-sitter's CLI)"
	@echo "make lock        the lock files, from pyproject.toml"

$(VENV)/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed: PYTHON=... make" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/created requirements.lock pyproject.toml $(GRAMMAR)
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements-dev.lock
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

demo: $(VENV)/installed
	@$(BIN)/python scripts/demo.py

test: lint types unit

check: test

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev
	$(BIN)/mypy

unit: $(VENV)/installed-dev
	$(BIN)/pytest

# Editors that tests drive, and peers, are kept by version outside of the checkout.
TOOLS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/dramaturg-tools

PEERS := $(TOOLS)/peers-$(shell sha256sum bench/peers.requirements.txt 2>/dev/null | cut -c1-12)

$(PEERS)/installed:
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r bench/peers.requirements.txt
	@touch $@

bench: $(VENV)/installed $(PEERS)/installed
	@$(BIN)/python bench/language.py
	@echo "Others, on 10,000 lines of Python (ms wall):"
	@$(BIN)/python bench/peers.py $(PEERS)/bin

NEOVIM := $(TOOLS)/neovim-0.11.4

$(NEOVIM)/installed:
	$(PYTHON) -m venv $(NEOVIM)
	$(NEOVIM)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
		-r tests/editors/neovim.requirements.txt
	@touch $@

neovim: $(VENV)/installed-dev $(NEOVIM)/installed
	DRAMATURG_NVIM=$(NEOVIM)/bin/nvim $(BIN)/pytest tests/editors/test_neovim.py

client:
	cd client-vscode && npm ci --silent --no-audit --no-fund && npm test

reference: $(VENV)/installed
	@$(BIN)/python scripts/generate_reference.py
	@$(BIN)/python scripts/generate_queries.py

recordings: $(VENV)/installed
	@$(BIN)/python scripts/record_example.py

grammar:
	cd grammar && tree-sitter generate && sha256sum grammar.js > src/grammar.sha256

lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate pyproject.toml --group build --output-file requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate pyproject.toml --group dev --output-file requirements-dev.lock

clean:
	rm -rf $(VENV) build server/*.egg-info server/dramaturg/syntax/*.so
