"""Check that the pinned files fit pyproject.toml: `python .ci/requirements.py [FOLDER]`.

It needs no network. It names a dependency of pyproject.toml that was changed and not pinned anew,
before a test fails for a missing module. Ends with 1 and one line for each problem.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

COMMAND = "make requirements"
EXTRAS = {
    "requirements.txt": ["server"],
    "requirements-push.txt": ["server", "push"],
    "requirements-test.txt": ["server", "push", "bench", "test"],
}
HASH = re.compile(r" --hash=sha256:([0-9a-f]{64})(?= |$)")
PYTHONS = [f"3.{minor}" for minor in range(11, 15)]
SYSTEMS = [
    ("linux", "Linux", "x86_64"),
    ("linux", "Linux", "aarch64"),
    ("darwin", "Darwin", "arm64"),
    ("win32", "Windows", "AMD64"),
]


class Pin(NamedTuple):
    """One release of a package, and the environments that it is for."""

    requirement: Requirement
    hashes: list[str]  # SHA-256, one for each file of the release

    @property
    def name(self) -> str:
        """The package's name as package indexes spell it."""
        return canonicalize_name(self.requirement.name)

    @property
    def version(self) -> str:
        """The one version that it allows."""
        return str(self.requirement.specifier).removeprefix("==")

    def applies(self, environment: dict[str, str]) -> bool:
        """Whether it is installed there."""
        marker = self.requirement.marker
        return marker is None or marker.evaluate(environment)


def parse(text: str) -> tuple[list[Pin], list[str]]:
    """Return the pins of a file, and a sentence for each line that is no pin with hashes."""
    pins: list[Pin] = []
    problems: list[str] = []
    for line in re.sub(r"\\\n\s*", "", text).splitlines():
        if "/" in line or "@" in line:
            problems.append(f"an address or a path: {line[:80]}")
        elif line.startswith("-"):
            problems.append(f"an option: {line[:80]}")
        elif line.strip() and not line.startswith("#"):
            try:
                requirement = Requirement(HASH.sub("", line))
            except InvalidRequirement:
                problems.append(f"no requirement: {line[:80]}")
                continue
            pin = Pin(requirement, HASH.findall(line))
            if not re.fullmatch(r"==[^*,]+", str(requirement.specifier)):
                problems.append(f"{requirement.name} is not pinned to one version")
            elif not pin.hashes or len(set(pin.hashes)) < len(pin.hashes):
                problems.append(f"{requirement.name} has no hashes, or one of them twice")
            pins.append(pin)
    return pins, problems


def environments() -> Iterator[dict[str, str]]:
    """Yield the marker values of every supported Python on every supported platform."""
    for python, (platform, system, machine) in product(PYTHONS, SYSTEMS):
        yield {
            "python_version": python,
            "python_full_version": f"{python}.9",
            "sys_platform": platform,
            "platform_system": system,
            "platform_machine": machine,
            "os_name": "nt" if platform == "win32" else "posix",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
        }


def wanted(project: dict[str, Any], extras: list[str]) -> list[Requirement]:
    """Return what pyproject.toml asks for with some extras, and for building itself."""
    optional = project["project"]["optional-dependencies"]
    lines = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    lines += [line for extra in extras for line in optional[extra]]
    own = project["project"]["name"]
    return [each for line in lines if (each := Requirement(line)).name != own]


def check_pins(asked: list[Requirement], pins: list[Pin]) -> set[str]:
    """Return a sentence for each requirement that no pin, or more than one, satisfies."""
    problems = set()
    for environment in environments():
        here: dict[str, list[str]] = {}
        for pin in pins:
            if pin.applies(environment):
                here.setdefault(pin.name, []).append(pin.version)
        problems |= {f"{name} is pinned twice" for name, found in here.items() if len(found) > 1}
        for each in asked:
            if each.marker is not None and not each.marker.evaluate(environment):
                continue
            found = here.get(canonicalize_name(each.name), [])
            if not found:
                problems.add(f"{each.name} is not pinned")
            elif not each.specifier.contains(found[0], prereleases=True):
                problems.add(f"{each.name} is pinned to {found[0]}, not {each.specifier}")
    return problems


def check(folder: Path) -> list[str]:
    """Return all problems of the pinned files in a folder, each with its file's name."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    problems: list[str] = []
    versions: dict[str, dict[str, set[str]]] = {}
    for file, extras in EXTRAS.items():
        pins, found = parse((folder / file).read_text(encoding="utf-8"))
        found += sorted(check_pins(wanted(project, extras), pins))
        problems += [f"{file}: {problem}" for problem in found]
        versions[file] = {}
        for pin in pins:
            versions[file].setdefault(pin.name, set()).add(pin.version)
    test = versions.pop("requirements-test.txt")
    problems += [
        f"{name}: {sorted(there)} in {file}, but {sorted(test.get(name, []))} for the tests"
        for file, pinned in versions.items()
        for name, there in pinned.items()
        if there != test.get(name)
    ]
    return problems


def main() -> int:
    """Print the problems; return the exit status."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    problems = check(folder)
    print(*problems, sep="\n", end="\n" if problems else "")
    if problems:
        print(f"The pinned files do not fit pyproject.toml. Run `{COMMAND}` and commit them.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
