"""Import large, rarely needed packages after start-up, once the site answers.

Without this the first request that needs one would wait for it, and the first pairing of searchers
would hold the event loop.
"""

import asyncio
import threading
from importlib import import_module
from typing import Final

DELAY_S: Final = 5.0  # after the start, when pages that come back have been served
MODULES: Final = (
    "matchmaking.graph_matching",  # networkx
    "qrcode.image.svg",  # Pillow
    "fontTools.ttLib",
    "cryptography.fernet",
    "accounts.two_factor.views",  # with fido2
)


class WarmUp:
    """Imports `MODULES` in a thread, some seconds after it was made in the event loop."""

    def __init__(self) -> None:
        thread = threading.Thread(target=import_all, name="quiver-warm-up", daemon=True)
        asyncio.get_running_loop().call_later(DELAY_S, thread.start)


def import_all() -> None:
    """Import `MODULES`; raises the first import error, as the request would."""
    for name in MODULES:
        import_module(name)
