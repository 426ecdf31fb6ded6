# `make run` and `make test` need Linux and Python 3.11+ (the tests a chromium besides); everything else is for developers.
VENV ?= .venv
PORT ?= 8000
PY := $(VENV)/bin/python
RUN := $(VENV)/.run-requirements
DEV := $(VENV)/.dev-requirements
PROCESSES := -n 2 --dist loadfile --no-loadscope-reorder
# Images of Python often set it: each program of a run would compile the whole project anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test sweep check mutants screenshots figures walks bench bench-peers faults interop soak fuzz attack attack-host advisories hashes clean
.DEFAULT_GOAL := run

run: $(RUN)  ## the whole system with its demo, at http://127.0.0.1:8000/
	@exec $(PY) manage.py serve --port $(PORT)

test: $(DEV)  ## every test, browser tests included; of the sweeps over all pages, addresses, servers and studies a share
	@.ci/ensure-chromium
	$(PY) -m pytest tests -m "not sweep" $(PROCESSES)

sweep: $(DEV)  ## the rest of those sweeps: with `make test` all that there is, as .ci/run has it
	@.ci/ensure-chromium
	$(PY) -m pytest tests -m sweep $(PROCESSES)

check: $(DEV)  ## format, lint, types, arrows, migrations, docs, unit tests
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/djangofmt --check --quiet templates
	$(VENV)/bin/djangofmt check --quiet templates
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(PY) -m pytest tests/unit tests/house

mutants: $(DEV)  ## a seeded sample of faults in the code: would the tests notice? COUNT=200 SEED=1 ONLY=auditing/core RESUME=output of a run that was stopped
	$(PY) -m tests.tools.mutants --count $(or $(COUNT),200) --seed $(or $(SEED),1) --only $(or $(ONLY),"") $(if $(RESUME),--resume $(RESUME))

screenshots: $(DEV)  ## the main pages, light and dark, at 390, 1024 and 1440 pixels: make screenshots OUT=docs/screenshots
	@.ci/ensure-chromium
	TRUST_SCREENSHOTS=$(or $(OUT),.run/screenshots) $(PY) -m pytest -n 0 tests/browser/pictures.py

figures: $(DEV)  ## bytes, requests, elements and layout shift of every page, as a table: make figures OUT=docs/page-figures.md
	@.ci/ensure-chromium
	TRUST_FIGURES=$(or $(OUT),.run/page-figures.md) $(PY) -m pytest -n 0 tests/browser/figures.py

walks: $(DEV)  ## the main jobs of each role in a browser, with clicks, keys and seconds, on a demo of your own: make walks URL=http://127.0.0.1:8000
	@.ci/ensure-chromium
	@$(PY) -m benchmarks.walks $(or $(URL),http://127.0.0.1:$(PORT))

bench: $(DEV)  ## every figure of the README beside its floor or peer
	@for file in benchmarks/[a-z]*.py; do echo "== $$file"; $(PY) -m benchmarks.$$(basename $$file .py) || exit 1; done

bench-peers: $(DEV)  ## claim and seal beside Potato, Label Studio and doccano, set up from PyPI at first use: make bench-peers PEERS=potato
	@$(PY) -m benchmarks.peers $(PEERS)

faults: $(DEV)  ## the faults of docs/guides/faults.md at full size
	@.ci/ensure-chromium
	$(PY) -m pytest benchmarks/faults

interop: $(DEV)  ## the log, receipts, bundles, exports and training rows against other people's programs
	$(PY) -m pytest benchmarks/interop

soak: $(DEV)  ## hours under load
	$(PY) -m pytest benchmarks/soak

fuzz: $(DEV)  ## hostile bytes and values for every reader, every address and every parameter, many more than in the tests; every row of every page
	@.ci/ensure-chromium
	TRUST_FUZZ=whole $(PY) -m pytest tests/unit/ledger/test_foreign_bytes.py tests/verifier/test_hostile_bundles.py tests/pages/test_every_parameter.py tests/api/test_description.py tests/browser/test_every_page.py --timeout=36000
	$(PY) -m benchmarks.fuzzing --minutes 60

attack: $(DEV)  ## the bad inputs of docs/threats.md by address, against an instance of your own: make attack URL=http://127.0.0.1:8000
	@$(PY) -m benchmarks.attack $(or $(URL),http://127.0.0.1:$(PORT))

attack-host: $(DEV)  ## the others of the 64, which need the machine itself, two people or a clock, by their tests
	@$(PY) -m benchmarks.attack.host

advisories: $(DEV)  ## known holes of the pinned packages, and their licences
	@$(PY) .ci/advisories .run/advisories

hashes:  ## write the hashes of all pinned packages anew, after a line of requirements*.txt was changed
	@.ci/lock

clean:  ## forget the virtual environment and everything stored by `make run`
	@if [ -L .run/postgres ]; then rm -rf "$$(readlink -f .run/postgres)"; fi
	rm -rf .run $(VENV) staticfiles

$(RUN): requirements.txt .ci/requirements.lock
	@.ci/make-venv $(VENV) requirements.txt
	@touch $@

$(DEV): requirements.txt requirements-dev.txt .ci/requirements-dev.lock
	@.ci/make-venv $(VENV) requirements-dev.txt
	@touch $@ $(RUN)
