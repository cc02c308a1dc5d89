# make test     rules and services, without processes, browsers and slow tests
# make check    lint, format, types, layers, migrations, Django's own checks, tests of files and texts
# make all      what .ci/run does where all programs are installed already; needs no root either
# make nightly  everything, on SQLite and again on PostgreSQL and Redis
PYTHON = .venv/bin/python
PYTEST = $(PYTHON) -m pytest -n auto --dist loadfile
PATHS_OF = $(PYTHON) -m tests.support.run.gates
ON_SERVERS = DATABASE_URL=$${QUIVER_TEST_POSTGRES:?where PostgreSQL is} \
	REDIS_URL=$${QUIVER_TEST_REDIS:?where Redis is}

.PHONY: test check dual gate all nightly
test:
	$(PYTEST) -q -o norecursedirs="nightly checks processes slow __pycache__" \
		-m "not processes and not slow and not nightly" $$($(PATHS_OF) quick)

check: export PYTHONPATH = site:.
check:
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	(unset PYTHONPATH; .venv/bin/mypy games $$(dirname site/*/__init__.py) tests/support)
	$(PYTHON) .ci/rem.py --check
	.venv/bin/lint-imports
	$(PYTHON) manage.py makemigrations --check --dry-run
	$(PYTHON) manage.py check
	$(PYTHON) -m pytest -q $$($(PATHS_OF) checks)
	cd static/js && npm install --silent && npm run check

dual:
	$(ON_SERVERS) $(PYTEST) -m dual $$($(PATHS_OF) dual)

gate:
	$(PYTEST)

all: gate dual check
	$(PYTHON) -m pip check
	$(PYTHON) .ci/engines.py
	$(PYTHON) .ci/audit.py

ALL_FOLDERS = -o norecursedirs="checks js node_modules __pycache__"
nightly: export QUIVER_TESTS_NIGHTLY = 1
nightly: check
	$(PYTEST) $(ALL_FOLDERS)
	$(ON_SERVERS) $(PYTEST) $(ALL_FOLDERS)

# `make requirements` pins what pyproject.toml asks for, with the hashes of all files of a release, for
# every Python and platform. Pins that still fit stay; `make requirements UPGRADE=1` takes the newest.
COMPILE = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --custom-compile-command 'make requirements' --group build --extra server \
	$(if $(UPGRADE),--upgrade)

.PHONY: requirements
requirements:
	$(COMPILE) --output-file requirements.txt pyproject.toml
	$(COMPILE) --extra push --constraint requirements.txt --output-file requirements-push.txt \
		pyproject.toml
	$(COMPILE) --extra test --constraint requirements.txt --output-file requirements-test.txt \
		pyproject.toml
	.venv/bin/python .ci/requirements.py
