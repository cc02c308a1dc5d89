"""Folder and guide of the deploy kit, and a reader for its YAML files."""

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands

from config.env import variables
from tests.checks.project_files import ROOT, text_of

KIT = ROOT / "site" / "server" / "deploy"
GUIDE = ROOT / "site" / "docs" / "operating.md"
# Debian's own Python has python3-yaml; the site itself needs no YAML, and so has no pin of it.
DEBIAN_PYTHON = shutil.which("python3", path="/usr/bin")
KNOWN_VARIABLES = {each.name for each in variables()}
KNOWN_COMMANDS = get_commands()
PROGRAM = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"


@cache
def read_yaml(file: Path) -> Any:
    """Return the contents of a YAML file. Skips the test without Debian's python3-yaml."""
    command = [str(DEBIAN_PYTHON), "-c", PROGRAM]
    done = subprocess.run(command, input=text_of(file), capture_output=True, text=True, check=False)
    if done.returncode and "No module named 'yaml'" in done.stderr:
        pytest.skip("needs python3-yaml (apt install python3-yaml)", allow_module_level=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
