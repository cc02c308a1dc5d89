"""Find out whether an action could be written now, and end the logged outage when it can.

The probe runs on the connection that writes actions. It inserts the rows of an action, deletes them
and commits. An UPDATE of one row would not do: on a full disk it may still succeed, because it
reuses a page that is there.
"""

import random

from django.db import connection, transaction
from django.db.models import F

from accounts.outage_log import DATABASE, QUIET_S, note_outage
from play.desk import desk
from play.models import Entry, Pulse, Turn
from play.rows import EntryRow, TurnRow
from play.statements import pen

EVERY_S = 1.0  # between two probes while an outage lasts
ROWS = 4  # entries that one probe inserts
BODY = "x" * 4_000  # so that each row allocates a page of SQLite (4 KiB): more than an action needs


def probe_writing() -> None:
    """Write and delete what an action writes, in a transaction. Raise the database's error.

    The rows name a game that cannot exist, so no game changes, and nobody else ever sees them:
    they are gone at the commit, where foreign keys are checked. The number is drawn anew each time,
    so that several processes do not wait for each other.
    """
    game = -random.getrandbits(62) - 1
    with transaction.atomic(), connection.wrap_database_errors:
        write = pen()
        write.write([TurnRow(game, 0, BODY, 0, "{}", "{}")])
        write.write(
            [
                EntryRow(game, rev, "probe", None, None, 0, 0, "{}", BODY, "0" * 64)
                for rev in range(ROWS)
            ]
        )
        Turn.objects.filter(game=game).delete()
        Entry.objects.filter(game=game).delete()
        Pulse.objects.filter(pk=1).update(at=F("at"))  # writes in place, as an action does too


async def watch_outage() -> None:
    """End the outage of the database that is open, if any, as soon as writing works again."""
    if not DATABASE.is_open:
        return
    try:
        await desk().write(probe_writing)
    except Exception as error:
        if not note_outage(error):
            raise
        return
    DATABASE.succeed(QUIET_S)
