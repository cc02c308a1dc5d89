"""The web process's link to `web_parent`: inherited descriptors, and reports."""

import json
import os
import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

GO_TIMEOUT_S: Final = 5.0
END_TIMEOUT_S: Final = 15.0  # for an orderly end after the parent's, then the process ends at once


class ParentLink:
    """The pipes between the web process and its parent, and the listening socket between them.

    `descriptors` is the value of `--web-process`: the listening socket (-1: none could be opened)
    and the pipe of the reports. Standard input is the parent's pipe: it closes when that ends.
    """

    def __init__(self, descriptors: str) -> None:
        listening, self._status = map(int, descriptors.split(","))
        self.listening: int | None = listening if listening >= 0 else None
        for fd in (listening, self._status):
            if fd >= 0:
                os.set_inheritable(fd, False)
        self._may_go = threading.Event()
        threading.Thread(target=self._watch, name="quiver-parent", daemon=True).start()

    def report_prepared(self, workers: Sequence[Sequence[str]]) -> None:
        """Report that a restart need not prepare anything, and which commands run beside it."""
        self._report({"workers": workers})

    def report_final(self) -> None:
        """Report that this process ends for a reason that a restart does not remove."""
        self._report({"is_final": True})

    def begin(self) -> None:
        """Report that connections can be accepted, and wait until the socket surely listens."""
        self._report({"is_serving": True})
        self._may_go.wait(GO_TIMEOUT_S)

    def _report(self, message: object) -> None:
        with suppress(BrokenPipeError):  # the parent has ended, which `_watch` sees
            os.write(self._status, json.dumps(message).encode() + b"\n")

    def _watch(self) -> None:
        """Read from the parent until it ends; then end in order, as at SIGTERM."""
        while os.read(0, 4096):  # "go": all that it ever says
            self._may_go.set()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(END_TIMEOUT_S)
        os._exit(1)
