"""Audit of pinned releases by pip-audit, against a local vulnerability service."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.checks.project_files import CI, ci_script

audit = ci_script("audit")
TODAY = date.today()
TOMORROW = TODAY + timedelta(days=1)
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


@pytest.fixture
def audited(folder, service, capsys) -> Callable[[], tuple[int, str]]:
    """Run the audit; return its exit status and what it prints. pip-audit is a process each time,
    one for each question to the service."""

    def run() -> tuple[int, str]:
        status = audit.main(["--folder", str(folder), "--osv-url", service.url])
        return status, capsys.readouterr().out

    return run


def test_a_service_that_knows_the_old_release_makes_a_clean_result(service, folder) -> None:
    command = [sys.executable, str(CI / "audit.py"), "--folder", str(folder)]
    done = subprocess.run([*command, "--osv-url", service.url], capture_output=True, text=True)
    said = (done.returncode, done.stdout, done.stderr)
    assert said == (0, "audit: clean, 5 releases; 0 accepted.\n", "")
    assert service.asked[0] == KNOWN
    assert ("numpy", "2.4.6") in service.asked and ("numpy", "2.5.5") in service.asked
    assert ("colorama", "0.4.6") in service.asked  # on any platform


def test_vulnerable_releases_fail(service, audited) -> None:
    releases = [("numpy", "2.5.5"), ("colorama", "0.4.6"), ("pytest", "9.2.0")]
    service.vulnerable.update(dict.fromkeys(releases, "CVE-2026-1"))
    status, said = audited()
    assert status == 1
    for name, version in releases:
        assert f"VULNERABLE {name} {version}: CVE-2026-1, PYSEC-1" in said
    assert "clean" not in said


def test_a_service_that_finds_nothing_in_the_old_release_is_unreachable(service, audited) -> None:
    service.vulnerable.clear()
    status, said = audited()
    assert status == 0
    assert "finds nothing in django 3.2, known to be vulnerable" in said
    assert "UNREACHABLE" in said and "audit: clean" not in said
    assert service.asked == [KNOWN]


def test_no_service_is_unreachable(service, audited) -> None:
    service.shutdown()
    service.server_close()
    status, said = audited()
    assert status == 0
    assert "UNREACHABLE" in said and "audit: clean" not in said


def test_a_service_that_fails_midway_is_no_clean_result(service, audited) -> None:
    service.failing.add(("colorama", "0.4.6"))
    status, said = audited()
    assert status == 1
    assert "INCOMPLETE" in said and "audit: clean" not in said


def test_an_accepted_vulnerability_does_not_fail(service, monkeypatch, capsys) -> None:
    monkeypatch.setitem(audit.ACCEPTED, "CVE-2026-1", ("nobody calls it here", TOMORROW))
    service.vulnerable["django", "5.2.19"] = "CVE-2026-1"
    osv = ["--vulnerability-service=osv", f"--osv-url={service.url}"]
    assert audit.audit(osv, [("django", "5.2.19")])
    said = capsys.readouterr().out
    assert "accepted django 5.2.19" in said
    assert "clean, 1 releases; 1 accepted" in said


@pytest.mark.parametrize(
    ("reason", "until", "is_accepted"),
    [("nobody calls it here", TOMORROW, True), ("nobody calls it here", TODAY, False),
     ("", TOMORROW, False)],
)  # fmt: skip
def test_an_accepted_vulnerability_has_a_reason_and_counts_again_from_its_day(
    monkeypatch, reason, until, is_accepted
) -> None:
    monkeypatch.setitem(audit.ACCEPTED, "CVE-2026-1", (reason, until))
    finding = audit.Finding(("django", "5.2.19"), frozenset({"PYSEC-1", "CVE-2026-1"}), [])
    assert finding.is_accepted(TODAY) == is_accepted
