"""Invalid settings are refused with a sentence that says how to fix them."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from tests.support.run.gates import nightly
from tests.support.servers.own_servers import OwnDatabase, missing
from tests.support.servers.server_process import ROOT, embedded, free_port

SECRET = "x" * 50
on_servers = pytest.mark.skipif(bool(missing()), reason=missing() or "both are there")


def run(command: list[str], tmp_path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs something in the environment of a site on its own folder, plus some variables."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={
            **embedded(),
            "QUIVER_DATA": str(tmp_path),
            "QUIVER_BOTS": "0",
            "QUIVER_NOTICES": "0",
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=60,
    )


SERVE = ["manage.py", "serve", "--port", "8139"]
RUNWEB = ["manage.py", "runweb", "--port", "8139"]
UVICORN = ["-m", "uvicorn", "--port", "8139", "config.asgi:application"]
PATHS = os.pathsep.join([str(ROOT / "site"), str(ROOT)])
WRONG = [
    ({"QUIVER_HOSTS": "*"}, "QUIVER_HOSTS has *"),
    ({"DATABASE_URL": "postgres://127.0.0.1/x", "QUIVER_SECRET": ""}, "QUIVER_SECRET is not"),
    ({"QUIVER_SECRET": "…"}, "QUIVER_SECRET is too short"),
    ({"QUIVER_SECRET": "x" * 31}, "QUIVER_SECRET is too short"),
    ({"QUIVER_SECRET_FALLBACKS": f"{'x' * 32},y"}, "QUIVER_SECRET_FALLBACKS has a secret with"),
    ({"DATABASE_URL": "mysql://127.0.0.1/x"}, "DATABASE_URL is like postgres://"),
    ({"REDIS_URL": "redis://127.0.0.1"}, "cannot share an SQLite file"),
    ({"REDIS_URL": "127.0.0.1:6379"}, "REDIS_URL is like redis://"),
    ({"QUIVER_ORIGINS": "play.example.org"}, "an origin is like https://"),
    ({"QUIVER_ORIGIN": "https://play.example.org"}, "Add play.example.org to QUIVER_HOSTS"),
    ({"QUIVER_HOSTS": "play.example.org:80", "QUIVER_MAIL_URL": "off"}, "a host is like"),
    ({"QUIVER_STATIC": str(ROOT)}, "which the site keeps"),
    ({"QUIVER_STATIC": str(ROOT / "templates")}, "other things than collected"),
    ({"QUIVER_ORIGIN": "http://localhost/play"}, "QUIVER_ORIGIN has"),
    ({"QUIVER_ORIGIN": "https://localhost"}, "QUIVER_TLS is 0"),
    ({"QUIVER_HOSTS": ".example.org", "QUIVER_MAIL_URL": "off"}, "need QUIVER_ORIGIN"),
    ({"QUIVER_PORT": "http"}, "QUIVER_PORT is a whole number"),
    ({"QUIVER_PROXIES": "-1"}, "QUIVER_PROXIES is a whole number"),
    ({"QUIVER_METRICS": "many"}, "QUIVER_METRICS is a whole number"),
    ({"QUIVER_TLS": "yes"}, "QUIVER_TLS is 1 or 0"),
    ({"QUIVER_LOG": "xml"}, "QUIVER_LOG is"),
    ({"QUIVER_DATA": "/dev/null/x"}, "QUIVER_DATA cannot be a folder"),
    ({"DATABASE_URL": "postgres://user:half#word@127.0.0.1/x"}, "other signs are %-encoded"),
    ({"DATABASE_URL": "postgres://127.0.0.1"}, "names no database"),
    ({"QUIVER_MAIL_URL": "mail.example.org"}, "QUIVER_MAIL_URL is like"),
    ({"QUIVER_TLS": "1"}, "would be written to the log"),
    ({"QUIVER_HOSTS": "play.example.org"}, "would be written to the log"),
    ({"QUIVER_TLS": "1", "QUIVER_MAIL_URL": "console"}, "would be written to the log"),
    ({"QUIVER_HOSTS": "play.example.org", "QUIVER_MAIL_URL": "console"}, "QUIVER_MAIL_URL=smtps"),
    ({"QUIVER_DEBUG": "1", "QUIVER_TLS": "1", "QUIVER_MAIL_URL": "off"}, "show settings and code"),
    ({"QUIVER_DEBUG": "1", "QUIVER_HOSTS": "play.example.org", "QUIVER_MAIL_URL": "off"},
     "Set QUIVER_DEBUG=0"),
    ({"QUIVER_DEBUG": "1", "QUIVER_HOSTS": "*"}, "Set QUIVER_DEBUG=0"),
]  # fmt: skip


# All servers read the same settings: under the others, one that is refused while they are read, and
# those of two checks afterwards.
OTHERS = [
    case
    for case in WRONG
    if case[0] in ({"QUIVER_PORT": "http"}, {"QUIVER_TLS": "1"})
    or case[1] == "show settings and code"
]
CASES = [
    *((SERVE, *case) for case in WRONG[::4]),
    *nightly(*((SERVE, *case) for n, case in enumerate(WRONG) if n % 4)),
    *nightly(*((RUNWEB, *case) for case in OTHERS), *((UVICORN, *case) for case in OTHERS)),
]


@pytest.mark.parametrize(("command", "environment", "sentence"), CASES)
def test_wrong_settings_are_refused_in_words(tmp_path, command, environment, sentence) -> None:
    done = run(command, tmp_path, PYTHONPATH=PATHS, **environment)
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert sentence in said and "Traceback" not in said


def test_a_database_that_is_not_there_is_said_in_a_sentence(tmp_path) -> None:
    url = f"postgres://postgres@127.0.0.1:{free_port()}/quiver"
    done = run(SERVE, tmp_path, DATABASE_URL=url, QUIVER_SECRET=SECRET)
    assert done.returncode == 1
    assert "cannot be reached" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("port", ["0", "-1", "65536"])
def test_a_port_that_is_none_is_refused(tmp_path, port) -> None:
    done = run(["manage.py", "serve", f"--port={port}"], tmp_path)
    assert done.returncode == 1
    assert "from 1 to 65535" in done.stderr and "Traceback" not in done.stderr


def test_the_settings_of_a_site_on_one_file_fit(tmp_path) -> None:
    assert run(["manage.py", "check"], tmp_path).returncode == 0


def test_the_settings_of_a_site_behind_a_proxy_pass_the_check_for_deployment(tmp_path) -> None:
    done = run(
        ["manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        tmp_path,
        DATABASE_URL="postgres://quiver@127.0.0.1/quiver",
        REDIS_URL="redis://127.0.0.1/0",
        QUIVER_SECRET="".join(map(chr, range(40, 110))),
        QUIVER_HOSTS="play.example.org",
        QUIVER_TLS="1",
        QUIVER_MAIL_URL="smtps://user:password@mail.example.org",
        QUIVER_OPERATOR_NAME="Ada Byron",
        QUIVER_OPERATOR_ADDRESS="1 Example Street; 12345 Exampletown",
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("about", [{}, {"QUIVER_OPERATOR_NAME": "Ada Byron"},
                                   {"QUIVER_OPERATOR_EMAIL": "ada@example.org"}])  # fmt: skip
def test_the_check_for_deployment_warns_of_a_site_without_an_operator(tmp_path, about) -> None:
    done = run(["manage.py", "check", "--deploy"], tmp_path, **about)
    assert "quiver.W001" in done.stderr
    assert done.returncode == 0
    assert "quiver.W001" not in run(["manage.py", "check"], tmp_path).stderr


@pytest.mark.parametrize("told", ["", "console"])
def test_the_check_for_deployment_finds_mail_that_goes_to_the_log(tmp_path, told) -> None:
    about = {"QUIVER_HOSTS": "play.example.org", "QUIVER_TLS": "1", "QUIVER_MAIL_URL": told}
    done = run(["manage.py", "check", "--deploy"], tmp_path, **about)
    assert done.returncode != 0
    assert "quiver.E004" in done.stderr


def test_debug_pages_are_for_this_machine_where_mail_may_be_printed(tmp_path) -> None:
    about = {"QUIVER_DEBUG": "1", "QUIVER_MAIL_URL": "console"}
    assert run(["manage.py", "check"], tmp_path, **about).returncode == 0


@pytest.mark.nightly
@pytest.mark.servers
@on_servers
def test_a_second_server_without_redis_is_refused(tmp_path) -> None:
    database, port = OwnDatabase(), free_port()
    environment = {"DATABASE_URL": database.url, "QUIVER_SECRET": SECRET}
    first = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port)],
        cwd=ROOT,
        env={
            **embedded(),
            "QUIVER_DATA": str(tmp_path),
            "QUIVER_BOTS": "0",
            "QUIVER_NOTICES": "0",
            **environment,
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        while "ready" not in (line := first.stdout.readline()):
            assert line, "the first server did not start"
        second = run(["manage.py", "serve", "--port", str(free_port())], tmp_path, **environment)
    finally:
        first.terminate()
        first.wait(20)
        first.stdout.close()
        database.drop()
    assert second.returncode == 1 and "have the same REDIS_URL" in second.stderr


VERIFY = ["manage.py", "verify", "--all"]


@pytest.mark.parametrize(
    "command", [SERVE, ["manage.py", "migrate"], VERIFY], ids=["serve", "migrate", "verify"]
)
def test_a_data_folder_of_a_version_before_the_first_release_is_refused(tmp_path, command):
    with closing(sqlite3.connect(tmp_path / "quiver.sqlite3")) as database, database:
        database.execute("CREATE TABLE play_turn (id integer PRIMARY KEY)")
    said = run(command, tmp_path, PYTHONPATH=PATHS)
    assert said.returncode != 0
    assert "Set QUIVER_DATA to an empty folder" in said.stderr
    assert "Traceback" not in said.stderr


def test_a_command_on_the_tables_of_another_release_says_so(tmp_path):
    said = run(VERIFY, tmp_path, PYTHONPATH=PATHS)
    assert said.returncode == 2
    assert said.stderr.startswith(
        "The tables of the database are of another release (no such table"
    )
    assert said.stderr.count("\n") == 1
