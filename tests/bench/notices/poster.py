"""A posting process of the bench: the runner of `manage.py runnotices` with its own push server.

`python -m tests.bench.notices.poster PORT CERTIFICATE`, with QUIVER_DATA set.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path


async def post(port: int, certificate: Path) -> None:
    """Post to a push server on loopback until SIGTERM."""
    from notices.delivery.runner import Runner
    from play.runtime import clock_sync
    from play.runtime.runtime import Runtime
    from tests.support.servers.push_server import transport_to

    runtime = Runtime()
    runner = Runner(make_transport=lambda: transport_to(port, certificate), say=print)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, runner.end)
    await clock_sync.set_clock(runtime.games)
    try:
        await runner.run()
    finally:
        await runtime.close()


if __name__ == "__main__":
    sys.path[:0] = ["site", "."]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    asyncio.run(post(int(sys.argv[1]), Path(sys.argv[2])))
