"""Collection of static files with and without esbuild, and serving during a release."""

import os
import re
import time
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.test import RequestFactory

from assets import collect as collecting
from assets import script_texts
from assets.collect import collect
from assets.manifest_storage import AssetStorage
from assets.static_middleware import StaticFilesMiddleware
from assets.static_root import check_static_folder

PART = re.compile(r'import\("\./(part[.\w]*\.js)"\)')


def put(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)


def path_of(settings, name: str) -> Path:
    """The collected file that a page asks for."""
    return settings.STATIC_ROOT / AssetStorage(location=settings.STATIC_ROOT).stored_name(name)


def part_of(settings) -> Path:
    """The file of the part that the page's script imports later."""
    page = path_of(settings, "js/page.js")
    return page.parent / PART.search(page.read_text().replace("'", '"'))[1]


def address(settings, path: Path) -> str:
    return f"/static/{path.relative_to(settings.STATIC_ROOT)}"


def answer(files: StaticFilesMiddleware, path: str):
    return files(RequestFactory().get(path, headers={"accept-encoding": "br"}))


def test_files_are_bundled_and_collected_once(folder, settings, esbuild) -> None:
    assert collect()
    assert not collect()
    sheet = path_of(settings, "css/pages/plain.css")
    assert re.sub(r"\s", "", sheet.read_text()) == ":root{--ink:#000}body{color:var(--ink)}"
    assert part_of(settings).exists()
    found = {path.name.split(".")[0] for path in (settings.STATIC_ROOT / "js").rglob("*.js")}
    assert "shared" not in found  # it is in the bundle
    assert path_of(settings, "img/favicon.svg").read_text() == "<svg/>"


def test_without_esbuild_the_sources_are_collected(folder, settings, without_esbuild) -> None:
    assert collect()
    assert not collect()
    page = path_of(settings, "js/page.js")
    root = page.parents[1]
    assert root.name.startswith("sources-") and root.parent == settings.STATIC_ROOT
    for name in ("js/page.js", "js/shared.js", "js/part.js", "js/theme.js", "css/pages/plain.css"):
        assert (root / name).read_text() == (folder / name).read_text()
        assert path_of(settings, name) == root / name
    assert (root / "css" / "tokens.css").exists()  # imported by its relative address


def test_files_are_collected_anew_when_esbuild_comes(
    folder, settings, monkeypatch, esbuild
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(folder))
        patch.setattr("assets.esbuild.NPM_FOLDERS", ())
        collect()
    assert collect()
    assert "sources-" not in str(path_of(settings, "js/page.js"))
    assert not collect()


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: put(folder, "js/shared.js", "export const shared = ['x'];"),
        lambda folder: put(folder.parent, "templates/base.html", "{% module 'js/part.js' %}"),
    ],
)
def test_a_change_of_a_source_or_of_the_entry_points_is_noticed(
    folder, settings, shape, change
) -> None:
    collect()
    change(folder)
    assert collect()


def test_names_depend_on_contents_alone(folder, settings, shape, tmp_path) -> None:
    collect()
    first = AssetStorage(location=settings.STATIC_ROOT).hashed_files
    settings.STATIC_ROOT = tmp_path / "elsewhere" / "static"
    collect()
    assert AssetStorage(location=settings.STATIC_ROOT).hashed_files == first


def test_files_that_browsers_do_not_need_are_not_collected(folder, settings, shape) -> None:
    collect()
    call_command("collectstatic", interactive=False, verbosity=0)
    names = [path.name for path in settings.STATIC_ROOT.rglob("*")]
    assert [name for name in names if name.startswith("theme.")]
    assert not [name for name in names if name.startswith(("node_modules", "README"))]


def test_a_source_that_esbuild_refuses_is_named(folder, settings, esbuild) -> None:
    put(folder, "js/part.js", "export const = 1;")
    with pytest.raises(CommandError, match=r"js/part\.js:1:13"):
        collect()
    put(folder, "js/part.js", "export const word = 1;")
    put(folder, "css/pages/plain.css", '@import "nowhere.css";')
    with pytest.raises(CommandError, match=r"nowhere\.css"):
        collect()


def test_a_page_of_the_last_release_still_finds_its_parts(folder, settings, shape) -> None:
    collect()
    running = StaticFilesMiddleware(lambda request: None)
    old = address(settings, part_of(settings))
    put(folder, "js/part.js", "export const word = 'two';")
    collect()
    new = address(settings, part_of(settings))
    assert new != old
    restarted = StaticFilesMiddleware(lambda request: None)
    # The one of before finds what is new, and the other way round.
    for files in (running, restarted):
        for path in (old, new):
            found = answer(files, path)
            assert found.status_code == 200
            assert "immutable" in found["Cache-Control"]


def test_collected_files_that_no_open_page_can_need_are_deleted(folder, settings, shape) -> None:
    collect()
    old = part_of(settings)
    put(folder, "js/part.js", "export const word = 'two';")
    collect()
    assert old.exists()
    long_ago = time.time() - collecting.UNUSED_FILE_LIFE_S - 60
    for path in settings.STATIC_ROOT.rglob("*"):
        os.utime(path, (long_ago, long_ago))
    now = part_of(settings)
    put(folder, "js/part.js", "export const word = 'three';")
    collect()
    assert now.exists()  # in use until a moment ago, however old the file is
    assert not old.exists()
    assert part_of(settings).exists()


def test_a_name_that_is_no_file_is_not_found(folder, settings, shape) -> None:
    collect()
    put(settings.STATIC_ROOT.parent, "secret.ABCDEFGH.js", "secret")
    files = StaticFilesMiddleware(lambda request: "none")
    for path in (
        "/static/js/none.0123456789ab.js",
        "/static/js/none.ABCDEFGH.js",
        "/static/sources-0123456789ab/js/none.js",
        "/static/../secret.ABCDEFGH.js",
        "/static/sources-0123456789ab/../../secret.ABCDEFGH.js",
    ):
        assert answer(files, path) == "none"


def test_a_file_under_its_own_name_is_looked_for_at_start_up_alone(folder, settings, shape) -> None:
    collect()
    running = StaticFilesMiddleware(lambda request: "none")
    put(settings.STATIC_ROOT, "new.js", "1;")
    assert answer(running, "/static/new.js") == "none"
    found = answer(StaticFilesMiddleware(lambda request: "none"), "/static/new.js")
    assert "immutable" not in found["Cache-Control"]


def test_files_about_the_collection_are_not_in_the_served_folder(folder, settings, shape) -> None:
    collect()
    assert {path.name for path in settings.STATIC_ROOT.parent.glob("collected.*")} == {
        "collected.stamp",
        "collected.manifest.json",
    }
    assert not list(settings.STATIC_ROOT.rglob("*.json"))
    assert not list(settings.STATIC_ROOT.rglob("*stamp*"))


def test_djangos_own_command_bundles_too(folder, settings, esbuild) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "assets.manifest_storage.AssetStorage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    assert (settings.STATIC_ROOT.parent / "collected.manifest.json").exists()
    assert not list(settings.STATIC_ROOT.rglob("*.json"))
    running = StaticFilesMiddleware(lambda request: "none")
    assert answer(running, address(settings, part_of(settings))).status_code == 200
    assert not (settings.STATIC_ROOT / "js" / "shared.js").exists()


def test_the_folder_of_a_collection_is_known_again(folder, settings, shape) -> None:
    collect()
    check_static_folder(settings.STATIC_ROOT, ())
    (settings.STATIC_ROOT.parent / "collected.stamp").unlink()
    check_static_folder(settings.STATIC_ROOT, ())
    (settings.STATIC_ROOT.parent / "collected.manifest.json").unlink()
    with pytest.raises(ImproperlyConfigured, match="holds other things"):
        check_static_folder(settings.STATIC_ROOT, ())


def test_the_texts_of_the_scripts_are_a_file_that_browsers_keep(folder, settings, shape) -> None:
    collect()
    hashed = AssetStorage().stored_name("texts/tr.js")
    assert re.fullmatch(r"texts/tr\.[0-9a-f]{12}\.js", hashed)
    path = Path(settings.STATIC_ROOT) / hashed
    assert '"Now shoot": "Şimdi ok at"' in path.read_text(encoding="utf-8")
    assert path.with_name(f"{path.name}.gz").exists()
    served = answer(StaticFilesMiddleware(lambda request: None), f"/static/{hashed}")
    assert "immutable" in served["Cache-Control"]


def test_with_debug_the_texts_of_the_scripts_are_served_too(folder, settings) -> None:
    settings.DEBUG = True
    served = answer(StaticFilesMiddleware(lambda request: None), "/static/texts/tr.js")
    assert "Şimdi ok at" in b"".join(served.streaming_content).decode()


def test_a_new_translation_is_collected(folder, settings, shape, monkeypatch) -> None:
    collect()
    assert not collect()
    monkeypatch.setattr(script_texts, "catalogue", lambda language: {"Draw": "Berabere"})
    assert collect()
    path = Path(settings.STATIC_ROOT) / AssetStorage().stored_name("texts/tr.js")
    assert path.read_text(encoding="utf-8") == 'globalThis.quiverTexts={"Draw": "Berabere"};\n'
