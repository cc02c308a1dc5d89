"""Lobbies: sitting down, getting ready, and every way to be told no."""

import secrets
import threading

import pytest
from django.db import IntegrityError, connection

from accounts.models import User
from lobby import services, turnstile
from lobby.choices import choices_of
from lobby.frame import frame
from lobby.models import Lobby
from lobby.options import NO_CLOCK, Options, clock_of, days, fischer, limit, spelled
from lobby.refusals import Reason, Refused
from play.clocks import now
from play.models import Game, Seat

PINCER = Options("pincer", fischer(3, 2), "white", True)


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
    return services.create(ada, PINCER)


def refusal(deed, *args) -> Reason:
    """The reason for which a deed is refused; it has to be, and nothing may have changed."""
    before = list(Lobby.objects.values()), Game.objects.count()
    with pytest.raises(Refused) as refused:
        deed(*args)
    assert (list(Lobby.objects.values()), Game.objects.count()) == before
    return refused.value.reason


def roles(game: Game) -> dict[str, str]:
    return dict(Seat.objects.filter(game=game).values_list("role", "user__username"))


def test_the_host_sits_ready_from_the_start(lobby, ada) -> None:
    assert lobby.places[0].user == ada
    assert lobby.places[0].is_ready
    assert lobby.free.number == 2
    assert len(lobby.code) == 22


def test_a_friend_who_sits_down_starts_the_game(lobby, bob) -> None:
    after = services.sit(lobby.code, bob)
    assert after.status == Lobby.Status.PLAYING
    assert (after.game.rules, after.game.clock) == ("pincer", fischer(3, 2))
    assert (after.game.lobby, after.game.is_public) == (lobby.code, True)
    assert roles(after.game) == {"white": "ada", "black": "bob"}
    assert after.rev == lobby.rev + 1


def test_a_host_who_moves_second_is_black(ada, bob) -> None:
    lobby = services.create(ada, Options("pincer", NO_CLOCK, "black", False))
    game = services.sit(lobby.code, bob).game
    assert roles(game) == {"white": "bob", "black": "ada"}
    assert not game.is_public


@pytest.mark.parametrize("drawn", ["white", "black"])
def test_a_lot_is_drawn_when_the_game_starts(ada, bob, monkeypatch, drawn) -> None:
    lobby = services.create(ada, Options("pincer", NO_CLOCK, "lot", True))
    choose = secrets.choice
    monkeypatch.setattr(
        "lobby.turnstile.secrets.choice",
        lambda among: drawn if drawn in among else choose(among),  # it also makes addresses
    )
    after = services.sit(lobby.code, bob)
    assert roles(after.game)[drawn] == "ada"
    assert Lobby.objects.get().places[0].role == drawn


def test_a_host_who_is_not_ready_holds_the_start_back(lobby, ada, bob) -> None:
    services.unready(lobby.code, ada)
    assert services.sit(lobby.code, bob).status == Lobby.Status.OPEN
    assert services.ready(lobby.code, ada).status == Lobby.Status.PLAYING


def test_being_ready_twice_changes_nothing(lobby, ada) -> None:
    assert services.ready(lobby.code, ada).rev == lobby.rev


def test_standing_up_frees_the_seat_for_another(lobby, ada, bob, cy) -> None:
    services.leave(lobby.code, ada)
    services.sit(lobby.code, bob)
    assert services.sit(lobby.code, cy).status == Lobby.Status.PLAYING


def test_a_chosen_seat_is_the_one_taken(lobby, ada, bob) -> None:
    services.leave(lobby.code, ada)
    assert services.sit(lobby.code, bob, 2).places[1].user == bob


def test_other_options_ask_the_other_anew(lobby, ada, bob) -> None:
    services.unready(lobby.code, ada)
    services.sit(lobby.code, bob)
    other = Options("blotto", limit(30), "lot", True)
    after = services.choose(lobby.code, ada, other)
    assert after.options == other
    assert not after.places[1].is_ready
    assert after.status == Lobby.Status.OPEN


def test_the_host_stays_ready_for_what_he_chooses_himself(lobby, ada) -> None:
    after = services.choose(lobby.code, ada, Options("blotto", limit(30), "lot", True))
    assert after.places[0].is_ready


def test_every_refusal_has_its_reason_and_changes_nothing(lobby, ada, bob, cy) -> None:
    code = lobby.code
    assert refusal(services.sit, code, bob, 1) == Reason.TAKEN
    assert refusal(services.sit, code, bob, 3) == Reason.MALFORMED
    assert refusal(services.leave, code, bob) == Reason.NOT_SEATED
    assert refusal(services.ready, code, bob) == Reason.NOT_SEATED
    assert refusal(services.unready, code, bob) == Reason.NOT_SEATED
    assert refusal(services.close, code, bob) == Reason.NOT_HOST
    assert refusal(services.choose, code, bob, PINCER) == Reason.NOT_HOST
    services.unready(code, ada)
    services.sit(code, bob)
    assert refusal(services.sit, code, cy) == Reason.FULL
    services.ready(code, ada)
    assert refusal(services.sit, code, cy) == Reason.STARTED
    for deed in (services.leave, services.unready, services.close):
        assert refusal(deed, code, ada) == Reason.STARTED
    assert refusal(services.choose, code, ada, PINCER) == Reason.STARTED


def test_who_sits_already_stays_where_he_is(lobby, ada, bob) -> None:
    assert services.sit(lobby.code, ada).rev == lobby.rev
    assert services.sit(lobby.code, ada, 2).places[0].user == ada
    started = services.sit(lobby.code, bob)
    for deed in (services.sit, services.ready):
        again = deed(lobby.code, bob)
        assert (again.rev, again.game) == (started.rev, started.game)
    assert Game.objects.count() == 1


OTHERS = (
    Options("blotto", limit(5), "white", True),
    Options("pincer", fischer(3, 0), "white", True),
    Options("pincer", fischer(3, 2), "lot", True),
    Options("pincer", fischer(3, 2), "white", False),
)


@pytest.mark.parametrize("other", OTHERS)
def test_nobody_sits_down_to_what_he_has_not_seen(lobby, ada, bob, other) -> None:
    seen = lobby.options.digest
    services.choose(lobby.code, ada, other)
    assert refusal(services.sit, lobby.code, bob, None, seen) == Reason.CHANGED
    after = services.sit(lobby.code, bob, None, other.digest)
    assert after.status == Lobby.Status.PLAYING


def test_nobody_gets_ready_for_what_he_has_not_seen(lobby, ada, bob) -> None:
    services.unready(lobby.code, ada)
    services.sit(lobby.code, bob)
    services.choose(lobby.code, ada, OTHERS[0])
    services.ready(lobby.code, ada, OTHERS[0].digest)
    assert refusal(services.ready, lobby.code, bob, PINCER.digest) == Reason.CHANGED
    assert services.ready(lobby.code, bob, OTHERS[0].digest).game.rules == "blotto"


def test_the_refusal_names_what_the_lobby_has_become(lobby, ada, bob) -> None:
    services.choose(lobby.code, ada, OTHERS[0])
    with pytest.raises(Refused) as refused:
        services.sit(lobby.code, bob, None, PINCER.digest)
    assert "it is now Colonel Blotto, 5 s a round" in refused.value.say


def test_the_same_click_twice_makes_one_lobby(lobby, ada, bob) -> None:
    assert services.create(ada, PINCER).code == lobby.code
    for other in OTHERS:
        assert services.create(ada, other).code != lobby.code
    assert services.create(bob, PINCER).code != lobby.code


def test_the_same_click_twice_leads_to_the_game_that_has_started_meanwhile(ada, bob) -> None:
    for side in ("white", "lot"):
        options = Options("pincer", NO_CLOCK, side, True)
        lobby = services.create(ada, options)
        game = services.sit(lobby.code, bob).game
        assert services.create(ada, options).game == game
        Game.objects.filter(pk=game.pk).update(ended=now(), reason="resigned")
        assert services.create(ada, options).code != lobby.code


def test_a_lobby_that_was_closed_or_made_a_while_ago_is_no_repeated_click(lobby, ada) -> None:
    services.close(lobby.code, ada)
    second = services.create(ada, PINCER)
    assert second.code != lobby.code
    Lobby.objects.update(created=now() - services.SAME_CLICK)
    assert services.create(ada, PINCER).code != second.code


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_the_same_moment_make_one_lobby() -> None:
    for turn in range(6):
        ada = User.objects.create(username=f"ada-{turn}")
        one, two = at_once(*[lambda u=ada: services.create(u, PINCER)] * 2)
        assert one.code == two.code


def test_a_closed_lobby_stays_closed(lobby, ada, bob) -> None:
    services.close(lobby.code, ada)
    for deed, user in ((services.sit, bob), (services.ready, ada), (services.close, ada)):
        assert refusal(deed, lobby.code, user) == Reason.CLOSED


def test_an_unknown_code_is_no_lobby(lobby, bob) -> None:
    with pytest.raises(Lobby.DoesNotExist):
        services.sit("1" * 22, bob)


def test_a_host_has_only_so_many_lobbies_open(lobby, ada) -> None:
    several = [Options("pincer", days(count + 1), "lot", True) for count in range(6)]
    for options in several[: services.MOST_OPEN - 1]:
        services.create(ada, options)
    assert refusal(services.create, ada, several[-1]) == Reason.TOO_MANY
    assert services.create(ada, PINCER).code == lobby.code
    services.close(lobby.code, ada)
    services.create(ada, several[-1])


def test_the_database_itself_keeps_one_user_off_both_seats(lobby, ada) -> None:
    with pytest.raises(IntegrityError):
        Lobby.objects.filter(pk=lobby.pk).update(two=ada)


def test_a_change_that_is_always_overtaken_gives_up_and_says_so(lobby, bob, monkeypatch) -> None:
    read = services.check_room

    def overtaken(here, *args) -> None:
        read(here, *args)
        Lobby.objects.filter(pk=here.pk).update(rev=here.rev + 1)

    monkeypatch.setattr(services, "check_room", overtaken)
    with pytest.raises(Refused) as refused:
        services.sit(lobby.code, bob)
    assert refused.value.reason == Reason.BUSY
    assert Game.objects.count() == 0


def at_once(*deeds) -> list[object]:
    """Runs deeds in threads that start together; what each returned or why it was refused."""
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
    for turn in range(6):
        ada, bob, cy = (User.objects.create(username=f"{n}-{turn}") for n in ("ada", "bob", "cy"))
        code = services.create(ada, PINCER).code
        results = at_once(
            lambda c=code, u=bob: services.sit(c, u), lambda c=code, u=cy: services.sit(c, u)
        )
        won = [result for result in results if isinstance(result, Lobby)]
        assert len(won) == 1
        assert set(results) - set(won) <= {Reason.STARTED, Reason.FULL}
        assert Game.objects.filter(lobby=code).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_game_starts_once_when_both_get_ready_together() -> None:
    for turn in range(6):
        ada, bob = (User.objects.create(username=f"{name}-{turn}") for name in ("ada", "bob"))
        code = services.create(ada, PINCER).code
        services.unready(code, ada)
        services.sit(code, bob)
        services.unready(code, bob)
        at_once(
            lambda c=code, u=ada: services.ready(c, u), lambda c=code, u=bob: services.ready(c, u)
        )
        lobby = Lobby.objects.get(code=code)
        assert lobby.status == Lobby.Status.PLAYING
        assert Game.objects.filter(lobby=code).get() == lobby.game


@pytest.mark.django_db(transaction=True)
def test_a_host_who_changes_the_game_in_the_last_moment_lures_nobody_in() -> None:
    for turn in range(6):
        ada, bob = (User.objects.create(username=f"{name}-{turn}") for name in ("ada", "bob"))
        code = services.create(ada, PINCER).code
        _, sat = at_once(
            lambda c=code, u=ada: services.choose(c, u, OTHERS[0]),
            lambda c=code, u=bob: services.sit(c, u, None, PINCER.digest),
        )
        played = list(Game.objects.filter(lobby=code).values_list("rules", flat=True))
        assert (sat == Reason.CHANGED, played) in ((True, []), (False, ["pincer"]))


def test_hints_go_out_after_the_commit_only(
    ada, bob, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    hints: list[object] = []
    monkeypatch.setattr(turnstile, "publish", lambda topic, rev=None: hints.append((topic, rev)))
    with django_capture_on_commit_callbacks() as callbacks:
        lobby = services.create(ada, PINCER)
        after = services.sit(lobby.code, bob)
        assert hints == []
    for callback in callbacks:
        callback()
    assert ((("lobby", lobby.code), after.rev)) in hints
    assert (("lists", ""), None) in hints


@pytest.mark.parametrize(
    "clock", [fischer(5, 3), fischer(1 / 6, 0), fischer(180, 180), limit(5), days(14), NO_CLOCK]
)
def test_a_clock_is_read_as_it_is_spelled(clock) -> None:
    assert clock_of(spelled(clock)) == clock


@pytest.mark.parametrize(
    "text",
    [
        "", "fischer", "fischer:9:0", "fischer:10801:0", "fischer:300:181", "fischer:300:-1",
        "limit:4", "limit:3601", "limit:30:5", "days:0", "days:15", "none:5", "sundial:5",
        "fischer:1e3:0", "fischer:٣٠٠:3", "limit: 30", "limit:30\n", "fischer:99999999:1",
    ],
)  # fmt: skip
def test_a_clock_out_of_bounds_is_no_clock(text: str) -> None:
    with pytest.raises(ValueError):
        clock_of(text)


def test_a_clock_that_is_no_preset_is_offered_with_its_label() -> None:
    for clock, label in (
        (fischer(61 / 60, 0), "1:01 + 0"),
        (fischer(1 / 6, 0), "10 s + 0"),
        (fischer(2.5, 7), "2:30 + 7"),
    ):
        first, *_ = choices_of("pincer", clock)["clock"]
        assert (first.say, first.value) == (label, spelled(clock))


def test_a_frame_tells_each_pair_of_eyes_what_it_may_do(lobby, ada, bob) -> None:
    host, stranger = frame(lobby, ada.pk), frame(lobby, None)
    assert host["may"] == {"unready": True, "leave": True, "close": True, "change": True}
    assert not any(stranger["may"].values())
    assert host["start"]["style"] == "blocked"
    assert host["start"]["say"] == "Needs a second seat taken."
    assert stranger["seats"][1]["sit"]["label"] == "Sit down and play"
    assert host["seats"][1]["sit"] is None
    services.unready(lobby.code, ada)
    waiting = services.sit(lobby.code, bob)
    assert frame(waiting, bob.pk)["start"]["say"] == "Waits for ada to be ready."
    assert frame(waiting, ada.pk)["start"]["style"] == "primary"
    over = services.ready(lobby.code, ada)
    assert frame(over, 0)["game"] == over.game.get_absolute_url()
    assert frame(over, ada.pk)["start"] is None


def test_a_screen_has_one_primary_action_at_the_most(lobby, ada, bob) -> None:
    def primaries(shown: dict) -> int:
        styles = [
            (shown["start"] or {}).get("style"),
            *((s["sit"] or {}).get("style") for s in shown["seats"]),
        ]
        return styles.count("primary") + shown["invites"] + (shown["game"] is not None)

    seen = [lobby, services.leave(lobby.code, ada), services.sit(lobby.code, bob)]
    seen += [services.unready(lobby.code, bob), services.sit(lobby.code, ada)]
    seen += [services.ready(lobby.code, bob)]
    for state in seen:
        for eyes in (ada.pk, bob.pk, 0, None):
            assert primaries(frame(state, eyes)) <= 1
    assert seen[-1].status == Lobby.Status.PLAYING
