"""A process reads a consistent state of a game while another process writes."""

from django.db import connection

from play.models import Entry, Game, Sealed
from play.storage import load


def test_a_seal_that_comes_between_two_reads_is_not_shown_at_the_rev_before_it(opened):
    game = opened("blotto")
    seen = []

    def seal_meanwhile(execute, sql, params, many, context):
        if 'FROM "play_sealed"' in sql and not seen:
            seen.append(sql)
            Game.objects.filter(pk=game.pk).update(rev=1)
            Sealed.objects.create(
                game=game,
                number=0,
                role="white",
                action="troops 1 2 7",
                salt="0" * 32,
                spent=1,
                at=1,
            )
            Entry.objects.create(
                game=game, rev=1, kind="act", role="white", received_at=1, body="{}"
            )
        return execute(sql, params, many, context)

    with connection.execute_wrapper(seal_meanwhile):
        live = load.fetch(game.slug)
    assert (live.rev, set(live.sealed)) == (1, {"white"})
