"""Compiled code from other sources is never run."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
ASK = """
import numba
from games.players import compiled
print(numba.config.CACHE_DIR, compiled.digest(), *compiled.outdated_folders())
"""


def asked(base: Path) -> list[str]:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(base)}
    said = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    return said.stdout.split()


def test_the_folder_of_compiled_code_bears_the_name_of_all_sources(tmp_path):
    folder, name = asked(tmp_path)
    assert Path(folder) == tmp_path / f"compiled-{name}"


def test_folders_of_other_sources_are_outdated_and_nothing_else_is(tmp_path):
    for name in ("compiled-0123456789abcdef", "somebody's"):
        (tmp_path / name).mkdir()
    assert asked(tmp_path)[2:] == [str(tmp_path / "compiled-0123456789abcdef")]


def test_another_source_gives_another_name(tmp_path, monkeypatch):
    from games.players import compiled

    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "search.py").write_text("DEPTH = 1\n")
    monkeypatch.setattr(compiled, "HERE", tmp_path)
    before = compiled.digest()
    (tmp_path / "engine" / "search.py").write_text("DEPTH = 2\n")
    assert compiled.digest() != before
