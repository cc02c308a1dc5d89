"""Rules for the site's sources: limits, links and environment variables."""

import re
from pathlib import Path

from accounts.limits import rate_limits
from config.env import markdown_table, variables
from tests.checks.project_files import ROOT, files_below, text_of
from tests.support.run.gates import paths_of

SITE = ROOT / "site"
RUNNING = SITE / "docs" / "running.md"  # has the table of variables
FROM_REQUESTS = re.compile(r"build_absolute_uri|get_current_site|request\.(scheme|get_host)")
READERS = (  # of Python's os.environ
    *("config/settings.py", "config/asgi.py", "runbots.py"),
    "code_compiler.py",  # for a child
)


def naming(pattern: str, *folders: str) -> set[str]:
    """Return the Python files and templates of some folders that a pattern finds something in."""
    suffixes = (".py", ".html", ".svg", ".txt", ".webmanifest")
    return {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in files_below(ROOT / folder, *suffixes)
        if re.search(pattern, text_of(path))
    }


def test_no_two_limits_share_their_counts() -> None:
    """A second limit of the same name or variable replaces the first unnoticed."""
    source = text_of(Path(rate_limits.__file__))
    limits = re.findall(r'^([A-Z]+) = Limit\("([a-z]+)"', source, re.MULTILINE)
    assert len(limits) > 10
    for names in zip(*limits, strict=True):
        assert len(set(names)) == len(limits)


def test_no_link_is_built_from_a_request() -> None:
    found = naming(FROM_REQUESTS, "site", "templates")
    # The policy names the sockets of the host that was asked; the others only compare that host.
    assert found == {
        f"site/server/requests/{name}.py"
        for name in ("security_headers", "hosts", "redirects", "refused_requests")
    }


def test_the_page_has_the_table_of_variables_that_the_command_prints() -> None:
    assert f"\n{markdown_table()}\n" in text_of(RUNNING), (
        f"copy what `manage.py env` prints to {RUNNING.name}"
    )


def test_each_variable_has_a_sentence() -> None:
    for each in variables():
        assert each.type_words and each.description.endswith("."), each.name


def test_nothing_else_of_the_site_reads_the_environment() -> None:
    readers = naming(r"\bos\.(environ|getenv)\b", "site")
    assert readers and all(reader.endswith(READERS) for reader in readers), readers


def test_each_path_of_a_gate_exists() -> None:
    """A moved file would leave its gate unnoticed."""
    assert not [
        path for gate in ("quick", "dual", "checks") for path in paths_of(gate) if not path.exists()
    ]
