"""Run the JavaScript unit tests with Node's test runner."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")
ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(NODE is None, reason="needs Node (apt install nodejs)")
def test_the_scripts_of_the_pages_pass_their_own_tests():
    files = sorted(str(path) for path in (ROOT / "tests" / "js").glob("*/*.test.js"))
    assert files
    command = [NODE, "--test", "--test-reporter=spec", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"^\D*pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed
    assert int(passed[1]) > 0
