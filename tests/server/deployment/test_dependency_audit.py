"""Audit of pinned releases by pip-audit, against a local vulnerability service."""

import importlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / ".ci" / "audit.py"
KNOWN = ("django", "3.2")  # the release that the audit asks about first
PINS = """\
django==5.2.19 --hash=sha256:{hash}
numpy==2.4.6 ; python_full_version < '3.12' --hash=sha256:{hash}
numpy==2.5.5 ; python_full_version >= '3.12' --hash=sha256:{hash}
colorama==0.4.6 ; sys_platform == 'win32' --hash=sha256:{hash}
""".format(hash="a" * 64)


class Service(ThreadingHTTPServer):
    """Speaks OSV's protocol; knows some vulnerabilities, and fails for some releases."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.vulnerable = {KNOWN: "CVE-2021-31542"}
        self.failing: set[tuple[str, str]] = set()
        self.asked: list[tuple[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1/query"


class Handler(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name, version = query["package"]["name"], query["version"]
        self.server.asked.append((name, version))
        id = self.server.vulnerable.get((name, version))
        affected = [{"package": {"name": name, "ecosystem": "PyPI"}}]
        entry = {"id": "PYSEC-1", "aliases": [id], "affected": affected, "summary": "bad"}
        body = json.dumps({"vulns": [entry]} if id else {}).encode()
        self.send_response(500 if (name, version) in self.server.failing else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def folder(tmp_path) -> Path:
    for name in ("requirements.txt", "requirements-push.txt"):
        (tmp_path / name).write_text(PINS)
    (tmp_path / "requirements-test.txt").write_text(f"pytest==9.2.0 --hash=sha256:{'b' * 64}\n")
    return tmp_path


def audited(folder: Path, url: str) -> tuple[int, str]:
    """Runs the audit as CI does; returns its exit status and what it prints."""
    command = [sys.executable, str(SCRIPT), "--folder", str(folder), "--osv-url", url]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_a_service_that_knows_the_old_release_makes_a_clean_result(service, folder) -> None:
    assert audited(folder, service.url) == (0, "audit: clean, 5 releases; 0 accepted.\n")
    assert service.asked[0] == KNOWN
    assert ("numpy", "2.4.6") in service.asked and ("numpy", "2.5.5") in service.asked
    assert ("colorama", "0.4.6") in service.asked  # on any platform


@pytest.mark.parametrize(
    "release", [("numpy", "2.5.5"), ("colorama", "0.4.6"), ("pytest", "9.2.0")]
)
def test_a_vulnerable_release_fails(service, folder, release) -> None:
    service.vulnerable[release] = "CVE-2026-1"
    status, said = audited(folder, service.url)
    assert status == 1
    assert f"VULNERABLE {' '.join(release)}: CVE-2026-1, PYSEC-1" in said
    assert "clean" not in said


def test_a_service_that_finds_nothing_in_the_old_release_is_unreachable(service, folder) -> None:
    service.vulnerable.clear()
    status, said = audited(folder, service.url)
    assert status == 0
    assert "finds nothing in django 3.2, known to be vulnerable" in said
    assert "UNREACHABLE" in said and "audit: clean" not in said
    assert service.asked == [KNOWN]


def test_no_service_is_unreachable(service, folder) -> None:
    service.shutdown()
    service.server_close()
    status, said = audited(folder, service.url)
    assert status == 0
    assert "UNREACHABLE" in said and "audit: clean" not in said


def test_a_service_that_fails_midway_is_no_clean_result(service, folder) -> None:
    service.failing.add(("colorama", "0.4.6"))
    status, said = audited(folder, service.url)
    assert status == 1
    assert "INCOMPLETE" in said and "audit: clean" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reason", "days", "status"),
    [("nobody calls it here", 1, 0), ("nobody calls it here", 0, 1), ("", 1, 1)],
)
def test_an_accepted_vulnerability_has_a_reason_and_counts_again_from_its_day(
    service, folder, monkeypatch, capsys, reason, days, status
) -> None:
    monkeypatch.syspath_prepend(SCRIPT.parent)
    audit = importlib.import_module("audit")
    until = date.today() + timedelta(days=days)
    monkeypatch.setitem(audit.ACCEPTED, "CVE-2026-1", (reason, until))
    service.vulnerable["django", "5.2.19"] = "CVE-2026-1"
    assert audit.main(["--folder", str(folder), "--osv-url", service.url]) == status
    said = capsys.readouterr().out
    assert ("clean" in said, "VULNERABLE" in said) == (status == 0, status == 1)
