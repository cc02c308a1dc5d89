"""Fixtures for a small site's static files, with and without esbuild."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import get_finder

from assets.esbuild import find_esbuild

SOURCES = {
    "js/theme.js": "(() => { document.title = 'theme'; })();",
    "js/page.js": "import './shared.js'; import('./part.js').then(({ word }) => alert(word));",
    "js/shared.js": "export const shared = [];",
    "js/part.js": "import { shared } from './shared.js'; export const word = `one${shared}`;",
    "css/tokens.css": ":root { --ink: #000; }",
    "css/pages/plain.css": '@import "../tokens.css";\nbody { color: var(--ink); }',
    "img/favicon.svg": "<svg/>",
    "js/README.md": "not for browsers",
    "js/node_modules/other/index.js": "throw 'not ours';",
}
TEMPLATE = """{% load modules static %}
<link rel="icon" href="{% static 'img/favicon.svg' %}">
<link rel="stylesheet" href="{% block sheet %}{% static 'css/pages/plain.css' %}{% endblock %}">
<script src="{% static 'js/theme.js' %}"></script>{% module 'js/page.js' %}
<script src="{% static 'admin/js/core.js' %}"></script>"""


def put(folder: Path, name: str, text: str) -> None:
    """Write a file, and make the folders above it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def esbuild() -> str:
    """The path of esbuild."""
    found = find_esbuild()
    if found is None:
        pytest.skip("needs esbuild (apt install esbuild)")
    return found


@pytest.fixture
def without_esbuild(monkeypatch, tmp_path) -> None:
    """Hides esbuild on the PATH and in npm's folders."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("assets.esbuild.NPM_FOLDERS", ())


@pytest.fixture(params=["bundled", "one by one"])
def shape(request: pytest.FixtureRequest) -> str:
    """The two ways to serve scripts and style sheets: bundled, and one by one."""
    request.getfixturevalue("esbuild" if request.param == "bundled" else "without_esbuild")
    return request.param


@pytest.fixture
def folder(settings, tmp_path) -> Iterator[Path]:
    """The folder of the small site's sources."""
    templates = [{**settings.TEMPLATES[0], "DIRS": [tmp_path / "templates"]}]
    settings.TEMPLATES = templates
    settings.STATICFILES_DIRS = [tmp_path / "static"]
    settings.STATICFILES_FINDERS = [
        "django.contrib.staticfiles.finders.FileSystemFinder",
        "assets.script_texts.ScriptTextsFinder",
    ]
    settings.STATIC_ROOT = tmp_path / "collected"
    put(tmp_path, "templates/base.html", TEMPLATE)
    for name, text in SOURCES.items():
        put(tmp_path / "static", name, text)
    get_finder.cache_clear()
    yield tmp_path / "static"
    get_finder.cache_clear()


@pytest.fixture
def plain_storage(settings) -> None:
    """Pages name the sources, as with DEBUG."""
    backend = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": backend}}
