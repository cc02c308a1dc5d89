# `make requirements` pins what pyproject.toml asks for, with the hashes of all files of a release, for
# every Python and platform. Pins that still fit stay; `make requirements UPGRADE=1` takes the newest.
COMPILE = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --custom-compile-command 'make requirements' --group build --extra server \
	$(if $(UPGRADE),--upgrade)

.PHONY: requirements
requirements:
	$(COMPILE) --output-file requirements.txt pyproject.toml
	$(COMPILE) --extra test --constraint requirements.txt --output-file requirements-test.txt \
		pyproject.toml
	.venv/bin/python .ci/requirements.py
