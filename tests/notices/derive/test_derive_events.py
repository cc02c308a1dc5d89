"""Notices of ends, offers, arrivals, followed accounts, challenges and moderation."""

import pytest

from accounts.account_service import restore, suspend
from accounts.models import Block, User
from accounts.people import relations
from chat import chat_service
from chat.chat_service import Verdict
from chat.models import FOREVER_MS, Line, Report, Room
from lobby.lobbies import challenges, lobby_service
from lobby.lobbies.lobby_presence import close_abandoned
from lobby.lobby_options import Options
from lobby.models import Lobby
from lobby.offers import offer_service
from notices.derive import polls
from notices.models import Cursor, Kind, Notice
from play.domain.clocks import DAY_MS, SECOND_MS, Clock, now
from play.domain.commands import Flag
from play.time_controls import days_clock, fischer_clock
from tests.support.notice_games import TimedGame, settled
from tests.support.page_visitors import someone

pytestmark = pytest.mark.django_db
HOUR_MS = 3_600 * SECOND_MS
SLOW = Options("pincer", days_clock(2), "white", True)
CHALLENGE = Options("pincer", fischer_clock(3, 2), "lot", False)


@pytest.fixture(autouse=True)
def from_the_first_entry(db) -> None:
    """The process has been running before anything happens."""
    settled(0)


def told(user, kind) -> list[dict]:
    return [notice.data for notice in Notice.objects.of(user.pk).filter(kind=kind).order_by("pk")]


def open_ones(user, kind) -> int:
    return Notice.objects.of(user.pk).filter(kind=kind, closed=None).count()


def test_an_end_is_told_to_who_was_away(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.round()
    game.look("white", HOUR_MS)
    game.resign("white", HOUR_MS)
    game.round(HOUR_MS)
    assert told(ada, Kind.ENDED) == []
    data = {"rules": "pincer", "opponent": "ada", "result": "won", "reason": "resigned"}
    assert told(bob, Kind.ENDED) == [data]
    assert game.told("white", only_open=True) == []


def test_an_end_by_the_clock_is_told_to_both(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.do(Flag(game.slug, game.start + 2 * DAY_MS + 5 * SECOND_MS))
    game.round(2 * DAY_MS + 5 * SECOND_MS)
    results = [
        (each["result"], each["reason"]) for who in (ada, bob) for each in told(who, "ended")
    ]
    assert results == [("void", "no_show")] * 2


def test_an_end_that_was_seen_is_read_and_in_a_running_game_not_told(ada, bob) -> None:
    for clock, reads in ((days_clock(2), 1), (fischer_clock(5, 0), 0)):
        game = TimedGame(ada, bob, clock=clock)
        game.look("black", HOUR_MS)
        game.resign("white", HOUR_MS)
        game.round(HOUR_MS)
        rows = Notice.objects.of(bob.pk).filter(kind="ended", subject=game.slug)
        assert [row.read is not None for row in rows] == [True] * reads


def test_an_offer_is_told_while_it_stands(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.turn("white", HOUR_MS)
    game.ask("takeback", "offer", "white", HOUR_MS)
    game.ask("draw", "offer", "white", HOUR_MS)
    game.round(HOUR_MS)
    assert {each["what"] for each in told(bob, Kind.OFFER)} == {"takeback", "draw"}
    assert told(ada, Kind.OFFER) == []
    game.ask("takeback", "decline", "black", 2 * HOUR_MS)
    game.round(2 * HOUR_MS)
    assert open_ones(bob, Kind.OFFER) == 1
    game.turn("black", 3 * HOUR_MS)
    game.round(3 * HOUR_MS)
    assert open_ones(bob, Kind.OFFER) == 0
    game.ask("draw", "offer", "white", 4 * HOUR_MS)
    game.round(4 * HOUR_MS)
    assert len(told(bob, Kind.OFFER)) == 3
    game.resign("white", 5 * HOUR_MS)
    game.round(5 * HOUR_MS)
    assert open_ones(bob, Kind.OFFER) == 0


def test_the_owner_of_a_kept_game_is_told_who_joined(ada, bob) -> None:
    offer_service.keep(ada, "pincer", days_clock(2), "black")
    (lobby,) = Lobby.objects.all()
    game = lobby_service.sit(lobby.code, bob).game
    settled()
    assert told(ada, Kind.JOINED) == [{"rules": "pincer", "name": "bob", "game": game.slug}]
    settled()
    assert len(told(ada, Kind.JOINED)) == 1
    assert told(bob, Kind.JOINED) == []


def test_an_owner_who_is_to_move_is_told_so_and_only_that(ada, bob) -> None:
    offer_service.keep(ada, "pincer", days_clock(2), "white")
    (lobby,) = Lobby.objects.all()
    lobby_service.sit(lobby.code, bob)
    settled()
    assert told(ada, Kind.JOINED) == []
    assert [each["is_first"] for each in told(ada, Kind.TURN)] == [True]


def test_an_absent_host_is_told_who_sits_in_the_lobby(ada, bob) -> None:
    lobby = lobby_service.open_lobby(ada, SLOW)
    Lobby.objects.update(one_ready=False)
    lobby_service.sit(lobby.code, bob)
    settled()
    assert told(ada, Kind.JOINED) == []  # the host is there
    Lobby.objects.update(host_seen=now() - HOUR_MS)
    for _ in range(2):
        settled()
        assert told(ada, Kind.JOINED) == [{"rules": "pincer", "name": "bob", "game": ""}]
    assert open_ones(ada, Kind.JOINED) == 1
    Lobby.objects.update(two=None, two_ready=False)
    settled()
    assert open_ones(ada, Kind.JOINED) == 0


def test_followers_hear_once_an_hour_of_public_games(ada, bob) -> None:
    cyn, dee = someone("cyn"), someone("dee")
    relations.follow(cyn, "ada")
    relations.follow(cyn, "bob")
    TimedGame(ada, dee, public=True).round()
    TimedGame(ada, bob, public=True).round()
    TimedGame(dee, ada, public=True).round(59 * 60 * SECOND_MS)
    assert {"rules": "pincer", "name": "ada", "opponent": "dee"} in told(cyn, "plays")
    assert len([each for each in told(cyn, "plays") if each["name"] == "ada"]) == 1
    TimedGame(dee, ada, public=True).round(61 * 60 * SECOND_MS)
    assert len([each for each in told(cyn, "plays") if each["name"] == "ada"]) == 2


def test_two_games_in_one_round_are_told_once(ada, bob) -> None:
    cyn, dee = someone("cyn"), someone("dee")
    relations.follow(cyn, "ada")
    games = [TimedGame(ada, other, public=True) for other in (bob, dee)]
    games[0].round()
    assert len(told(cyn, "plays")) == 1


@pytest.mark.parametrize("case", ["unlisted", "unwatched", "computer", "block", "own", "over"])
def test_followers_hear_nothing_of_games_that_are_not_theirs_to_see(ada, bob, case) -> None:
    cyn = bob if case == "own" else someone("cyn")
    relations.follow(cyn, "ada")
    if case == "computer":
        User.objects.filter(pk=bob.pk).update(is_bot=True, level=77)
        bob.refresh_from_db()
    if case == "block":
        relations.block(bob, "cyn")
    game = TimedGame(ada, bob, public=case != "unlisted", watch=case != "unwatched")
    if case == "over":
        game.resign("white", HOUR_MS)
    game.round(HOUR_MS)
    assert told(cyn, "plays") == []


def test_a_watched_game_that_is_over_is_told_no_more(ada, bob) -> None:
    cyn = someone("cyn")
    relations.follow(cyn, "ada")
    game = TimedGame(ada, bob, public=True)
    game.round()
    assert open_ones(cyn, Kind.PLAYS) == 1
    game.resign("white", HOUR_MS)
    game.round(HOUR_MS)
    assert open_ones(cyn, Kind.PLAYS) == 0


@pytest.mark.parametrize("answer", ["decline", "accept", "close"])
def test_a_challenge_is_told_once_until_it_is_answered(ada, bob, answer) -> None:
    lobby = challenges.challenge(ada, "bob", CHALLENGE)
    for _ in range(2):
        settled()
        clock = {"kind": "fischer", "initial": 180_000, "increment": 2_000}
        assert told(bob, Kind.CHALLENGE) == [{"rules": "pincer", "host": "ada", "clock": clock}]
        assert open_ones(bob, Kind.CHALLENGE) == 1
    if answer == "decline":
        challenges.decline(lobby.code, bob)
    elif answer == "accept":
        lobby_service.sit(lobby.code, bob)
    else:
        Lobby.objects.update(status=Lobby.Status.CLOSED)
    settled()
    assert open_ones(bob, Kind.CHALLENGE) == 0
    assert told(ada, Kind.CHALLENGE) == []


@pytest.mark.parametrize("end", ["declined", "away"])
@pytest.mark.parametrize("is_present", [True, False])
def test_a_host_is_told_of_the_end_of_a_challenge(ada, bob, end, is_present) -> None:
    lobby = challenges.challenge(ada, "bob", CHALLENGE)
    settled()
    if end == "declined":
        challenges.decline(lobby.code, bob)
    else:
        Lobby.objects.update(host_seen=0)
        assert close_abandoned(now() + DAY_MS) == 1  # long after the start of the server
    Lobby.objects.update(host_seen=now() if is_present else 0)
    for _ in range(2):
        settled()
        assert told(ada, Kind.JOINED) == [{"rules": "pincer", "name": "bob", "end": end}]
    assert told(bob, Kind.JOINED) == []
    (row,) = Notice.objects.of(ada.pk)
    assert (row.read is not None, row.closed) == (is_present, None)


def test_a_challenge_across_a_block_is_not_told(ada, bob) -> None:
    challenges.challenge(ada, "bob", CHALLENGE)
    Block.objects.create(blocker=bob, blocked=ada, at=1)
    settled()
    assert told(bob, Kind.CHALLENGE) == []


def reported(author, reporter) -> Report:
    room = Room.objects.create(kind="game", ident="slug", circle="players")
    line = Line.objects.create(
        room=room, number=1, author=author, role="white", text="x", at=1, message_id="m"
    )
    return Report.objects.create(
        reporter=reporter, author=author, line=line, kind="game", ident="slug",
        shown_line_id=1, why="spam", context={"lines": [], "url": "/"}, at=1,
    )  # fmt: skip


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_verdict_is_told_once_to_reporter_and_author(ada, bob, verdict) -> None:
    report, cyn = reported(ada, bob), someone("cyn")
    settled()
    assert told(bob, Kind.MODERATION) == []
    chat_service.moderate(report, verdict, cyn)
    settled()
    settled()
    is_upheld = verdict is not Verdict.DISMISS
    what = "report_upheld" if is_upheld else "report_dismissed"
    assert [each["what"] for each in told(bob, Kind.MODERATION)] == [what]
    effect = {
        Verdict.HIDE: ["line_deleted"],
        Verdict.DISMISS: [],
        Verdict.SUSPEND: ["suspended"],
    }.get(verdict, ["muted"])
    assert [each["what"] for each in told(ada, Kind.MODERATION)] == effect


def test_a_mute_its_early_end_and_another_are_told(ada) -> None:
    for until in (FOREVER_MS, 0, FOREVER_MS):
        chat_service.silence(ada.pk, until)
        settled()
        settled()
    assert [each["what"] for each in told(ada, "moderation")] == ["muted", "unmuted", "muted"]
    assert told(ada, "moderation")[0]["until"] == FOREVER_MS


def test_a_mute_that_runs_out_is_closed_without_a_word(ada) -> None:
    chat_service.silence(ada.pk, now() + HOUR_MS)
    settled()
    settled(now() + 2 * HOUR_MS)
    assert [each["what"] for each in told(ada, "moderation")] == ["muted"]
    assert open_ones(ada, "moderation") == 0


def test_a_restored_account_is_told_so(ada) -> None:
    for _ in range(2):
        suspend(ada.pk)
        settled()
        restore(ada.pk)
        settled()
        settled()
    what = [each["what"] for each in told(ada, "moderation")]
    assert what == ["suspended", "restored"] * 2


def test_what_was_decided_before_the_first_start_is_told_to_nobody(ada, bob) -> None:
    Cursor.objects.all().delete()
    report = reported(ada, bob)
    Report.objects.filter(pk=report.pk).update(state=Report.State.ACTED)
    chat_service.silence(ada.pk, FOREVER_MS)
    suspend(bob.pk)
    settled()
    assert told(bob, Kind.MODERATION) == [{"what": "suspended", "until": None}]
    assert not Notice.objects.unread().exists()


def test_each_poll_finds_nothing_the_second_time(ada, bob) -> None:
    challenges.challenge(ada, "bob", CHALLENGE)
    chat_service.silence(ada.pk, FOREVER_MS)
    suspend(someone("cyn").pk)
    settled()
    for poll, *_ in polls.POLLS:
        assert not poll(now())


def test_a_game_without_a_clock_tells_of_its_end(ada, bob) -> None:
    game = TimedGame(ada, bob, clock=Clock("none"))
    game.resign("black", HOUR_MS)
    game.round(HOUR_MS)
    assert [each["result"] for each in told(ada, Kind.ENDED)] == ["won"]
