"""`serve` imports Daphne without TLS; a later import finds it."""

import os
import subprocess
import sys

from tests.support.servers.server_process import ROOT

ASK = """
import sys
from server.processes.daphne_import import import_daphne
import_daphne()
from twisted.internet import reactor, tcp
assert type(reactor).__name__ == "AsyncioSelectorReactor"
assert not {"OpenSSL", "twisted.protocols.tls"} & set(sys.modules)
assert tcp._TLSConnectionMixin.TLS is False
import OpenSSL.SSL
"""


def test_daphne_is_imported_without_tls() -> None:
    env = {**os.environ, "PYTHONPATH": f"site{os.pathsep}."}
    ran = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
