"""Only the site's own user can read what it keeps; everybody can read its static files.

A local user who reads the SQLite file has sealed actions, session keys and password hashes.
"""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from real_server import ROOT, Server, Visitor, embedded
from test_any_server import COMMANDS, Other

from config.private_files import make_private, make_private_folder

pytestmark = [
    pytest.mark.embedded("on one SQLite file"),
    pytest.mark.timeout(300),
    pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files"),
]
KEPT = ("quiver.sqlite3", "quiver.sqlite3-wal", "quiver.sqlite3-shm", "secret")


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    """Of most systems: others may read what is made."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    """The rights of a file or a folder."""
    return stat.S_IMODE(path.stat().st_mode)


def readable(folder: Path) -> list[str]:
    """What lies in a data folder, static files aside, and is open to others than its owner."""
    paths = [path for path in folder.rglob("*") if path.relative_to(folder).parts[0] != "static"]
    return [str(path) for path in [folder, *paths] if mode(path) & 0o077]


def unreadable(folder: Path) -> list[str]:
    """What a proxy with a user of its own could not read below a folder of static files."""
    paths = [path for path in folder.rglob("*") if path.name != "stamp"]
    assert len(paths) > 100
    return [str(p) for p in [folder, *paths] if mode(p) != (0o755 if p.is_dir() else 0o644)]


def run(data: Path, *command: str, **environment: str) -> None:
    """Runs one of Django's commands."""
    env = {**embedded(), "QUIVER_DATA": str(data), "PYTHONPATH": "site:.", **environment}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["serve", *COMMANDS])
async def test_what_a_running_site_keeps_is_for_its_own_user(name, tmp_path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    server = Server(data) if name == "serve" else Other(data)
    server.words = tmp_path / "server.txt"
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
        assert {*KEPT} <= {path.name for path in data.iterdir()}
        assert readable(data) == []
        assert unreadable(data / "static") == []
    finally:
        server.kill()


def test_what_lay_open_is_closed_at_the_next_start(tmp_path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    for name in KEPT:
        (data / name).write_text("x" * 50 if name == "secret" else "")
    assert len(readable(data)) == 5
    run(data, "manage.py", "help", "serve")  # opens no database: SQLite would remove some of them
    assert [name for name in KEPT if mode(data / name) != 0o600] == []
    assert mode(data) == 0o700


@pytest.mark.parametrize(
    "command",
    [("manage.py", "migrate"), ("-m", "django", "migrate", "--settings", "config.settings")],
)
def test_a_database_that_a_command_makes_is_for_its_own_user(tmp_path, command) -> None:
    run(tmp_path / "data", *command, "-v", "0")
    assert mode(tmp_path / "data") == 0o700
    assert mode(tmp_path / "data" / "quiver.sqlite3") == 0o600
    assert mode(tmp_path / "data" / "secret") == 0o600


def test_a_copy_that_a_command_makes_is_for_its_own_user(tmp_path) -> None:
    run(tmp_path / "data", "manage.py", "migrate", "-v", "0")
    copy = tmp_path / "copy.json"
    run(tmp_path / "data", "manage.py", "dumpdata", "accounts", "-o", str(copy), "-v", "0")
    assert mode(copy) == 0o600


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_static_files_may_lie_where_a_proxy_can_read_them(tmp_path, umask) -> None:
    os.umask(umask)
    place = tmp_path / "shared" / "static"
    run(tmp_path / "data", "manage.py", "collectstatic", "-v", "0", QUIVER_STATIC=str(place))
    assert unreadable(place) == []
    assert not (tmp_path / "data" / "static").exists()


def test_a_folder_that_all_users_share_is_refused(tmp_path) -> None:
    tmp_path.chmod(0o1777)
    with pytest.raises(ImproperlyConfigured, match="QUIVER_DATA"):
        make_private_folder(tmp_path)
    assert mode(tmp_path) == 0o1777


def test_a_folder_of_somebody_else_that_is_open_is_refused(tmp_path, monkeypatch) -> None:
    tmp_path.chmod(0o755)

    def refuse(*about: object, **more: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "chmod", refuse)
    with pytest.raises(ImproperlyConfigured, match="another user"):
        make_private_folder(tmp_path)


def test_a_private_file_keeps_what_is_in_it(tmp_path) -> None:
    file = tmp_path / "kept"
    file.write_text("word")
    make_private(file)
    make_private(file)
    assert (file.read_text(), mode(file)) == ("word", 0o600)
