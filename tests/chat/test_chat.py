"""Chat: permissions to write and read, and moderation."""

import itertools
import threading

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client

from accounts.models import User
from accounts.refusals import Refused
from chat import chat_service, chat_view, permissions
from chat.chat_service import Verdict
from chat.models import FOREVER_MS, MAX_TEXT_CHARS, ChatMember, Line, Mute, Report, Room
from chat.permissions import STRANGER, ChatReason, Viewer
from chat.phrases import PHRASES, WORDS
from lobby.lobbies import lobby_service as lobbies
from play.domain.clocks import now
from tests.support.chat_people import account, end, game_of, guest, lobby_of
from tests.support.second_factor import staff_browser

pytestmark = pytest.mark.django_db
ids = (f"line-{n}" for n in itertools.count())


@pytest.fixture
def ada() -> User:
    return account("ada")


@pytest.fixture
def bob() -> User:
    return account("bob")


@pytest.fixture
def cy() -> User:
    return account("cy")


@pytest.fixture
def game(ada, bob):
    return game_of(ada, bob)


def say(place, user: User | None, text: str = "", phrase: str = "", id: str = "") -> int:
    """Says something in a game or lobby; returns the line's id on the pages."""
    kind, ident = where(place)
    user_id = user.pk if user else None
    return chat_service.say(kind, ident, user_id, id or next(ids), text, phrase).line


def where(place) -> tuple[str, str]:
    return ("game", place.slug) if hasattr(place, "slug") else ("lobby", place.code)


def seen(place, user: User | None) -> dict:
    """The chat frame that a user's page of a game or lobby shows now."""
    kind, ident = where(place)
    viewer = permissions.load_viewer(user.pk if user else None)
    circle = chat_service.enter(kind, ident, viewer.user)
    return chat_view.frame(chat_view.load_chat(kind, ident, circle), viewer, now())


def read(place, user: User | None) -> list[str]:
    """The words on a user's page of a place."""
    return [line["text"] or line["phrase"] for line in seen(place, user)["lines"]]


def refusal(deed, *args) -> str:
    """The reason for which a deed is refused; it has to be, and nothing may have changed."""
    tables = (Line, Mute, Report, Room, ChatMember)
    before = [list(table.objects.order_by("pk").values()) for table in tables]
    with pytest.raises(Refused) as refused:
        deed(*args)
    assert [list(table.objects.order_by("pk").values()) for table in tables] == before
    assert refused.value.say
    return refused.value.reason


def refill_buckets(*users: User) -> None:
    """Lets time pass until everybody may say the most again."""
    ChatMember.objects.filter(pk__in=[user.pk for user in users]).update(bucket_full_at=0)


# Circles


def test_everybody_in_a_lobby_reads_everybody(ada, bob, cy) -> None:
    lobby = lobby_of(ada)
    for user in (ada, bob, cy):
        say(lobby, user, f"{user} was here")
    for reader in (ada, bob, cy, None):
        assert read(lobby, reader) == ["ada was here", "bob was here", "cy was here"]
    assert [line["role"] for line in seen(lobby, None)["lines"]] == ["host", "watcher", "watcher"]


def test_players_and_spectators_hear_their_own_circle_until_the_end(game, ada, bob, cy) -> None:
    say(game, ada, "good luck")
    say(game, cy, "white will lose")
    assert read(game, ada) == read(game, bob) == ["good luck"]
    assert read(game, cy) == read(game, None) == ["white will lose"]
    end(game)
    for reader in (ada, bob, cy, None):
        assert read(game, reader) == ["good luck", "white will lose"]
    say(game, bob, "it was close")
    assert read(game, cy)[-1] == read(game, ada)[-1] == "it was close"


def test_chat_of_spectators_changes_nothing_on_a_players_page(game, ada, bob, cy) -> None:
    """Non-interference: a page, its rev and every answer are the same with and without them."""
    quiet = game_of(ada, bob)
    for number in range(3):
        for place in (game, quiet):
            say(place, ada, f"line {number}")
        hidden = say(game, cy, f"secret {number}")
        refill_buckets(ada, cy)
    chat_service.report(*where(game), account("dee").pk, hidden, "insult")
    chat_service.mute(cy.pk, "ada", True)
    frames = [seen(place, bob) for place in (game, quiet)]
    for frame in frames:
        for line in frame["lines"]:
            del line["at"]
    assert frames[0] == frames[1]
    for place in (game, quiet):
        assert (
            refusal(chat_service.report, *where(place), ada.pk, hidden, "insult")
            == ChatReason.NO_LINE
        )


def test_no_page_of_a_running_game_holds_a_line(game, ada, cy) -> None:
    say(game, cy, "white will lose")
    browser = Client()
    browser.force_login(ada)
    for path in ("", "steps", "record.json"):
        response = browser.get(game.get_absolute_url() + path)
        assert response.status_code == 200
        assert "will lose" not in response.content.decode()


def test_a_game_without_spectators_has_the_players_alone_for_good(ada, bob, cy) -> None:
    game = game_of(ada, bob, watch=False)
    say(game, ada, "between us")
    for reason in ("gone", ChatReason.NOT_WATCHABLE):
        for stranger in (cy, None):
            enter = (*where(game), stranger and stranger.pk)
            assert refusal(chat_service.enter, *enter) == reason
        assert refusal(say, game, cy, "let me in") == reason
        assert chat_view.load_chat(*where(game), "watchers") is None
        assert read(game, bob) == ["between us"]
        assert seen(game, bob)["heard"] == "players"
        end(game)


def test_the_page_is_told_who_reads_along(game, ada, cy) -> None:
    assert [seen(game, user)["heard"] for user in (ada, cy)] == ["players_now", "watchers_now"]
    end(game)
    assert [seen(game, user)["heard"] for user in (ada, cy)] == ["everybody", "everybody"]
    assert seen(lobby_of(ada), cy)["heard"] == "lobby"


def test_a_lobby_is_silent_while_its_game_runs(ada, bob, cy) -> None:
    lobby = lobby_of(ada)
    started = lobbies.sit(lobby.code, bob)
    assert refusal(say, lobby, cy, "play d4") == ChatReason.PLAYING
    assert seen(lobby, cy)["may"] == {"write": "no", "why": "playing", "until": None}
    end(started.game)
    say(lobby, cy, "well played")
    assert read(lobby, ada) == ["well played"]
    other = lobby_of(cy)
    lobbies.close(other.code, cy)
    assert refusal(say, other, cy, "hello") == ChatReason.CLOSED


def test_there_is_no_talk_where_there_is_nothing(ada) -> None:
    assert refusal(chat_service.enter, "game", "nothing", ada.pk) == "gone"
    assert refusal(chat_service.say, "lobby", "nothing", ada.pk, "a", "hello", "") == "gone"
    assert chat_view.load_chat("game", "nothing", "players") is None


# Permissions to write


def test_guests_new_accounts_and_strangers_talk_in_phrases_or_not_at_all(game, cy) -> None:
    young = User.objects.create(username="young")
    for user, why in ((guest("gus"), ChatReason.GUEST), (young, ChatReason.NEW)):
        assert refusal(say, game, user, "free text") == why
        assert seen(game, user)["may"]["write"] == "phrases"
        say(game, user, phrase="hello")
    until = seen(game, young)["may"]["until"]
    assert 0 < until - now() <= permissions.NEW_ACCOUNT_MS
    assert refusal(say, game, None, "", "hello") == ChatReason.STRANGER
    assert seen(game, None)["may"]["write"] == "no"
    say(game, cy, "free text")
    assert read(game, cy) == ["hello", "hello", "free text"]


def test_only_the_phrases_of_the_circle_are_taken(game, ada, cy) -> None:
    say(game, ada, phrase="slip")
    assert refusal(say, game, cy, "", "slip") == ChatReason.NO_PHRASE
    assert refusal(say, game, ada, "", "nonsense") == ChatReason.NO_PHRASE
    assert all(set(keys) <= set(WORDS) and 10 <= len(keys) <= 13 for keys in PHRASES.values())
    assert set(WORDS) == set(itertools.chain(*PHRASES.values()))


def test_somebody_suspended_says_nothing(game, ada) -> None:
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert refusal(say, game, ada, "hello") == ChatReason.STRANGER


def test_an_emoji_of_a_newer_unicode_alone_is_a_message(game, ada) -> None:
    say(game, ada, "  \U0001fae9\t\u202e ")
    assert Line.objects.get().text == "\U0001fae9"


def test_empty_and_long_texts_are_refused(game, ada) -> None:
    assert refusal(say, game, ada, " \u200b ") == ChatReason.EMPTY
    assert refusal(say, game, ada) == ChatReason.EMPTY
    assert refusal(say, game, ada, "x" * (MAX_TEXT_CHARS + 1)) == ChatReason.TOO_LONG
    say(game, ada, "x" * MAX_TEXT_CHARS + "   ")


def test_five_lines_at_once_and_one_more_every_four_seconds(game, ada, monkeypatch) -> None:
    at = now()
    monkeypatch.setattr(chat_service, "now", lambda: at)
    for number in range(5):
        say(game, ada, f"line {number}")
    assert refusal(say, game, ada, "one more") == ChatReason.TOO_FAST
    assert refusal(say, lobby_of(ada), ada, "elsewhere") == ChatReason.TOO_FAST
    at += chat_service.REST_MS
    say(game, ada, "one more")
    assert refusal(say, game, ada, "and another") == ChatReason.TOO_FAST


@pytest.mark.django_db(transaction=True)
def test_many_sockets_share_one_bucket() -> None:
    ada = account("ada")
    game = game_of(ada, account("bob"))
    told: list[str] = []

    def shout(number: int) -> None:
        try:
            say(game, ada, f"line {number}", id=f"id-{number}")
            told.append("accepted")
        except Refused as refused:
            told.append(refused.reason)
        finally:
            connection.close()

    threads = [threading.Thread(target=shout, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["accepted"] * 5 + ["too_fast"] * 7
    assert [line.number for line in Line.objects.order_by("pk")] == [1, 2, 3, 4, 5]


def test_the_same_line_three_times_in_a_row_is_refused(game, ada, bob) -> None:
    say(game, ada, "hurry")
    say(game, bob, "no")
    say(game, ada, " hurry ")
    assert refusal(say, game, ada, "hurry") == ChatReason.SAME
    say(game, ada, "please")
    say(game, ada, "hurry")


def test_a_message_sent_twice_makes_one_line(game, ada, bob) -> None:
    first = chat_service.say(*where(game), ada.pk, "one", "hello", "")
    ChatMember.objects.update(bucket_full_at=FOREVER_MS)
    again = chat_service.say(*where(game), ada.pk, "one", "hello ", "")
    assert (again.line, first.again, again.again) == (first.line, False, True)
    assert refusal(chat_service.say, *where(game), ada.pk, "one", "other", "") == "conflict"
    assert (
        refusal(chat_service.say, *where(lobby_of(ada)), ada.pk, "one", "hello", "") == "conflict"
    )
    chat_service.say(*where(game), bob.pk, "one", "hello", "")
    assert read(game, ada) == ["hello", "hello"]


# Mutes


def test_muted_lines_vanish_for_one_viewer_alone_and_come_back(game, ada, bob) -> None:
    say(game, bob, "boo")
    say(game, ada, "hm")
    chat_service.mute(ada.pk, "BOB", True)
    chat_service.mute(ada.pk, "bob", True)
    assert read(game, ada) == ["hm"]
    assert seen(game, ada)["muted"] == ["bob"]
    frame = seen(game, bob)
    assert [line["by"] for line in frame["lines"]] == ["bob", "ada"]
    assert frame["muted"] == []
    chat_service.mute(ada.pk, "bob", False)
    assert read(game, ada) == ["boo", "hm"]


def test_a_loud_voice_that_is_muted_leaves_others_to_read(game, ada, bob) -> None:
    say(game, ada, "first of all")
    for number in range(chat_view.MAX_SHOWN_LINES + 20):
        refill_buckets(bob)
        say(game, bob, f"noise {number}")
    assert len(read(game, ada)) == chat_view.MAX_SHOWN_LINES
    chat_service.mute(ada.pk, "bob", True)
    assert read(game, ada) == ["first of all"]


def test_a_mute_of_oneself_or_of_an_unknown_line_is_refused(ada) -> None:
    assert refusal(chat_service.mute, ada.pk, "ada", True) == ChatReason.YOURSELF
    assert refusal(chat_service.mute, ada.pk, "who", True) == ChatReason.NOBODY
    assert refusal(chat_service.mute, None, "ada", True) == ChatReason.STRANGER


def test_somebody_mutes_only_so_many(ada, bob, monkeypatch) -> None:
    monkeypatch.setattr(chat_service, "MAX_MUTED_USERS", 1)
    chat_service.mute(ada.pk, "bob", True)
    other = account("cy")
    assert refusal(chat_service.mute, ada.pk, other.username, True) == ChatReason.TOO_MANY


# Reports


def reported(game, by: User, line: int, why: str = "insult") -> Report:
    chat_service.report(*where(game), by.pk, line, why)
    return Report.objects.get(reporter=by, shown_line_id=line)


def test_a_report_keeps_what_was_said_around_the_line(game, ada, bob) -> None:
    lines = []
    for number in range(30):
        refill_buckets(ada, bob)
        lines.append(say(game, (ada, bob)[number % 2], f"line {number}"))
    report = reported(game, bob, lines[14])
    context = report.context
    assert [line["text"] for line in context["lines"]] == [f"line {n}" for n in range(4, 25)]
    assert (context["line"], context["circle"]) == (lines[14], "players")
    assert context["url"] == game.get_absolute_url()
    assert (context["lines"][0]["by"], context["lines"][0]["role"]) == ("ada", "white")
    assert (report.author, report.state) == (ada, "open")
    Line.objects.all().delete()
    assert Report.objects.get().context == context


def test_an_invalid_report_is_refused(game, ada, bob, cy) -> None:
    line = say(game, ada, "hello")
    assert refusal(chat_service.report, *where(game), ada.pk, line, "spam") == ChatReason.YOURSELF
    assert refusal(chat_service.report, *where(game), bob.pk, line, "taste") == "malformed"
    assert refusal(chat_service.report, *where(game), bob.pk, 999, "spam") == ChatReason.NO_LINE
    assert refusal(chat_service.report, *where(game), cy.pk, line, "spam") == ChatReason.NO_LINE
    assert refusal(chat_service.report, *where(game), None, line, "spam") == ChatReason.STRANGER
    Line.objects.update(is_hidden=True)
    assert refusal(chat_service.report, *where(game), bob.pk, line, "spam") == ChatReason.NO_LINE


def test_a_line_is_reported_once_by_one_and_only_so_many_a_day(game, ada, bob, monkeypatch) -> None:
    monkeypatch.setattr(chat_service, "MAX_DAILY_REPORTS", 1)
    one, two = say(game, ada, "one"), say(game, ada, "two")
    reported(game, bob, one)
    assert chat_service.report(*where(game), bob.pk, one, "spam").again
    assert refusal(chat_service.report, *where(game), bob.pk, two, "spam") == ChatReason.TOO_MANY
    assert Report.objects.count() == 1


def test_a_hidden_line_is_gone_for_everybody_and_the_reporter_is_told(game, ada, bob, cy) -> None:
    bad = say(game, ada, "bad")
    say(game, ada, "good")
    report = reported(game, bob, bad)
    assert seen(game, bob)["reports"] == [{"line": bad, "state": "open"}]
    before = seen(game, bob)["rev"]
    chat_service.moderate(report, Verdict.HIDE, cy)
    assert read(game, ada) == read(game, bob) == ["good"]
    assert seen(game, bob)["rev"] != before
    assert seen(game, bob)["reports"] == [{"line": bad, "state": "acted"}]
    assert seen(game, ada)["reports"] == []


def test_all_reports_of_a_line_are_decided_together(game, ada, bob, cy) -> None:
    end(game)
    line = say(game, ada, "hm")
    first, second = reported(game, bob, line), reported(game, cy, line)
    chat_service.moderate(first, Verdict.DISMISS, account("mod"))
    second.refresh_from_db()
    assert second.state == "dismissed"
    assert seen(game, cy)["reports"] == [{"line": line, "state": "dismissed"}]


@pytest.mark.parametrize(
    ("verdict", "ends"), [(Verdict.DAY, chat_service.DAY_MS), (Verdict.GOOD, FOREVER_MS)]
)
def test_a_silenced_user_does_not_write_and_plays_on(game, ada, bob, verdict, ends) -> None:
    report = reported(game, bob, say(game, ada, "bad"))
    chat_service.moderate(report, verdict, account("mod"))
    for place in (game, lobby_of(bob)):
        assert refusal(say, place, ada, "but") == ChatReason.SILENCED
        assert refusal(say, place, ada, "", "hello") == ChatReason.SILENCED
    until = seen(game, ada)["may"]["until"]
    assert until is None if ends == FOREVER_MS else abs(until - now() - ends) < 60_000
    chat_service.silence(ada.pk, 0)
    say(game, ada, "back")


# Keeping and forgetting


def test_a_room_keeps_only_so_many_lines(game, ada, monkeypatch) -> None:
    monkeypatch.setattr(chat_service, "MAX_ROOM_LINES", 3)
    for number in range(5):
        say(game, ada, f"line {number}")
    assert read(game, ada) == ["line 2", "line 3", "line 4"]


def test_rooms_in_which_nothing_was_said_for_long_are_forgotten(game, ada, bob) -> None:
    line = say(game, ada, "old")
    say(lobby_of(bob), bob, "new")
    reported(game, bob, line)
    Room.objects.filter(kind="game").update(changed=now() - chat_service.ROOM_KEPT_MS - 1)
    assert chat_service.delete_old_lines() == 1
    assert (read(game, ada), Room.objects.count(), Report.objects.count()) == ([], 1, 1)
    say(game, ada, "again")


def test_a_line_bears_its_authors_present_name_or_none(game, ada, bob) -> None:
    lobby = lobby_of(bob)
    gone = account("gone")
    say(lobby, gone, "hello")
    User.objects.filter(pk=gone.pk).update(username="renamed")
    assert seen(lobby, bob)["lines"][0]["by"] == "renamed"
    gone.delete()
    assert [(line["by"], line["you"]) for line in seen(lobby, None)["lines"]] == [(None, False)]


def test_a_new_name_is_shown_and_an_account_may_write_as_one(game, ada) -> None:
    gus = guest("gus")
    say(game, gus, phrase="hello")
    before = seen(game, None)["rev"], permissions.load_viewer(gus.pk).rev
    chat_service.mute(ada.pk, "gus", True)
    User.objects.filter(pk=gus.pk).update(username="gustav", is_guest=False)
    chat_service.ChatObserver().renamed(gus.pk)
    assert seen(game, None)["rev"] != before[0]
    assert permissions.load_viewer(gus.pk).rev > before[1]
    assert permissions.load_viewer(ada.pk).muted == {gus.pk: "gustav"}
    assert seen(game, gus)["may"]["write"] == "text"


def test_one_look_at_a_talk_costs_a_fixed_number_of_queries(
    game, ada, bob, django_assert_num_queries
) -> None:
    for number in range(12):
        refill_buckets(ada, bob)
        say(game, (ada, bob)[number % 2], f"line {number}")
    with django_assert_num_queries(4):
        chat_view.load_chat(*where(game), "players")


def test_the_frame_of_a_stranger_says_nothing_private(game, cy) -> None:
    frame = chat_view.frame(chat_view.load_chat(*where(game), "watchers"), STRANGER, now())
    assert (frame["muted"], frame["reports"]) == ([], [])
    assert Viewer().muted == {}


# Pages


def test_a_stranger_takes_a_name_and_comes_back(game) -> None:
    browser = Client()
    url = game.get_absolute_url()
    assert browser.post("/chat/guest/", {"next": url}).url == url
    assert User.objects.filter(is_guest=True).count() == 1
    for elsewhere in ("//evil.example/", "https://evil.example/", "javascript:x", ""):
        assert browser.post("/chat/guest/", {"next": elsewhere}).url == "/"
    assert User.objects.filter(is_guest=True).count() == 1
    assert Client().get("/chat/guest/").status_code == 405
    assert Client(enforce_csrf_checks=True).post("/chat/guest/").status_code == 403


@pytest.fixture
def moderator() -> Client:
    return staff_browser(account("mod", is_staff=True, is_superuser=True))


def test_moderators_read_the_context_and_decide(game, ada, bob, moderator) -> None:
    report = reported(game, bob, say(game, ada, "<script>bad</script>"))
    page = moderator.get("/admin/chat/report/").content.decode()
    assert "&lt;script&gt;bad" in page
    detail = f"/admin/chat/report/{report.pk}/change/"
    page = moderator.get(detail).content.decode()
    assert "&lt;script&gt;bad" in page
    assert "Mute for 1 day" in page
    asked = moderator.post(detail, {"_hide": "x"})
    assert (asked.status_code, read(game, bob)) == (200, ["<script>bad</script>"])
    assert moderator.post(detail, {"_hide": "x", "confirmed": "yes"}).status_code == 302
    assert read(game, bob) == []
    report.refresh_from_db()
    assert (report.state, report.decided_by.username) == ("acted", "mod")
    page = moderator.get("/admin/chat/report/").content.decode()
    assert "script&gt;bad" not in page
    assert "script&gt;bad" in moderator.get("/admin/chat/report/?state=acted").content.decode()


def test_moderators_decide_on_many_and_take_silence_back(game, ada, bob, moderator) -> None:
    report = reported(game, bob, say(game, ada, "bad"))
    form = {"action": "week", "_selected_action": [report.pk]}
    moderator.post("/admin/chat/report/", form)
    assert refusal(say, game, ada, "but") == ChatReason.SILENCED
    listed = moderator.get("/admin/chat/chatmember/").content.decode()
    assert "<h1>Muted players</h1>" in listed
    assert f'value="{ada.pk}" class="action-select"' in listed
    moderator.post("/admin/chat/chatmember/", {"action": "let_write", "_selected_action": [ada.pk]})
    say(game, ada, "back")


def test_only_moderators_see_reports(game, ada, bob) -> None:
    report = reported(game, bob, say(game, ada, "bad"))
    looks_only = account("looker", is_staff=True)
    for user in (bob, looks_only):
        browser = Client()
        browser.force_login(user)
        detail = f"/admin/chat/report/{report.pk}/change/"
        for path in ("/admin/chat/report/", detail):
            assert browser.get(path).status_code in (302, 403)
        browser.post(detail, {"_hide": "x", "confirmed": "yes"})
    assert read(game, bob) == ["bad"]


def test_no_panel_where_talk_is_switched_off(settings) -> None:
    context = {"kind": "game", "ident": "abc"}
    assert 'data-topic="chat:game/abc"' in render_to_string("chat/panel.html", context)
    settings.CHAT = False
    assert render_to_string("chat/panel.html", context).strip() == ""
