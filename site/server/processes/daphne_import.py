"""Import Daphne without Twisted's TLS, which `serve` never uses: a proxy ends TLS.

That is part of every start. Twisted goes without where pyOpenSSL is missing. `daphne` itself, which
may be told to listen with TLS, imports it.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

UNUSED = "OpenSSL"


def import_daphne() -> None:
    """Import `daphne.server`, which installs its reactor."""
    with _without(UNUSED):
        import daphne.server  # noqa: F401


@contextmanager
def _without(package: str) -> Iterator[None]:
    """Let imports of a package that is not loaded yet fail as if it were not installed."""
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[package]
