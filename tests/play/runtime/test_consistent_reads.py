"""A process reads a consistent state of a game while another process writes."""

from django.db import connection

from games.catalogue import UnknownRules
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


def test_a_game_that_cannot_be_read_is_no_error_of_the_others(opened, caplog):
    games = [opened(key) for key in ("pincer", "blotto", "amazons", "pincer")]
    Game.objects.filter(pk=games[0].pk).update(rules="withdrawn")
    Game.objects.filter(pk=games[1].pk).update(step=3)  # none is stored
    found = load.fetch_many([*(game.slug for game in games), "nothing"])
    assert isinstance(found[games[0].slug], UnknownRules)
    assert isinstance(found[games[1].slug], load.Unreadable)
    for game in games[2:]:
        assert found[game.slug] == load.fetch(game.slug)
    assert "nothing" not in found


def test_many_games_are_loaded_in_as_many_queries_as_one(opened, django_assert_num_queries):
    slugs = [opened("pincer").slug for _ in range(4)]
    with django_assert_num_queries(2):
        load.fetch_many(slugs[:1])
    with django_assert_num_queries(2):
        load.fetch_many(slugs)
