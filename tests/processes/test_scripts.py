"""Run the JavaScript unit tests with Node's test runner."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")
ROOT = Path(__file__).parents[2]
# A Node for each file costs 0.15 s of CPU. Files that replace a global of the page need one; all
# others are imported by one process. `npm test` gives each file a process.
SETS_GLOBAL = re.compile(r"^\s*globalThis\.\w+ = |defineProperty\(globalThis", re.MULTILINE)
IMPORT_ALL = "for (const file of process.argv.slice(1)) await import(file);"


def run_node(*arguments: str) -> int:
    """Run tests under Node; return how many have passed, after checking that none failed."""
    command = [NODE, "--test-reporter=spec", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return int(re.search(r"^\D*pass (\d+)$", done.stdout, re.MULTILINE)[1])


@pytest.mark.skipif(NODE is None, reason="needs Node (apt install nodejs)")
def test_the_scripts_of_the_pages_pass_their_own_tests():
    files = sorted((ROOT / "tests" / "js").glob("*/*.test.js"))
    alone = [str(file) for file in files if SETS_GLOBAL.search(file.read_text(encoding="utf-8"))]
    together = [str(file) for file in files if str(file) not in alone]
    assert run_node("--test", *alone) >= len(alone)
    assert run_node("--input-type=module", "-e", IMPORT_ALL, "--", *together) >= len(together)
