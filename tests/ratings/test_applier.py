"""The applier: each ended rated game gets its entry once, in order, verified."""

import threading

import pytest
from django.db import connections

from accounts.account_service import delete_user, sign_up
from accounts.people.computer_users import computer
from accounts.people.guests import new_guest
from games.ledger import CLAIMS_FORMAT_VERSION, NEWEST_FORMAT_VERSION
from games.rating.entries import NotRated
from play.domain import commands
from play.domain.clocks import SECOND_MS, Clock, now
from play.models import EndedGame, Entry, Game, Seat
from play.runtime.game_commands import delete_games
from play.storage import ended_games
from ratings.models import Generation, Person, RatedGame, RatingEntry, Standing
from ratings.rules.applier import append_games, apply_ended_games, examine, pending_games
from ratings.rules.fold_check import check_current
from tests.support.notice_games import TimedGame
from tests.support.rated_games import DAYS, FISCHER, apply_all, create_accounts, rated_game

pytestmark = pytest.mark.django_db
NO_CLOCK = Clock("none")


def why(game: TimedGame) -> str | None:
    """The reason for which a game is not rated; None without an entry."""
    entry = RatingEntry.objects.filter(game=game.game.pk).first()
    return entry and entry.not_rated


def logged(records) -> list[dict]:
    """The records of ratings."""
    return [each for each in records.as_json() if each["logger"] == "quiver.ratings"]


def test_a_win_moves_both_ratings_and_says_from_where_to_where() -> None:
    ada, bob = create_accounts("ada", "bob")
    game = rated_game(ada, bob)
    assert apply_ended_games() == 1
    [entry] = RatingEntry.objects.all()
    assert (entry.seq, entry.kind, entry.at) == (1, "game", game.row.ended)
    assert (entry.rules, entry.speed, entry.winner, entry.not_rated) == (
        "pincer", "live", "white", "",
    )  # fmt: skip
    assert [entry.white.user, entry.black.user] == [ada, bob]
    [rated] = RatedGame.objects.all()
    assert rated.before.white == rated.before.black == (1_500_000, 350_000, 60_000_000)
    assert rated.after.white.rating > 1_600_000 > 1_400_000 > rated.after.black.rating
    won = Standing.objects.current().get(person=entry.white)
    assert (won.rating, won.deviation, won.volatility) == tuple(rated.after.white)
    assert (won.games, won.at, won.peak) == (1, entry.at, None)
    assert check_current() is not None


def test_a_casual_game_gets_no_entry() -> None:
    game = TimedGame(*create_accounts("ada", "bob"), clock=FISCHER, is_fair=False)
    game.turn("white", 10)
    game.resign("black", 20)
    assert apply_all() == 0


def test_a_second_look_finds_nothing() -> None:
    rated_game(*create_accounts("ada", "bob"))
    found = [examine(slug) for slug in pending_games()]
    assert len(append_games(found)) == 1
    before = list(RatedGame.objects.values()), list(Standing.objects.values())
    assert append_games(found) == []
    assert apply_all() == 0
    assert before == (list(RatedGame.objects.values()), list(Standing.objects.values()))
    assert Generation.objects.get().last_seq == 1


def test_games_that_end_in_the_same_millisecond_count_in_the_order_of_their_ids() -> None:
    ada, bob, cy = create_accounts("ada", "bob", "cy")
    end = now() + 5_000
    games = [rated_game(*pair, at=end) for pair in ((ada, bob), (bob, cy), (cy, ada))]
    early = rated_game(ada, cy, at=end - 1)
    assert apply_all() == 4
    order = list(RatingEntry.objects.order_by("seq").values_list("game", flat=True))
    assert order == [early.game.pk, *sorted(each.game.pk for each in games)]
    assert check_current() is not None


def test_a_game_that_is_committed_late_counts_after_those_that_were_rated() -> None:
    ada, bob = create_accounts("ada", "bob")
    end = now() + 5_000
    rated_game(ada, bob, at=end)
    apply_all()
    late = rated_game(ada, bob, at=end - 2_000)
    apply_all()
    assert RatingEntry.objects.get(game=late.game.pk).seq == 2
    assert check_current() is not None


def test_an_established_rating_is_taken_over_by_the_other_speed() -> None:
    ada, *others = create_accounts("ada", *"bcdefghijkmnopqr")
    for other in others:
        rated_game(ada, other)
        rated_game(other, ada)
    apply_all()
    live = Standing.objects.current().get(person__user=ada)
    assert live.deviation <= 110_000
    assert live.peak is not None
    rated_game(ada, others[0], clock=DAYS)
    apply_all()
    first = RatedGame.objects.order_by("entry").last()
    assert (first.before.white.rating, first.before.white.deviation) == (live.rating, 200_000)
    assert check_current() is not None


def test_what_does_not_count_has_an_entry_that_says_why() -> None:
    ada, bob = create_accounts("ada", "bob")
    guest = new_guest("")
    reasons_by_game = {
        rated_game(ada, computer(2)): NotRated.COMPUTER,
        rated_game(guest, bob): NotRated.GUEST,
        rated_game(ada, bob, clock=NO_CLOCK): NotRated.NO_CLOCK,
        rated_game(ada, bob, turns=1): NotRated.NO_TURN,
    }
    aborted = TimedGame(ada, bob, clock=FISCHER, is_rated=True)
    aborted.do(commands.Abort("away"), "white", 10)
    reasons_by_game[aborted] = NotRated.ABORTED
    apply_all()
    assert {game.slug: why(game) for game in reasons_by_game} == {
        game.slug: reason.value for game, reason in reasons_by_game.items()
    }
    assert not RatedGame.objects.exists()
    assert not Standing.objects.exists()
    assert check_current() is not None


def test_a_guest_who_signs_up_during_the_game_is_not_rated() -> None:
    [bob] = create_accounts("bob")
    guest = new_guest("")
    game = TimedGame(guest, bob, clock=FISCHER, is_fair=False, is_rated=True)
    game.turn("white", 10)
    sign_up("newcomer", "a long password", guest=guest)
    game.turn("black", 20)
    game.resign("black", 30)
    apply_all()
    assert why(game) == "guest"


def test_a_user_who_deletes_the_account_loses_a_game_that_counts() -> None:
    ada, bob = create_accounts("ada", "bob")
    game = TimedGame(ada, bob, clock=FISCHER, is_fair=False, is_rated=True)
    game.turn("white", 10)
    game.turn("black", 20)
    delete_user(ada.pk)
    game.resign("white", 30)
    apply_all()
    assert why(game) == ""


@pytest.mark.parametrize("change", [{"winner": "black"}, {"rev": 3}, {"head": "0" * 64}])
def test_a_game_whose_row_was_changed_is_not_rated_and_logged(change, records) -> None:
    ada, bob = create_accounts("ada", "bob")
    damaged, sound = rated_game(ada, bob), rated_game(bob, ada)
    Game.objects.filter(pk=damaged.game.pk).update(**change)
    apply_all()
    assert (why(damaged), why(sound)) == ("unverified", "")
    [record] = logged(records)
    assert (record["level"], record["event"]) == ("error", "rating_unverified")
    assert damaged.slug not in records.text()


def test_a_game_with_a_newer_log_waits_for_a_process_that_can_verify_it(records) -> None:
    ada, bob = create_accounts("ada", "bob")
    newer, sound = rated_game(ada, bob), rated_game(bob, ada)
    opening = Entry.objects.filter(game=newer.game.pk, rev=0)
    body = opening.get().body
    unknown = f'"format":{NEWEST_FORMAT_VERSION + 1}'
    opening.update(body=body.replace('"format":1', unknown))
    assert opening.get().body != body
    at = now()
    ended_games.run_follow_ups(at)
    assert (why(newer), why(sound)) == (None, "")
    opening.update(body=body)  # stands for a newer process
    ended_games.run_follow_ups(at + SECOND_MS)
    assert why(newer) == ""


def test_a_casual_game_that_is_called_rated_afterwards_does_not_count() -> None:
    game = TimedGame(*create_accounts("ada", "bob"), clock=FISCHER, is_fair=False)
    game.turn("white", 10)
    game.turn("black", 20)
    game.resign("black", 30)
    Game.objects.update(is_rated=True)
    apply_all()
    assert why(game) == "unverified"


def test_a_game_that_cannot_be_read_keeps_no_other_from_being_rated(records) -> None:
    ada, bob = create_accounts("ada", "bob")
    torn, sound = rated_game(ada, bob), rated_game(bob, ada)
    Seat.objects.filter(game=torn.game.pk, role="black").delete()
    ended_games.run_follow_ups(now())
    assert (why(torn), why(sound)) == (None, "")
    assert EndedGame.objects.get().game.slug == torn.slug


def test_a_game_whose_squares_can_be_counted_is_rated_like_any_other() -> None:
    """Its log has a format of its own."""
    ada, bob = create_accounts("ada", "bob")
    game = rated_game(ada, bob, key="amazons")
    opening = Entry.objects.get(game=game.game.pk, rev=0)
    assert f'"format":{CLAIMS_FORMAT_VERSION}' in opening.body
    assert apply_ended_games() == 1
    assert why(game) == ""


@pytest.mark.django_db(transaction=True)
def test_two_appliers_at_once_rate_each_game_once() -> None:
    """Without the lease: both verify the same games, and begin to write together."""
    ada, bob, cy, dan = create_accounts("ada", "bob", "cy", "dan")
    for _ in range(3):
        for pair in ((ada, bob), (cy, dan), (bob, cy)):
            rated_game(*pair)
    found = [examine(slug) for slug in pending_games()]
    barrier, errors, appended = threading.Barrier(4), [], []

    def apply(part) -> None:
        try:
            barrier.wait(20)
            appended.extend(append_games(part))
        except Exception as error:  # shown by the assertion below
            errors.append(error)
        finally:
            connections.close_all()

    parts = (found, found[::-1], found[:5], found[4:])
    threads = [threading.Thread(target=apply, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert errors == []
    assert sorted(appended) == sorted(each.facts.game for each in found)
    assert Person.objects.count() == 4
    checked = check_current()
    assert checked is not None
    assert checked.entries == 9


def test_a_game_of_computers_with_an_entry_is_kept() -> None:
    game = rated_game(computer(1), computer(2))
    other = TimedGame(computer(1), computer(2), clock=FISCHER, is_fair=False)
    other.turn("white", 10)
    other.resign("black", 20)
    apply_all()
    assert delete_games([game.slug, other.slug]) == 1
    assert list(Game.objects.values_list("slug", flat=True)) == [game.slug]
