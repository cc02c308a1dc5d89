"""Data files are readable by the site's user only, static files by everybody.

A local user who reads the SQLite file has sealed actions and password hashes.
"""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from assets.static_root import check_static_folder, make_world_readable, stamp_path
from config.private_files import make_private, make_private_folder
from tests.support.servers.server_process import (
    COMMANDS,
    ROOT,
    OtherServer,
    Server,
    Visitor,
    embedded,
)

pytestmark = [
    pytest.mark.embedded("on one SQLite file"),
    pytest.mark.timeout(300),
    pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files"),
]
PRIVATE_FILES = ("quiver.sqlite3", "quiver.sqlite3-wal", "quiver.sqlite3-shm", "secret")


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    """Sets the umask of most systems: others may read new files."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    """The permission bits of a file or a folder."""
    return stat.S_IMODE(path.stat().st_mode)


def exposed_paths(folder: Path) -> list[str]:
    """The paths of a data folder, static files aside, that other users may read or enter."""
    static = folder / "static"
    paths = [path for path in folder.rglob("*") if static not in (path, *path.parents)]
    return [str(path) for path in [folder, *paths] if mode(path) & 0o077]


def wrong_mode_paths(folder: Path) -> list[str]:
    """The paths of a folder of static files that are not readable by all and writable by one."""
    paths = [*folder.rglob("*")]
    assert len(paths) > 100
    return [str(p) for p in [folder, *paths] if mode(p) != (0o755 if p.is_dir() else 0o644)]


def run(data: Path, *command: str, **environment: str) -> None:
    """Runs one of Django's commands."""
    env = {**embedded(), "QUIVER_DATA": str(data), "PYTHONPATH": "site:.", **environment}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.processes
@pytest.mark.nightly
@pytest.mark.parametrize("name", ["serve", "uvicorn"])
async def test_files_of_a_running_site_are_readable_by_their_owner_only(name, tmp_path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    kind = Server if name == "serve" else OtherServer
    server = kind(data, is_prepared=False)
    server.log_path = tmp_path / "server.txt"
    if name != "serve":
        pytest.importorskip(name.split(",")[0])
        server.command = COMMANDS[name]
    await server.start()
    try:
        visitor = Visitor(server)
        await visitor.post(
            "/lobbies/", game="pincer", side="white", visibility="public", clock="none"
        )
        await visitor.client.aclose()
        assert {*PRIVATE_FILES} <= {path.name for path in data.iterdir()}
        assert exposed_paths(data) == []
        assert wrong_mode_paths(data / "static") == []
        assert exposed_paths(data / "static") != []  # the check can find such paths
    finally:
        server.kill()


@pytest.mark.processes
def test_existing_files_become_private_when_the_settings_load(tmp_path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    for name in PRIVATE_FILES:
        (data / name).write_text("x" * 50 if name == "secret" else "")
    assert len(exposed_paths(data)) == 5
    run(data, "manage.py", "help", "serve")  # opens no database: SQLite would remove some of them
    assert [name for name in PRIVATE_FILES if mode(data / name) != 0o600] == []
    assert mode(data) == 0o700


@pytest.mark.processes
def test_a_database_that_a_command_makes_is_for_its_own_user(tmp_path) -> None:
    run(tmp_path / "data", "manage.py", "migrate", "-v", "0")
    assert mode(tmp_path / "data") == 0o700
    assert mode(tmp_path / "data" / "quiver.sqlite3") == 0o600
    assert mode(tmp_path / "data" / "secret") == 0o600


@pytest.mark.processes
@pytest.mark.nightly
def test_a_copy_that_a_command_makes_is_for_its_own_user(tmp_path) -> None:
    run(tmp_path / "data", "manage.py", "migrate", "-v", "0")
    copy = tmp_path / "copy.json"
    run(tmp_path / "data", "manage.py", "dumpdata", "accounts", "-o", str(copy), "-v", "0")
    assert mode(copy) == 0o600


@pytest.mark.processes
@pytest.mark.nightly
@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_static_files_may_lie_where_a_proxy_can_read_them(tmp_path, umask) -> None:
    os.umask(umask)
    place = tmp_path / "shared" / "static"
    command = ("-m", "django", "collectstatic", "-v", "0", "--settings", "config.settings")
    run(tmp_path / "data", *command, QUIVER_STATIC=str(place))
    assert mode(place.parent) == 0o755
    assert wrong_mode_paths(place) == []
    assert not (tmp_path / "data" / "static").exists()


@pytest.mark.processes
@pytest.mark.nightly
async def test_serve_makes_the_folder_of_static_files_for_everybody(tmp_path) -> None:
    place = tmp_path / "shared" / "static"
    server = Server(tmp_path / "data", environment={"QUIVER_STATIC": str(place)}, is_prepared=False)
    server.log_path = tmp_path / "server.txt"
    await server.start()
    server.kill()
    assert wrong_mode_paths(place) == []
    assert mode(place.parent) == 0o755


def test_a_folder_that_all_users_share_is_refused(tmp_path) -> None:
    tmp_path.chmod(0o1777)
    with pytest.raises(ImproperlyConfigured, match="share") as refused:
        make_private_folder(tmp_path)
    assert "chmod" not in str(refused.value)  # to close /tmp is no advice
    assert mode(tmp_path) == 0o1777


def test_a_folder_with_other_things_in_it_is_not_closed(tmp_path) -> None:
    (tmp_path / "www").mkdir()
    tmp_path.chmod(0o755)
    with pytest.raises(ImproperlyConfigured, match="holds other things"):
        make_private_folder(tmp_path)
    assert mode(tmp_path) == 0o755
    tmp_path.chmod(0o700)  # the owner has decided
    make_private_folder(tmp_path)


@pytest.mark.processes
def test_an_empty_variable_means_the_default_folder(tmp_path) -> None:
    tmp_path.chmod(0o755)
    code = "from django.conf import settings; print(settings.DATA_DIR.name)"
    env = {**embedded(), "QUIVER_DATA": "", "PYTHONPATH": f"{ROOT / 'site'}:{ROOT}",
           "DJANGO_SETTINGS_MODULE": "config.settings"}  # fmt: skip
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert (done.stdout.strip(), mode(tmp_path)) == (".data", 0o755)


@pytest.mark.parametrize("make", [make_private_folder, make_private])
def test_an_accessible_path_of_another_user_is_refused(tmp_path, monkeypatch, make) -> None:
    tmp_path.chmod(0o755)

    def refuse(*about: object, **more: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "chmod", refuse)
    with pytest.raises(ImproperlyConfigured, match="another user"):
        make(tmp_path)


@pytest.mark.parametrize(("before", "after"), [(0o755, 0o700), (0o2770, 0o2700), (0o644, 0o600)])
def test_only_the_permissions_of_others_are_removed(tmp_path, before, after) -> None:
    path = tmp_path / "kept"
    path.mkdir()
    path.chmod(before)
    make_private(path)
    assert mode(path) == after


def test_missing_files_are_not_created(tmp_path) -> None:
    make_private(tmp_path / "nothing")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("static", [".", "data", "data/..", "link"])
def test_static_files_do_not_lie_among_what_is_private(tmp_path, static) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "link").symlink_to(data)
    with pytest.raises(ImproperlyConfigured, match="private"):
        check_static_folder(tmp_path / static, (data,))


def test_static_files_lie_in_a_folder_of_their_own(tmp_path) -> None:
    place = tmp_path / "place"
    check_static_folder(place, ())  # is not there yet
    place.mkdir()
    check_static_folder(place, ())
    (place / "other.html").touch()
    with pytest.raises(ImproperlyConfigured, match="other things"):
        check_static_folder(place, ())
    stamp_path(place).touch()
    check_static_folder(place, ())


def test_a_link_among_static_files_changes_nothing_elsewhere(tmp_path) -> None:
    kept, place = tmp_path / "kept", tmp_path / "place"
    kept.touch(mode=0o600)
    place.mkdir()
    (place / "link").symlink_to(kept)
    make_world_readable(place)
    assert mode(kept) == 0o600
