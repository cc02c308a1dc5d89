"""Folder of the deploy kit, and a reader for its YAML files."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers.server_process import ROOT

KIT = ROOT / "site" / "server" / "deploy"
# Debian's own Python has python3-yaml; the site itself needs no YAML, and so has no pin of it.
DEBIAN_PYTHON = shutil.which("python3", path="/usr/bin")
PROGRAM = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"


def read_yaml(file: Path) -> Any:
    """Return the contents of a YAML file. Skips the test without Debian's python3-yaml."""
    command = [str(DEBIAN_PYTHON), "-c", PROGRAM]
    text = file.read_text(encoding="utf-8")
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode and "No module named 'yaml'" in done.stderr:
        pytest.skip("needs python3-yaml (apt install python3-yaml)", allow_module_level=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
