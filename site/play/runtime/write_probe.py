"""Probe whether actions can be written, and end the logged outage when they can.

The probe runs on the connection that writes actions. It inserts the rows of an action, deletes them
and commits. An UPDATE of one row would not suffice: on a full disk it may still succeed, because it
reuses a page that is there.
"""

import random
from collections.abc import Awaitable, Callable

from django.db import connection, transaction
from django.db.models import F

from play.models import Entry, Step
from play.process_models import Heartbeat
from play.storage.rows import EntryRow, StepRow
from play.storage.save import writer_of
from telemetry.outage_log import DATABASE, QUIET_S, note_outage

PROBE_INTERVAL_S = 1.0  # between two probes while an outage lasts
ENTRIES_PER_PROBE = 4  # entries that one probe inserts
PROBE_BODY = "x" * 4_000  # each row allocates a page of SQLite (4 KiB)


def probe_writing() -> None:
    """Write and delete the rows of an action, in a transaction. Raise the database's error.

    The rows name a game that cannot exist, so no game changes, and no other transaction sees them:
    they are deleted before the commit, where foreign keys are checked. The id is random, so that
    processes do not wait for each other.
    """
    game = -random.getrandbits(62) - 1
    with transaction.atomic(), connection.wrap_database_errors:
        write = writer_of()
        write.insert([StepRow(game, 0, PROBE_BODY, 0, "{}", "{}", False, 0)])
        write.insert(
            [
                EntryRow(game, rev, "probe", None, None, 0, 0, "{}", PROBE_BODY, "0" * 64)
                for rev in range(ENTRIES_PER_PROBE)
            ]
        )
        Step.objects.filter(game=game).delete()
        Entry.objects.filter(game=game).delete()
        Heartbeat.objects.filter(pk=1).update(at=F("at"))  # writes in place, as an action does too


async def watch_outage(write: Callable[[Callable[[], None]], Awaitable[None]]) -> None:
    """End the open outage of the database, if any, as soon as writing works again.

    `write` runs a function on the connection that writes actions.
    """
    if not DATABASE.is_open:
        return
    try:
        await write(probe_writing)
    except Exception as error:
        if not note_outage(error):
            raise
        return
    DATABASE.succeed(QUIET_S)
