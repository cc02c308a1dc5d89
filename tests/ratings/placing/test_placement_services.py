"""A newcomer is placed once, by games that the server has marked, and only before a rated game."""

import pytest

from accounts.models import User
from accounts.refusals import Refused
from games.rating.placement import PlacementGame as Folded
from games.rating.placement import place
from games.rating.recompute import recompute
from lobby.computer_seats import play_computer, play_placement_game
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from play.domain import commands
from play.domain.clocks import now
from play.models import Game, Step
from ratings.models import FurtherEntry, RatingEntry, Standing
from ratings.placing.closing import judge_ended_games
from ratings.placing.models import Placement, PlacementGame
from ratings.placing.search_state import ask_to_finish, offered_pools, search_state
from ratings.rules.fold_check import RatingsDiffer, check_current
from ratings.rules.generations import rebuild
from ratings.rules.scale import append_anchors
from tests.ratings.placement_games import PINCER, RATINGS, anchors_with, begin, end, ids, play, work
from tests.support.rated_games import apply_all, create_accounts, rated_game, read_public_file

pytestmark = pytest.mark.django_db
ANCHORS = [1000 * each for each in RATINGS]


@pytest.fixture
def ada(db) -> User:
    append_anchors(now())
    return create_accounts("ada")[0]


def results_of(user: User) -> list[str]:
    return list(PlacementGame.objects.order_by("pk").values_list("result", flat=True))


def placements() -> list[FurtherEntry]:
    return list(FurtherEntry.objects.filter(kind="placement").order_by("seq"))


def test_six_games_give_a_first_rating_by_one_entry(ada) -> None:
    assert search_state(ada, PINCER).next.level == 3
    games = play(ada, "won", "won", "lost", "drawn", "won", "lost")
    roles = [game.users["white"] == ada for game in games]
    assert roles == [True, False, True, False, True, False]
    assert placements() == []
    work()
    work()
    (entry,) = placements()
    played = [Folded(game.level, game.result) for game in PlacementGame.objects.order_by("pk")]
    standing = Standing.objects.current().get(person__user=ada)
    assert standing.folded == place(played, ANCHORS, entry.at)
    assert standing.games == 0
    assert not search_state(ada, PINCER).is_offered
    assert recompute(read_public_file()).header.last_seq == entry.seq
    assert check_current() is not None
    with pytest.raises(Refused) as refused:
        play_placement_game(ada, PINCER)
    assert refused.value.reason == LobbyReason.NO_PLACEMENT


def test_a_person_may_end_it_after_a_game_but_not_before(ada) -> None:
    game = begin(ada)
    assert not ask_to_finish(ada, PINCER)
    end(game, ada)
    judge_ended_games()
    assert search_state(ada, PINCER).may_finish
    assert ask_to_finish(ada, PINCER)
    assert ask_to_finish(ada, PINCER)
    assert search_state(ada, PINCER).next is None
    work()
    assert len(placements()) == 1


def test_a_rebuild_gives_the_same_rating_and_the_next_rated_game_starts_from_it(ada) -> None:
    (bob,) = create_accounts("bob")
    play(ada, "won", "won")
    ask_to_finish(ada, PINCER)
    work()
    placed = Standing.objects.current().get(person__user=ada)
    rated_game(ada, bob, "black")
    apply_all()
    first = read_public_file()
    rebuild("test")
    assert first[1:] == read_public_file()[1:]
    assert recompute(first).rated == 1
    before = next(line for line in first if '"kind":"game"' in line)
    assert f'"white":[{placed.rating},{placed.deviation},{placed.volatility}]' in before
    assert check_current() is not None


def test_the_first_rated_game_ends_it_with_the_games_before(ada) -> None:
    (bob,) = create_accounts("bob")
    play(ada, "won")
    late = begin(ada)
    rated = rated_game(ada, bob)
    end(late, ada, "won", after=20_000)  # ends after the rated game has begun
    assert not search_state(ada, PINCER).is_offered
    apply_all()  # without the work on placements: the applier closes it first
    (entry,) = placements()
    assert entry.seq < RatingEntry.objects.get(game=rated.game).seq
    assert '"games": [{"level": 3, "result": "won"}]' in entry.content
    assert recompute(read_public_file()).rated == 1
    assert check_current() is not None


def test_a_placement_without_a_game_that_counts_leaves_no_entry(ada) -> None:
    (bob,) = create_accounts("bob")
    begin(ada)
    rated_game(ada, bob)
    apply_all()
    assert placements() == []
    assert Placement.objects.get().why_void == "empty"


def test_an_aborted_rated_game_ends_nothing(ada) -> None:
    (bob,) = create_accounts("bob")
    play(ada, "won")
    rated_game(ada, bob, turns=0)
    Game.objects.filter(is_rated=True).update(reason="aborted", winner="")
    work()
    assert search_state(ada, PINCER).is_offered


def test_aborted_games_and_takebacks_do_not_count_and_their_level_comes_again(ada) -> None:
    game = begin(ada)
    game.do(commands.Abort(next(ids)), "white", 100)
    judge_ended_games()
    again = begin(ada)
    again.turn("white", 100)
    again.turn("black", 200)
    again.ask("takeback", "offer", "white", 300)
    again.ask("takeback", "accept", "black", 400)
    again.turn("white", 500)
    again.turn("black", 600)
    again.do(commands.Resign(next(ids)), "black", 700)
    judge_ended_games()
    assert results_of(ada) == ["void", "void"]
    state = search_state(ada, PINCER)
    assert (state.number, state.next.level, state.next.role) == (1, 3, "white")


def test_a_game_whose_log_was_damaged_does_not_count(ada, caplog) -> None:
    game = begin(ada)
    end(game, ada)
    Step.objects.filter(game=game.game).first().delete()
    judge_ended_games()
    assert results_of(ada) == ["void"]
    assert "rating_unverified" in [getattr(each, "event", "") for each in caplog.records]


def test_two_tabs_start_one_game(ada) -> None:
    first = play_placement_game(ada, PINCER)
    assert play_placement_game(ada, PINCER) == first
    assert PlacementGame.objects.count() == 1


def test_a_casual_game_against_the_level_is_none_and_stays_none(ada) -> None:
    placed = begin(ada)
    options = Options("pincer", placed.game.clock, "white", public=True)
    casual = play_computer(ada, options, 3)  # the same click, as a casual game
    assert casual != placed.game
    assert PlacementGame.objects.filter(game=casual).count() == 0


def test_guests_days_and_blotto_are_not_placed(ada) -> None:
    guest = User.objects.create(username="guest-1", is_guest=True)
    for user, pool in (
        (guest, PINCER),
        (ada, type(PINCER)("pincer", type(PINCER.speed).DAYS)),
        (ada, type(PINCER)("blotto", PINCER.speed)),
    ):
        assert not search_state(user, pool).is_offered
        with pytest.raises(Refused):
            play_placement_game(user, pool)
    assert [pool.rules for pool in offered_pools(ada)] == [
        "amazons", "amazons-10x10", "amazons-8x8", "pincer",
    ]  # fmt: skip
    assert offered_pools(guest) == []


def test_who_has_played_rated_is_not_placed(ada) -> None:
    (bob,) = create_accounts("bob")
    rated_game(ada, bob)
    assert not search_state(ada, PINCER).is_offered  # before the entry too
    apply_all()
    assert "pincer" not in [pool.rules for pool in offered_pools(ada)]


def test_changed_anchors_restart_the_search_and_say_so(ada, monkeypatch) -> None:
    play(ada, "won", "won")
    monkeypatch.setattr("ratings.rules.scale.anchors_of", anchors_with(2027, shift=50))
    append_anchors(now())
    state = search_state(ada, PINCER)
    assert state.was_restarted
    assert (state.games, state.next.level) == ((), 3)
    play(ada, "won")
    assert not search_state(ada, PINCER).was_restarted  # said before the first game
    ask_to_finish(ada, PINCER)
    work()
    assert len(placements()) == 1
    states = list(Placement.objects.order_by("pk").values_list("state", "why_void"))
    assert states == [("void", "anchors"), ("done", "")]
    assert recompute(read_public_file()) is not None


def test_a_level_that_is_not_played_here_is_refused_and_the_games_stay(ada, monkeypatch) -> None:
    play(ada, "won")
    monkeypatch.setattr("lobby.lobbies.lobby_checks.is_available", lambda key, level: level != 4)
    with pytest.raises(Refused) as refused:
        play_placement_game(ada, PINCER)
    assert refused.value.reason == LobbyReason.NO_LEVEL
    assert search_state(ada, PINCER).may_finish


def test_a_clock_that_steps_back_changes_no_order(ada) -> None:
    first, second = begin(ada), None
    end(first, ada, "won", after=20_000)
    judge_ended_games()
    second = begin(ada)
    end(second, ada, "lost", after=3)
    judge_ended_games()
    ask_to_finish(ada, PINCER)
    work()
    (entry,) = placements()
    assert '[{"level": 3, "result": "won"}, {"level": 4, "result": "lost"}]' in entry.content
    assert entry.at == first.start + 20_000
    assert check_current() is not None


def test_a_deleted_person_gets_no_entry(ada) -> None:
    play(ada, "won")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    work()
    assert placements() == []
    assert Placement.objects.get().why_void == "left"


def test_a_forged_first_rating_is_found(ada) -> None:
    play(ada, "won")
    ask_to_finish(ada, PINCER)
    work()
    Standing.objects.update(rating=2_400_000)
    with pytest.raises(RatingsDiffer, match="rating is 2400000"):
        check_current()
    lines = read_public_file()
    assert recompute(lines) is not None
    with pytest.raises(ValueError, match="first rating"):
        recompute([line.replace('"after":[', '"after":[1') for line in lines])
