"""The committed engines: built from the present sources, small, and with pinned tools.

Also the scores of the novice and the anchors of ratings, which are measured once and kept."""

from __future__ import annotations

import json
import re

import pytest

from games.lab.novices import SCORES_FILE
from games.rating.anchors import anchors_of
from games.wasm import artefacts
from games.wasm.artefacts import ENGINES, MODULES, changed_sources
from games.wasm.build import TOOLS
from ratings.rules.scale import BOARD_GAMES
from tests.checks.project_files import ROOT, text_of

MOST_BYTES = {"amazons": (40_000, 10_000), "pincer": (25_000, 7_000)}  # plain, brotli
BUILD = "run `python -m games wasm` (games/wasm/README.md)"


def test_the_modules_are_those_of_the_present_sources() -> None:
    assert changed_sources() == [], BUILD


def test_a_changed_source_is_named(monkeypatch) -> None:
    path = "games/players/amazons/tree.py"
    known = artefacts.digest_file
    monkeypatch.setattr(
        artefacts, "digest_file", lambda file: "changed" if file == path else known(file)
    )
    assert changed_sources() == [path]


@pytest.mark.parametrize("name", ENGINES)
def test_a_module_is_small(name) -> None:
    import brotli

    code = (MODULES / f"{name}.wasm").read_bytes()
    plain, compressed = MOST_BYTES[name]
    assert len(code) <= plain
    assert len(brotli.compress(code)) <= compressed


def test_the_tools_of_the_record_are_those_that_are_pinned() -> None:
    text = text_of(ROOT / "requirements-test.txt")
    pins = re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", text, re.MULTILINE)
    for entry in artefacts.read_record().values():
        tools = {tool: pin for tool, pin in entry["tools"].items() if tool != "python"}
        assert {*tools} == {*TOOLS}
        for tool, version in tools.items():
            assert (tool, version) in pins, BUILD


@pytest.mark.parametrize("key", ["amazons", "amazons-10x10", "amazons-8x8", "pincer"])
def test_the_kept_scores_of_the_novice_fall_from_level_to_level(key: str) -> None:
    kept = json.loads(text_of(ROOT / "games" / "lab" / SCORES_FILE))[key]
    shares = [(row["won"] + row["drawn"] / 2) / row["games"] for row in kept]
    assert [row["level"] for row in kept] == [1, 2, 3]
    assert shares[0] > shares[1] > shares[2]
    assert all(row["games"] == row["won"] + row["drawn"] + row["lost"] for row in kept)


def test_each_board_game_has_anchors_and_the_command_that_found_them() -> None:
    folder = ROOT / "games" / "rating" / "anchor_files"
    assert sorted(path.stem for path in folder.iterdir()) == sorted(BOARD_GAMES)
    for rules in BOARD_GAMES:
        found = anchors_of(rules)
        assert found.ratings[2] == 1_500_000
        assert f"games ladder {rules} " in found.command
