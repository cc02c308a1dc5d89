"""Ask a vulnerability service about every pinned release: `python .ci/audit.py [--osv-url URL]`.

A service that knows nothing, or a mirror without vulnerability data, looks like a clean result. So
each service is first asked about a release that is known to be vulnerable; one that finds nothing
there counts as unreachable. Ends with 1 if a pinned release is vulnerable, or if a service that can
be asked does not answer about every release; else with 0, and the last line says whether the
releases are clean or whether no service could be asked.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from requirements import parse

FOLDER = Path(__file__).parents[1]
FILES = ("requirements.txt", "requirements-push.txt", "requirements-test.txt")
VULNERABLE = ("django", "3.2")  # CVE-2021-31542 and many later ones
TIMEOUT_S = 180  # for one call of pip-audit, which asks about one release after the other
# Vulnerabilities that do not concern this site: id → (reason, day from which it counts again)
ACCEPTED: dict[str, tuple[str, date]] = {}
Release = tuple[str, str]  # name, version


class NoAnswer(Exception):
    """A service failed, or says nothing about some release."""


class Finding(NamedTuple):
    """A vulnerability of a pinned release."""

    release: Release
    ids: frozenset[str]  # its id and its aliases
    fixed_in: list[str]

    def __str__(self) -> str:
        fixed = f"fixed in {', '.join(self.fixed_in)}" if self.fixed_in else "not fixed yet"
        return f"{' '.join(self.release)}: {', '.join(sorted(self.ids))} ({fixed})"

    def is_accepted(self, today: date) -> bool:
        """Whether it is in ACCEPTED with a reason, and the day of that entry has not come."""
        entries = [ACCEPTED[id] for id in self.ids if id in ACCEPTED]
        return any(reason and today < until for reason, until in entries)


class Answer(NamedTuple):
    """What a service says of some releases."""

    found: list[Finding]
    unanswered: list[str]  # the releases of which it says nothing


def releases(folder: Path) -> list[Release]:
    """Return all pinned releases, whatever Python or platform they are for."""
    pins = [pin for file in FILES for pin in parse((folder / file).read_text("utf-8"))[0]]
    return sorted({(pin.name, pin.version) for pin in pins})


def batches(wanted: Sequence[Release]) -> list[list[Release]]:
    """Return the releases in lists that name no package twice, as pip-audit demands."""
    made: list[dict[str, Release]] = []
    for release in wanted:
        free = next((batch for batch in made if release[0] not in batch), None)
        if free is None:
            made.append(free := {})
        free[release[0]] = release
    return [list(batch.values()) for batch in made]


def ask(service: Sequence[str], wanted: Sequence[Release]) -> Answer:
    """Return what a service knows of some releases. Raises NoAnswer if it fails or takes longer
    than TIMEOUT_S."""
    found: list[Finding] = []
    answered: set[Release] = set()
    for each in chain.from_iterable(_pip_audit(service, batch) for batch in batches(wanted)):
        if "vulns" in each:  # else a reason why it was skipped, without the version
            release = each["name"], each["version"]
            answered.add(release)
            for vuln in each["vulns"]:
                ids = frozenset([vuln["id"], *vuln["aliases"]])
                found.append(Finding(release, ids, vuln["fix_versions"]))
    return Answer(found, [" ".join(release) for release in wanted if release not in answered])


def _pip_audit(service: Sequence[str], batch: Sequence[Release]) -> list[Any]:
    options = ["--disable-pip", "--no-deps", "--progress-spinner=off", "--format=json", *service]
    with TemporaryDirectory() as folder:
        file = Path(folder, "releases.txt")
        file.write_text("".join(f"{name}=={version}\n" for name, version in batch), "utf-8")
        command = [sys.executable, "-m", "pip_audit", *options, "--requirement", str(file)]
        try:
            done = subprocess.run(
                command, capture_output=True, encoding="utf-8", errors="replace", timeout=TIMEOUT_S
            )
        except subprocess.TimeoutExpired:
            raise NoAnswer(f"nothing within {TIMEOUT_S} seconds") from None
    try:
        report: list[Any] = json.loads(done.stdout)["dependencies"]
    except ValueError:
        lines = done.stderr.strip().splitlines() or [f"pip-audit ended with {done.returncode}"]
        raise NoAnswer(lines[-1]) from None
    return report


def need_knowledge(service: Sequence[str]) -> None:
    """Raises NoAnswer unless a service knows that VULNERABLE is vulnerable."""
    if not ask(service, [VULNERABLE]).found:
        raise NoAnswer(f"it finds nothing in {' '.join(VULNERABLE)}, known to be vulnerable")


def audit(service: Sequence[str], wanted: Sequence[Release]) -> bool:
    """Print what a service knows of some releases; return whether none is vulnerable. Raises
    NoAnswer if it leaves some of them out, unless another one is vulnerable."""
    answer, today = ask(service, wanted), date.today()
    accepted = [finding for finding in answer.found if finding.is_accepted(today)]
    for finding in answer.found:
        print("audit:", "accepted" if finding in accepted else "VULNERABLE", finding)
    if len(accepted) < len(answer.found):
        print("audit: `make requirements UPGRADE=1` takes newer releases.")
        return False
    if answer.unanswered:
        raise NoAnswer(f"it leaves out {', '.join(answer.unanswered)}")
    print(f"audit: clean, {len(wanted)} releases; {len(accepted)} accepted.")
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit with the first service that answers about every release; return the exit status."""
    parser = argparse.ArgumentParser(description="Ask whether pinned releases are vulnerable.")
    parser.add_argument("--osv-url", help="ask this OSV service, and no other")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the pinned files are")
    given = parser.parse_args(arguments)
    services = [["--vulnerability-service=pypi"], ["--vulnerability-service=osv"]]
    if given.osv_url:
        services = [["--vulnerability-service=osv", f"--osv-url={given.osv_url}"]]
    wanted, is_reachable = releases(given.folder), False
    for service in services:
        try:
            need_knowledge(service)
            is_reachable = True
            return 0 if audit(service, wanted) else 1
        except NoAnswer as error:
            print(f"audit: {service[0]} gives no answer: {error}")
    if is_reachable:
        print("audit: INCOMPLETE. A service answers, but not about every release.")
        return 1
    print("audit: UNREACHABLE. Nothing is known about these releases; this is not a clean result.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
