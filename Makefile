# make test   tests that start no process and no browser, and take little CPU time
# make check  lint, format, types, layers, migrations, Django's own checks
# make all    what .ci/run does where all programs are installed already; needs no root either
PYTHON = .venv/bin/python
PYTEST = $(PYTHON) -m pytest -n auto --dist loadfile
QUICK = not processes and not browser and not faults and not slow

.PHONY: test check all
test:
	$(PYTEST) -q -m "$(QUICK)"

check: export PYTHONPATH = site:.
check:
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	(unset PYTHONPATH; .venv/bin/mypy games $$(dirname site/*/__init__.py))
	$(PYTHON) .ci/rem.py --check
	.venv/bin/lint-imports
	$(PYTHON) manage.py makemigrations --check --dry-run
	$(PYTHON) manage.py check
	cd static/js && npm install --silent && npm run check

# The second run is on PostgreSQL and Redis; the rules, the engines, the settings and the deploy kit
# know neither.
all: check
	$(PYTEST)
	DATABASE_URL=$${QUIVER_TEST_POSTGRES:?where PostgreSQL is} \
	REDIS_URL=$${QUIVER_TEST_REDIS:?where Redis is} $(PYTEST) tests/accounts tests/bots tests/chat tests/explorer tests/fair_play tests/ladder tests/lobby tests/matchmaking tests/notices tests/pages tests/play tests/puzzles tests/ratings tests/server tests/studies tests/study tests/test_flush_rows.py \
		--ignore tests/server/deploy --ignore tests/server/deployment --ignore tests/server/settings
	$(PYTHON) -m pip check
	$(PYTHON) .ci/engines.py
	$(PYTHON) .ci/audit.py

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
