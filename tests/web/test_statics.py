"""Collected files: what a page of the last release asks for is there, and what is new is found."""

import os
import time
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import RequestFactory

from config import statics
from config.private_files import check_static_folder
from config.storage import LinkedStorage, StaticFiles

SCRIPTS = {
    "js/theme.js": "(() => { document.title = 'theme'; })();",
    "js/everywhere.js": "export const shared = [];",
    "css/tokens.css": ":root { --ink: #000; }",
    "css/pages/plain.css": '@import "../tokens.css";\nbody { color: var(--ink); }',
}


@pytest.fixture
def folder(settings, tmp_path, monkeypatch) -> Path:
    """A small site's static files, in a folder of their own."""
    monkeypatch.setattr("config.collected.PAGES", (("js/page.js",),))
    settings.STATICFILES_DIRS = [tmp_path / "static"]
    settings.STATICFILES_FINDERS = ["config.collected.LinkedFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"
    for name, text in SCRIPTS.items():
        put(tmp_path / "static", name, text)
    put(tmp_path / "static", "js/page.js", "import('./part.js').then(({ said }) => alert(said));")
    put(tmp_path / "static", "js/part.js", "export const said = 'one';")
    return tmp_path / "static"


def put(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def address(settings, name: str) -> str:
    return f"/static/{LinkedStorage(location=settings.STATIC_ROOT).stored_name(name)}"


def answer(files: StaticFiles, path: str):
    return files(RequestFactory().get(path, headers={"accept-encoding": "br"}))


def collect() -> bool:
    from django.contrib.staticfiles.finders import get_finder

    get_finder.cache_clear()
    return statics.collect()


def test_files_are_linked_and_collected_once(folder, settings) -> None:
    assert collect()
    assert not collect()
    root = settings.STATIC_ROOT
    text = (root / address(settings, "css/pages/plain.css").removeprefix("/static/")).read_text()
    assert text == ":root{--ink:#000}body{color:var(--ink)}"
    page = (root / address(settings, "js/page.js").removeprefix("/static/")).read_text()
    assert Path(address(settings, "js/page-part.js")).name in page
    assert not (root / "js" / "part.js").exists()


def test_a_page_of_the_last_release_still_finds_its_parts(folder, settings) -> None:
    collect()
    running = StaticFiles(lambda request: None)
    old = address(settings, "js/page-part.js")
    put(folder, "js/part.js", "export const said = 'two';")
    collect()
    new = address(settings, "js/page-part.js")
    assert new != old
    restarted = StaticFiles(lambda request: None)
    for files in (
        running,
        restarted,
    ):  # the one of before finds what is new, and the other way round
        for path in (old, new):
            found = answer(files, path)
            assert found.status_code == 200
            assert "immutable" in found["Cache-Control"]


def test_what_no_page_can_have_open_any_more_goes(folder, settings, monkeypatch) -> None:
    collect()
    old = settings.STATIC_ROOT / address(settings, "js/page-part.js").removeprefix("/static/")
    put(folder, "js/part.js", "export const said = 'two';")
    collect()
    assert old.exists()
    long_ago = time.time() - statics.KEPT - 60
    for file in settings.STATIC_ROOT.rglob("*.js"):
        os.utime(file, (long_ago, long_ago))
    now = settings.STATIC_ROOT / address(settings, "js/page-part.js").removeprefix("/static/")
    put(folder, "js/page.js", "import('./part.js').then(({ said }) => alert(said + said));")
    collect()
    assert now.exists()  # in use until a moment ago, however old the file is
    assert not old.exists()


def test_a_name_that_is_no_file_is_not_found(folder, settings) -> None:
    collect()
    files = StaticFiles(lambda request: "none")
    for path in ("/static/js/none.0123456789ab.js", "/static/../secret.0123456789ab.js"):
        assert answer(files, path) == "none"


@pytest.mark.parametrize("name", ["stamp", "staticfiles.json"])
def test_files_about_the_collection_are_not_in_the_served_folder(folder, settings, name) -> None:
    collect()
    assert not list(settings.STATIC_ROOT.rglob(name))
    assert answer(StaticFiles(lambda request: "none"), f"/static/{name}") == "none"


def test_files_of_an_earlier_version_leave_the_served_folder(folder, settings) -> None:
    collect()
    root = settings.STATIC_ROOT
    old = address(settings, "js/page-part.js")
    (root.parent / "collected.stamp").rename(root / "stamp")
    (root.parent / "collected.manifest.json").rename(root / "staticfiles.json")
    long_ago = time.time() - statics.KEPT - 60
    for file in root.rglob("*.js"):
        os.utime(file, (long_ago, long_ago))
    put(folder, "js/part.js", "export const said = 'two';")
    assert collect()
    assert not (root / "stamp").exists() and not (root / "staticfiles.json").exists()
    assert (root / old.removeprefix("/static/")).exists()  # pages of that version still ask for it
    assert address(settings, "js/page-part.js") != old
    assert not collect()


def test_djangos_own_command_writes_no_manifest_there_either(folder, settings) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "config.storage.LinkedStorage"},
    }
    from django.contrib.staticfiles.finders import get_finder

    get_finder.cache_clear()
    call_command("collectstatic", interactive=False, verbosity=0)
    assert (settings.STATIC_ROOT.parent / "collected.manifest.json").exists()
    assert not list(settings.STATIC_ROOT.rglob("*.json"))
    running = StaticFiles(lambda request: "none")
    assert answer(running, address(settings, "js/page-part.js")).status_code == 200


def test_of_a_sites_own_pages_the_folder_is_known_again(folder, settings) -> None:
    collect()
    check_static_folder(settings.STATIC_ROOT, ())
    (settings.STATIC_ROOT.parent / "collected.stamp").unlink()
    check_static_folder(settings.STATIC_ROOT, ())
    (settings.STATIC_ROOT.parent / "collected.manifest.json").unlink()
    with pytest.raises(ImproperlyConfigured, match="holds other things"):
        check_static_folder(settings.STATIC_ROOT, ())
