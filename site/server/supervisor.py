"""Run the processes of `manage.py serve`: restart those that end, and stop all on a signal.

In production systemd does this, with the units in `server/deploy/systemd`.
"""

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

SERVE: Final = "serve"
STEADY_S: Final = 2.0  # a process that ends after so long is started again at once
MIN_RESTART_DELAY_S: Final = 0.5  # after an earlier end; doubled with each further one in a row
MAX_RESTART_DELAY_S: Final = 30.0
FIRST_START_S: Final = 60.0  # in which a web process that fails for the first time ends everything
WORKER_DELAY_S: Final = 3.0  # lets the web process start before the workers load their engines
STOP_TIMEOUT_S: Final = 20.0  # for a process to end after SIGTERM; a web process drains in 10 s
log = logging.getLogger("quiver.server")


async def supervise(web: Sequence[str], workers: Sequence[Sequence[str]]) -> int:
    """Run commands of `manage.py` until a signal comes; return the exit status.

    It is not 0 if the first web process fails, whose message tells the operator why.
    """
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in stop_signals():
        signal.signal(number, lambda *signal: loop.call_soon_threadsafe(stop.set))
    first = asyncio.create_task(keep_running(web, is_web=True))
    others = [asyncio.create_task(keep_running(each, is_web=False)) for each in workers]
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait({first, stopped}, return_when=asyncio.FIRST_COMPLETED)
    status = first.result() if first.done() else 0
    tasks = (first, stopped, *others)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return status


def stop_signals() -> list[signal.Signals]:
    """Return the signals that end the site. nohup ignores SIGHUP, that of a closed terminal."""
    found = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        found.append(signal.SIGHUP)
    return found


async def keep_running(command: Sequence[str], is_web: bool) -> int:
    """Run a command again whenever it has ended; return the status of a first web process that
    fails."""
    delay_s, is_first = 0.0, True
    await asyncio.sleep(0 if is_web else WORKER_DELAY_S)
    while True:
        began = time.monotonic()
        status = await run_once(command)
        lived_s = time.monotonic() - began
        if is_web and is_first and status > 0 and lived_s < FIRST_START_S:
            return status
        is_first, is_steady = False, lived_s >= STEADY_S
        delay_s = 0.0 if is_steady else min(MAX_RESTART_DELAY_S, 2 * delay_s or MIN_RESTART_DELAY_S)
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        about = {"event": "process_ended"}
        log.warning("%s ended (%s); next start in %.1f s", command[0], how, delay_s, extra=about)
        await asyncio.sleep(delay_s)


async def run_once(command: Sequence[str]) -> int:
    """Run a command of `manage.py` to its end; return its exit status, negative for a signal.

    It is started as this process was, with another command. `--tied`: it ends when its standard
    input is closed, so also if this process is killed. In a session of its own it does not get the
    terminal's Ctrl-C, which is passed on as SIGTERM. Cancelling this ends it.
    """
    before = sys.orig_argv[1 : sys.orig_argv.index(SERVE)]
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, *before, *command, "--tied"),
            stdin=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:  # no memory, no process number, no program during an upgrade
        log.error("%s cannot be started: %s", command[0], error, extra={"event": "not_started"})
        return 1
    try:
        return await process.wait()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Wait for the end of a process, and kill it if that takes too long."""
    try:
        await asyncio.wait_for(process.wait(), STOP_TIMEOUT_S)
    except TimeoutError:
        process.kill()
        await process.wait()
