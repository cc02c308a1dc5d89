"""A page names all modules that its script needs, so that they are fetched together."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from config.templatetags.modules import imports_of, module

SCRIPTS = Path(settings.BASE_DIR) / "static"
ENTRIES = (
    "js/board-game.js",
    "js/troops-game.js",
    "js/lobby.js",
    "js/home.js",
    "js/learn/learn.js",
)


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_import_of_every_module_is_named(entry: str) -> None:
    named = {entry, *imports_of(entry)}
    for each in named:
        text = (SCRIPTS / each).read_text(encoding="utf-8")
        for other in re.findall(r'from "(\.[^"]+)"', text):
            reached = ((SCRIPTS / each).parent / other).resolve().relative_to(SCRIPTS.resolve())
            assert reached.as_posix() in named, (each, other)


def test_a_script_comes_after_its_preloads() -> None:
    links, script = module("js/home.js").rsplit("\n", 1)
    assert links.count('rel="modulepreload"') == len(imports_of("js/home.js")) > 3
    assert re.fullmatch(r'<script type="module" src="[^"]*home[^"]*\.js"></script>', script)


def test_a_module_that_is_missing_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        imports_of("js/nowhere.js")
