"""The periodic tasks of live play in web processes; `register_all` registers them."""

from accounts.login import revocations
from play.runtime import (
    clock_sync,
    periodic,
    presence,
    reply_player,
    seat_presence,
    session_watch,
)
from play.runtime.runtime import WebRuntime, register_periodic_task

IDLE_CHECK_INTERVAL_S = 60.0
FORSAKEN_CHECK_INTERVAL_S = 600.0
FORGET_INTERVAL_S = 3600.0
NAMES_INTERVAL_S = 60.0


def register_all() -> None:
    """Register the tasks of this module; called when the app is ready."""
    register_periodic_task(seat_presence.REFRESH_INTERVAL_S, refresh_seats)
    register_periodic_task(presence.EXCHANGE_INTERVAL_S, exchange_presence)
    register_periodic_task(NAMES_INTERVAL_S, show_recent_names)
    register_periodic_task(clock_sync.SYNC_INTERVAL_S, adjust_clock)
    register_periodic_task(IDLE_CHECK_INTERVAL_S, end_idle_games)
    register_periodic_task(FORSAKEN_CHECK_INTERVAL_S, end_forsaken_games)
    register_periodic_task(session_watch.POLL_INTERVAL_S, follow_revocations)
    register_periodic_task(reply_player.SWEEP_INTERVAL_S, play_replies)
    register_periodic_task(FORGET_INTERVAL_S, forget_old_revocations)


async def refresh_seats(runtime: WebRuntime) -> None:
    """Store every seat with a page here, and read the others of the watched games."""
    await runtime.seats.refresh()


async def exchange_presence(runtime: WebRuntime) -> None:
    """Tell other processes who looks at the topics here, and show who does there."""
    await runtime.hub.exchange_presence()


async def show_recent_names(runtime: WebRuntime) -> None:
    """Show the names that were changed lately in other processes, whose hints may be lost."""
    await runtime.hub.show_recent_names()


async def adjust_clock(runtime: WebRuntime) -> None:
    """Correct the clock of this process if it has drifted."""
    await clock_sync.adjust_clock(runtime.games)


async def end_idle_games(runtime: WebRuntime) -> None:
    """End the games without a clock that had no change for too long."""
    await periodic.end_idle_games(runtime.games)


async def end_forsaken_games(runtime: WebRuntime) -> None:
    """End the slow games to which none of their people can come back."""
    await periodic.end_forsaken_games(runtime.games)


async def play_replies(runtime: WebRuntime) -> None:
    """Play the conditional replies that a process has left over."""
    await runtime.replies.sweep()


async def follow_revocations(runtime: WebRuntime) -> None:
    """Close the sockets whose sessions have ended since the last call."""
    await runtime.session_watch.follow()


async def forget_old_revocations(runtime: WebRuntime) -> None:
    """Delete old revocations, which keeps their table small."""
    await runtime.games.run_in_db_thread(revocations.forget_old)
