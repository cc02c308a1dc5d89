"""Lobbies: taking a seat, getting ready, and every refusal."""

import secrets
import threading

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from accounts.refusals import Refused
from lobby.forms import choices_of
from lobby.lobbies import lobby_service, transactions
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from play.domain.clocks import now
from play.models import Game, Seat
from play.time_controls import (
    NO_CLOCK,
    bank_clock,
    clock_of,
    clock_value,
    days_clock,
    fischer_clock,
    limit_clock,
)
from tests.lobby.refusals import refusal

PINCER = Options("pincer", fischer_clock(3, 2), "white", True)


@pytest.fixture
def ada(db) -> User:
    return User.objects.create(username="ada")


@pytest.fixture
def bob(db) -> User:
    return User.objects.create(username="bob")


@pytest.fixture
def cy(db) -> User:
    return User.objects.create(username="cy")


@pytest.fixture
def lobby(ada) -> Lobby:
    return lobby_service.create(ada, PINCER)


def roles(game: Game) -> dict[str, str]:
    return dict(Seat.objects.filter(game=game).values_list("role", "user__username"))


def test_the_host_sits_ready_from_the_start(lobby, ada) -> None:
    assert lobby.places[0].user == ada
    assert lobby.places[0].is_ready
    assert lobby.free.number == 2
    assert len(lobby.code) == 22


def test_a_friend_who_sits_down_starts_the_game(lobby, bob) -> None:
    after = lobby_service.sit(lobby.code, bob)
    assert after.status == Lobby.Status.PLAYING
    assert (after.game.rules, after.game.clock) == ("pincer", fischer_clock(3, 2))
    assert (after.game.lobby, after.game.is_public) == (lobby.code, True)
    assert roles(after.game) == {"white": "ada", "black": "bob"}
    assert after.rev == lobby.rev + 1


def test_a_host_who_moves_second_is_black(ada, bob) -> None:
    lobby = lobby_service.create(ada, Options("pincer", NO_CLOCK, "black", False))
    game = lobby_service.sit(lobby.code, bob).game
    assert roles(game) == {"white": "bob", "black": "ada"}
    assert not game.is_public


@pytest.mark.parametrize("drawn", ["white", "black"])
def test_a_lot_is_drawn_when_the_game_starts(ada, bob, monkeypatch, drawn) -> None:
    lobby = lobby_service.create(ada, Options("pincer", NO_CLOCK, "lot", True))
    choose = secrets.choice
    monkeypatch.setattr(
        "lobby.lobbies.transactions.secrets.choice",
        lambda among: drawn if drawn in among else choose(among),  # it also makes addresses
    )
    after = lobby_service.sit(lobby.code, bob)
    assert roles(after.game)[drawn] == "ada"
    assert Lobby.objects.get().places[0].role == drawn


def test_a_host_who_is_not_ready_holds_the_start_back(lobby, ada, bob) -> None:
    lobby_service.unready(lobby.code, ada)
    assert lobby_service.sit(lobby.code, bob).status == Lobby.Status.OPEN
    assert lobby_service.ready(lobby.code, ada).status == Lobby.Status.PLAYING


def test_being_ready_twice_changes_nothing(lobby, ada) -> None:
    assert lobby_service.ready(lobby.code, ada).rev == lobby.rev


def test_standing_up_frees_the_seat_for_another(lobby, ada, bob, cy) -> None:
    lobby_service.leave(lobby.code, ada)
    lobby_service.sit(lobby.code, bob)
    assert lobby_service.sit(lobby.code, cy).status == Lobby.Status.PLAYING


def test_a_chosen_seat_is_the_one_taken(lobby, ada, bob) -> None:
    lobby_service.leave(lobby.code, ada)
    assert lobby_service.sit(lobby.code, bob, 2).places[1].user == bob


def test_other_options_ask_the_other_anew(lobby, ada, bob) -> None:
    lobby_service.unready(lobby.code, ada)
    lobby_service.sit(lobby.code, bob)
    other = Options("blotto", limit_clock(30), "lot", True)
    after = lobby_service.choose(lobby.code, ada, other)
    assert after.options == other
    assert not after.places[1].is_ready
    assert after.status == Lobby.Status.OPEN


def test_the_host_stays_ready_for_what_he_chooses_himself(lobby, ada) -> None:
    after = lobby_service.choose(lobby.code, ada, Options("blotto", limit_clock(30), "lot", True))
    assert after.places[0].is_ready


def test_every_refusal_has_its_reason_and_changes_nothing(lobby, ada, bob, cy) -> None:
    code = lobby.code
    assert refusal(lobby_service.sit, code, bob, 1) == LobbyReason.TAKEN
    assert refusal(lobby_service.sit, code, bob, 3) == LobbyReason.MALFORMED
    assert refusal(lobby_service.leave, code, bob) == LobbyReason.NOT_SEATED
    assert refusal(lobby_service.ready, code, bob) == LobbyReason.NOT_SEATED
    assert refusal(lobby_service.unready, code, bob) == LobbyReason.NOT_SEATED
    assert refusal(lobby_service.close, code, bob) == LobbyReason.NOT_HOST
    assert refusal(lobby_service.choose, code, bob, PINCER) == LobbyReason.NOT_HOST
    lobby_service.unready(code, ada)
    lobby_service.sit(code, bob)
    assert refusal(lobby_service.sit, code, cy) == LobbyReason.FULL
    lobby_service.ready(code, ada)
    assert refusal(lobby_service.sit, code, cy) == LobbyReason.STARTED
    for deed in (lobby_service.leave, lobby_service.unready, lobby_service.close):
        assert refusal(deed, code, ada) == LobbyReason.STARTED
    assert refusal(lobby_service.choose, code, ada, PINCER) == LobbyReason.STARTED


def test_nobody_joins_their_own_lobby(lobby, ada) -> None:
    for number in (None, 1, 2):
        assert refusal(lobby_service.sit, lobby.code, ada, number) == LobbyReason.OWN


def test_a_seated_user_stays_seated(lobby, ada, bob) -> None:
    started = lobby_service.sit(lobby.code, bob)
    assert lobby_service.sit(lobby.code, ada, 2).places[0].user == ada
    for deed in (lobby_service.sit, lobby_service.ready):
        again = deed(lobby.code, bob)
        assert (again.rev, again.game) == (started.rev, started.game)
    assert Game.objects.count() == 1


OTHERS = (
    Options("blotto", limit_clock(5), "white", True),
    Options("pincer", fischer_clock(3, 0), "white", True),
    Options("pincer", fischer_clock(3, 2), "lot", True),
    Options("pincer", fischer_clock(3, 2), "white", False),
)


@pytest.mark.parametrize("other", OTHERS)
def test_nobody_sits_down_to_what_he_has_not_seen(lobby, ada, bob, other) -> None:
    seen = lobby.options.digest
    lobby_service.choose(lobby.code, ada, other)
    assert refusal(lobby_service.sit, lobby.code, bob, None, seen) == LobbyReason.CHANGED
    after = lobby_service.sit(lobby.code, bob, None, other.digest)
    assert after.status == Lobby.Status.PLAYING


def test_nobody_gets_ready_for_what_he_has_not_seen(lobby, ada, bob) -> None:
    lobby_service.unready(lobby.code, ada)
    lobby_service.sit(lobby.code, bob)
    lobby_service.choose(lobby.code, ada, OTHERS[0])
    lobby_service.ready(lobby.code, ada, OTHERS[0].digest)
    assert refusal(lobby_service.ready, lobby.code, bob, PINCER.digest) == LobbyReason.CHANGED
    assert lobby_service.ready(lobby.code, bob, OTHERS[0].digest).game.rules == "blotto"


def test_the_refusal_names_what_the_lobby_has_become(lobby, ada, bob) -> None:
    lobby_service.choose(lobby.code, ada, OTHERS[0])
    with pytest.raises(Refused) as refused:
        lobby_service.sit(lobby.code, bob, None, PINCER.digest)
    assert "it is now Colonel Blotto, 5 s a round" in refused.value.say


def test_the_same_click_twice_makes_one_lobby(lobby, ada, bob) -> None:
    assert lobby_service.create(ada, PINCER).code == lobby.code
    for other in OTHERS:
        assert lobby_service.create(ada, other).code != lobby.code
    assert lobby_service.create(bob, PINCER).code != lobby.code


def test_the_same_click_twice_leads_to_the_game_that_has_started_meanwhile(ada, bob) -> None:
    for side in ("white", "lot"):
        options = Options("pincer", NO_CLOCK, side, True)
        lobby = lobby_service.create(ada, options)
        game = lobby_service.sit(lobby.code, bob).game
        assert lobby_service.create(ada, options).game == game
        Game.objects.filter(pk=game.pk).update(ended=now(), reason="resigned")
        assert lobby_service.create(ada, options).code != lobby.code


def test_a_lobby_that_was_closed_or_made_a_while_ago_is_no_repeated_click(lobby, ada) -> None:
    lobby_service.close(lobby.code, ada)
    second = lobby_service.create(ada, PINCER)
    assert second.code != lobby.code
    Lobby.objects.update(created=now() - lobby_service.SAME_CLICK_MS)
    assert lobby_service.create(ada, PINCER).code != second.code


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_the_same_moment_make_one_lobby() -> None:
    for step in range(6):
        ada = User.objects.create(username=f"ada-{step}")
        one, two = at_once(*[lambda u=ada: lobby_service.create(u, PINCER)] * 2)
        assert one.code == two.code


def test_a_closed_lobby_stays_closed(lobby, ada, bob) -> None:
    lobby_service.close(lobby.code, ada)
    for deed, user in (
        (lobby_service.sit, bob),
        (lobby_service.ready, ada),
        (lobby_service.close, ada),
    ):
        assert refusal(deed, lobby.code, user) == LobbyReason.CLOSED


def test_an_unknown_code_is_no_lobby(lobby, bob) -> None:
    with pytest.raises(Lobby.DoesNotExist):
        lobby_service.sit("1" * 22, bob)


def test_a_host_has_only_so_many_lobbies_open(lobby, ada) -> None:
    several = [Options("pincer", days_clock(count + 1), "lot", True) for count in range(6)]
    for options in several[: lobby_service.MAX_OPEN_LOBBIES - 1]:
        lobby_service.create(ada, options)
    assert refusal(lobby_service.create, ada, several[-1]) == LobbyReason.TOO_MANY
    assert lobby_service.create(ada, PINCER).code == lobby.code
    lobby_service.close(lobby.code, ada)
    lobby_service.create(ada, several[-1])


def test_the_database_itself_keeps_one_user_off_both_seats(lobby, ada) -> None:
    with pytest.raises(IntegrityError):
        Lobby.objects.filter(pk=lobby.pk).update(two=ada)


def test_a_change_that_is_always_overtaken_gives_up_and_says_so(lobby, bob, monkeypatch) -> None:
    read = lobby_service.check_room

    def overtaken(here, *args) -> None:
        read(here, *args)
        Lobby.objects.filter(pk=here.pk).update(rev=here.rev + 1)

    monkeypatch.setattr(lobby_service, "check_room", overtaken)
    with pytest.raises(Refused) as refused:
        lobby_service.sit(lobby.code, bob)
    assert refused.value.reason == LobbyReason.BUSY
    assert Game.objects.count() == 0


def at_once(*deeds) -> list[object]:
    """Runs deeds in threads that start together; returns the result or refusal of each."""
    gate, results = threading.Barrier(len(deeds)), [None] * len(deeds)

    def run(index: int) -> None:
        gate.wait()
        try:
            results[index] = deeds[index]()
        except Refused as refused:
            results[index] = refused.reason
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(deeds))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_of_two_who_want_the_last_seat_one_gets_it() -> None:
    for step in range(6):
        ada, bob, cy = (User.objects.create(username=f"{n}-{step}") for n in ("ada", "bob", "cy"))
        code = lobby_service.create(ada, PINCER).code
        results = at_once(
            lambda c=code, u=bob: lobby_service.sit(c, u),
            lambda c=code, u=cy: lobby_service.sit(c, u),
        )
        won = [result for result in results if isinstance(result, Lobby)]
        assert len(won) == 1
        assert set(results) - set(won) <= {LobbyReason.STARTED, LobbyReason.FULL}
        assert Game.objects.filter(lobby=code).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_game_starts_once_when_both_get_ready_together() -> None:
    for step in range(6):
        ada, bob = (User.objects.create(username=f"{name}-{step}") for name in ("ada", "bob"))
        code = lobby_service.create(ada, PINCER).code
        lobby_service.unready(code, ada)
        lobby_service.sit(code, bob)
        lobby_service.unready(code, bob)
        at_once(
            lambda c=code, u=ada: lobby_service.ready(c, u),
            lambda c=code, u=bob: lobby_service.ready(c, u),
        )
        lobby = Lobby.objects.get(code=code)
        assert lobby.status == Lobby.Status.PLAYING
        assert Game.objects.filter(lobby=code).get() == lobby.game


@pytest.mark.django_db(transaction=True)
def test_a_host_who_changes_the_game_in_the_last_moment_lures_nobody_in() -> None:
    for step in range(6):
        ada, bob = (User.objects.create(username=f"{name}-{step}") for name in ("ada", "bob"))
        code = lobby_service.create(ada, PINCER).code
        _, sat = at_once(
            lambda c=code, u=ada: lobby_service.choose(c, u, OTHERS[0]),
            lambda c=code, u=bob: lobby_service.sit(c, u, None, PINCER.digest),
        )
        played = list(Game.objects.filter(lobby=code).values_list("rules", flat=True))
        assert (sat == LobbyReason.CHANGED, played) in ((True, []), (False, ["pincer"]))


def test_hints_are_sent_after_the_commit_only(ada, bob, monkeypatch) -> None:
    hints: list[object] = []
    monkeypatch.setattr(transactions, "publish", lambda topic, rev=None: hints.append((topic, rev)))
    with transaction.atomic():
        lobby = lobby_service.create(ada, PINCER)
        after = lobby_service.sit(lobby.code, bob)
        assert hints == []
    assert ((("lobby", lobby.code), after.rev)) in hints
    assert (("lists", ""), None) in hints


@pytest.mark.parametrize(
    "clock",
    [
        fischer_clock(5, 3),
        fischer_clock(1 / 6, 0),
        fischer_clock(180, 180),
        limit_clock(5),
        days_clock(14),
        bank_clock(4, 24),
        bank_clock(14, 72),
        NO_CLOCK,
    ],
)
def test_a_clock_is_read_as_it_is_spelled(clock) -> None:
    assert clock_of(clock_value(clock)) == clock


@pytest.mark.parametrize(
    "text",
    [
        "", "fischer", "fischer:9:0", "fischer:10801:0", "fischer:300:181", "fischer:300:-1",
        "limit:4", "limit:3601", "limit:30:5", "days:0", "days:15", "none:5", "sundial:5",
        "fischer:1e3:0",
        "bank", "bank:4", "bank:4:0", "bank:4:-1", "bank:-4:24", "bank:1:25", "bank:0:1",
        "bank:15:24", "bank:4:73", "bank:99999:999", "bank:4:24:1", "days:4:24",
        "fischer:٣٠٠:3", "limit: 30", "limit:30\n", "fischer:99999999:1",
    ],
)  # fmt: skip
def test_a_clock_out_of_bounds_is_no_clock(text: str) -> None:
    with pytest.raises(ValueError):
        clock_of(text)


def test_a_clock_that_is_no_preset_is_offered_with_its_label() -> None:
    for clock, label in (
        (fischer_clock(61 / 60, 0), "1:01 + 0"),
        (fischer_clock(1 / 6, 0), "10 s + 0"),
        (fischer_clock(2.5, 7), "2:30 + 7"),
    ):
        first, *_ = choices_of("pincer", clock)["clock"]
        assert (first.say, first.value) == (label, clock_value(clock))


def test_a_frame_tells_each_pair_of_eyes_what_it_may_do(lobby, ada, bob) -> None:
    host, stranger = lobby_frame(lobby, ada.pk), lobby_frame(lobby, None)
    rights = {"unready": True, "leave": True, "close": True, "change": True, "decline": False}
    assert host["may"] == rights
    assert not any(stranger["may"].values())
    assert host["start"]["style"] == "blocked"
    assert host["start"]["say"] == "Waiting for an opponent."
    assert stranger["seats"][1]["sit"]["label"] == "Join"
    assert host["seats"][1]["sit"] is None
    lobby_service.unready(lobby.code, ada)
    waiting = lobby_service.sit(lobby.code, bob)
    assert lobby_frame(waiting, bob.pk)["start"]["say"] == "Waiting for ada to be ready."
    assert lobby_frame(waiting, ada.pk)["start"]["style"] == "primary"
    over = lobby_service.ready(lobby.code, ada)
    assert lobby_frame(over, 0)["game"] == over.game.get_absolute_url()
    assert lobby_frame(over, ada.pk)["start"] is None


def test_a_screen_has_one_primary_action_at_the_most(lobby, ada, bob) -> None:
    def primaries(shown: dict) -> int:
        styles = [
            (shown["start"] or {}).get("style"),
            *((s["sit"] or {}).get("style") for s in shown["seats"]),
        ]
        return (
            styles.count("primary") * (shown["shows_seats"])
            + (shown["invites"] is not None)
            + (shown["invitation"] is not None)
            + (shown["game"] is not None)
        )

    seen = [lobby, lobby_service.leave(lobby.code, ada), lobby_service.sit(lobby.code, bob)]
    seen += [lobby_service.unready(lobby.code, bob), lobby_service.sit(lobby.code, ada)]
    seen += [lobby_service.ready(lobby.code, bob)]
    for state in seen:
        for eyes in (ada.pk, bob.pk, 0, None):
            assert primaries(lobby_frame(state, eyes)) <= 1
    assert seen[-1].status == Lobby.Status.PLAYING
