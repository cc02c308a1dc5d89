"""Import Daphne without parts that `serve` never uses: Twisted's TLS, Autobahn's native code.

That is 0.09 s of CPU time of every start. A proxy ends TLS. Both are optional for the two packages:
Twisted goes without where pyOpenSSL is missing, and Autobahn has a switch. `daphne` itself, which
may be told to listen with TLS, imports everything.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NO_NATIVE_CODE = {"AUTOBAHN_USE_NVX": "0"}
UNUSED = "OpenSSL"


def import_daphne() -> None:
    """Import `daphne.server`, which installs its reactor."""
    for name, value in NO_NATIVE_CODE.items():
        os.environ.setdefault(name, value)
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
