"""Playing the computer: the start page, lobbies, profiles and lists."""

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.people.computer_users import NAMES, computer
from bots.level_texts import SENTENCES
from bots.models import Thinking, Worker
from games.players import levels
from lobby.models import Lobby
from play.domain.clocks import now
from play.domain.commands import Act, Envelope, Resign
from play.models import Game
from play.time_controls import PRESETS
from tests.support.loop_runtime import close_runtime, game_service
from tests.support.page_visitors import at_home, ended, game_of, someone, text_of
from tests.support.sign_up_forms import LOBBY, who

pytestmark = pytest.mark.django_db
CHOICES = {"game": "pincer", "side": "black", "clock": "none", "level": "3"}
BAD = [
    ({"level": "9"}, "doesn’t play this game at that level"),
    ({"level": "three"}, "doesn’t play this game at that level"),
    ({"level": ""}, "Pick a level to start."),
    ({"game": "chess"}, "isn’t one of the choices on this page"),
    ({"side": "red"}, "isn’t one of the choices on this page"),
    ({"clock": "fischer:1:999"}, "Choose 10 seconds to 180 minutes"),
    ({"clock": "sundial"}, "Choose one of the clocks on this page."),
]


def page(browser: Client, address: str = "/computer/") -> str:
    answer = browser.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def chosen(html: str) -> Mapping[str, str]:
    """The game, side and clock that a page would send."""
    found = dict(re.findall(r'type="radio" name="(\w+)" id="[^"]*" value="([^"]*)" checked', html))
    return {"game": re.search(r'name="game" value="([^"]*)"', html)[1], **found}


def hello(is_warm: bool) -> None:
    Worker.objects.create(name="one", at=now(), is_warm=is_warm)


def against(level: int, browser: Client, key: str = "pincer") -> Game:
    browser.post("/computer/", {**CHOICES, "game": key, "level": str(level)})
    return Game.objects.latest("pk")


def send(game: Game, command: Envelope[Any]) -> None:
    """Does what somebody at the game wants."""

    async def deed() -> None:
        await game_service().perform(command)
        await close_runtime()

    asyncio.run(deed())


def test_the_front_page_leads_to_the_computer_and_its_page_takes_a_game(client) -> None:
    assert re.search(
        r'class="button plain" href="/computer/">Play the computer<', page(client, "/")
    )
    for key in PRESETS:
        assert chosen(page(client, f"/computer/?game={key}"))["game"] == key


def test_the_computer_takes_the_first_side_in_pincer_and_the_person_elsewhere(client) -> None:
    for key in PRESETS:
        side = "black" if key == "pincer" else "white"
        expected = {"game": key, "side": side, "clock": "none"}
        assert chosen(page(client, f"/computer/?game={key}")) == expected


def test_each_level_is_a_button_with_a_sentence_about_this_game(client) -> None:
    for key in PRESETS:
        html = page(client, f"/computer/?game={key}")
        assert re.findall(r'name="level" value="(\d)"', html) == list("12345678")
        for name, sentence in zip(NAMES, SENTENCES[key], strict=True):
            assert name in html
            assert str(sentence) in html


@pytest.mark.parametrize("key", PRESETS)
def test_a_stranger_plays_with_two_clicks_what_the_page_had_chosen(client, key) -> None:
    form = chosen(page(client, f"/computer/?game={key}"))
    answer = client.post("/computer/", {**form, "level": "2"})
    game = Game.objects.get()
    assert answer.headers["Location"] == game.get_absolute_url()
    guest, bot = User.objects.get(pk=who(client)), computer(2)
    assert guest.is_guest
    assert {seat.role: seat.user for seat in game.seats.all()} == (
        {"white": bot, "black": guest} if key == "pincer" else {"white": guest, "black": bot}
    )
    assert (game.rules, game.clock_kind, game.has_bot) == (key, "none", True)
    assert client.get(game.get_absolute_url()).status_code == 200


@pytest.mark.parametrize(("wrong", "sentence"), BAD)
def test_a_choice_that_is_not_offered_is_refused_with_a_sentence_and_changes_nothing(
    client, wrong, sentence
) -> None:
    answer = client.post("/computer/", {**CHOICES, **wrong})
    assert answer.status_code in (400, 409)
    assert sentence in text_of(answer)
    assert "No game was started." in text_of(answer)
    assert not (User.objects.exists() or Lobby.objects.exists() or Game.objects.exists())
    assert "quiver-computer" not in answer.cookies


def test_a_form_keeps_its_values_after_a_refusal(client) -> None:
    answer = client.post("/computer/", {**CHOICES, "clock": "fischer:300:3", "level": "9"})
    expected = {"game": "pincer", "side": "black", "clock": "fischer:300:3"}
    assert chosen(answer.content.decode()) == expected


def test_without_numba_a_level_that_needs_it_says_why_it_is_off(client, monkeypatch) -> None:
    monkeypatch.setattr(levels, "has_numba", lambda: False)
    html = page(client, "/computer/?game=pincer")
    off = re.findall(r'<button class="button level off" name="level" value="(\d)" disabled>', html)
    needs = [str(each.number) for each in levels.levels_of("pincer") if each.needs_numba]
    assert off == needs
    assert "8" in needs and "1" not in needs
    assert html.count("this level needs numba") == len(needs)
    answer = client.post("/computer/", {**CHOICES, "level": "8"})
    assert answer.status_code == 409
    assert "doesn’t play this game at that level" in text_of(answer)
    assert not User.objects.exists()


def test_a_level_that_no_worker_can_play_is_off_although_numba_is_installed(client) -> None:
    needs = [each.number for each in levels.levels_of("pincer") if each.needs_numba]
    Worker.objects.create(name="broken", at=now(), is_warm=True, has_numba=False)
    assert client.get("/computer/state/").json()["off"]["pincer"] == needs
    assert page(client, "/computer/?game=pincer").count("this level needs numba") == len(needs)
    assert client.post("/computer/", {**CHOICES, "level": "8"}).status_code == 409
    assert not User.objects.exists()
    Worker.objects.create(name="whole", at=now(), is_warm=True)
    assert client.get("/computer/state/").json()["off"]["pincer"] == []
    assert client.post("/computer/", {**CHOICES, "level": "8"}).status_code == 302


def test_the_last_choices_of_each_game_are_remembered(client) -> None:
    client.post("/computer/", {**CHOICES, "side": "lot", "clock": "fischer:300:3", "level": "5"})
    client.post("/computer/", {**CHOICES, "game": "blotto", "side": "black", "level": "1"})
    html = page(client, "/computer/?game=pincer")
    assert chosen(html) == {"game": "pincer", "side": "lot", "clock": "fischer:300:3"}
    assert "Kestrel<span" in re.sub(r"\s+", " ", html)
    assert chosen(page(client))["game"] == "blotto"
    assert chosen(page(client, "/computer/?game=amazons"))["side"] == "white"


@pytest.mark.parametrize(
    "cookie", ["", "%", "pincer", "pincer=a,b,c", "pincer=black,none,99", "x" * 5000]
)
def test_a_cookie_that_means_nothing_is_no_harm(client, cookie) -> None:
    client.cookies["quiver-computer"] = cookie
    assert chosen(page(client, "/computer/?game=pincer"))["side"] == "black"


def test_a_double_click_begins_one_game(client) -> None:
    places = {client.post("/computer/", CHOICES).headers["Location"] for _ in range(2)}
    assert places == {Game.objects.get().get_absolute_url()}


def test_the_page_says_whether_somebody_is_there_to_answer(client) -> None:
    assert "The computer isn’t available right now." in page(client)
    hello(is_warm=False)
    assert "The computer is getting ready." in page(client)
    Worker.objects.update(is_warm=True)
    assert 'role="alert"' not in page(client)
    Worker.objects.update(at=now() - 60_000)
    assert "The computer isn’t available right now." in page(client)


def test_the_state_is_told_to_scripts(client) -> None:
    assert client.get("/computer/state/").json()["workers"] == 0
    hello(is_warm=True)
    told = client.get("/computer/state/").json()
    assert (told["workers"], told["warm"]) == (1, True)
    assert client.post("/computer/state/").status_code == 405


@pytest.mark.django_db
def test_thoughts_are_told_when_the_game_is_over_and_never_before(client) -> None:
    game = against(8, client)
    Thinking.objects.create(
        game=game, number=0, takebacks=0, role="white", level=8, action="move 1 5 2 5",
        value=0.5, line=["move 1 5 2 5"], nodes=12, depth=3, seed=7, ms=1,
    )  # fmt: skip
    address = f"{game.get_absolute_url()}thoughts/"
    send(game, Envelope(game.slug, computer(8).pk, now(), Act("a", 0, ("move 1 5 2 5",))))
    assert client.get(address).status_code == 404
    send(game, Envelope(game.slug, who(client), now(), Resign("b")))
    told = client.get(address).json()["thoughts"]
    assert [(each["n"], each["value"], each["seed"]) for each in told] == [(0, 0.5, 7)]
    assert Client().get(address).json()["thoughts"] == told


@pytest.mark.django_db
def test_games_of_people_have_no_thoughts(client) -> None:
    game = game_of(someone("ada"), someone("bob"))
    assert client.get(f"/g/{game.slug}/thoughts/").status_code == 404
    send(game, Envelope(game.slug, User.objects.get(username="ada").pk, now(), Resign("a")))
    assert client.get(f"/g/{game.slug}/thoughts/").status_code == 404
    assert client.get("/g/nowhere/thoughts/").status_code == 404
    assert 'id="thoughts"' not in page(client, f"/g/{game.slug}/")


def test_the_snapshot_tells_the_level(client) -> None:
    game = against(5, client)
    found = re.search(r'id="snapshot"[^>]*>(.*?)</script>', page(client, f"/g/{game.slug}/"))
    seats = json.loads(found[1])["seats"]
    expected = {"name": "Kestrel", "guest": False, "bot": True, "level": 5, "url": "/u/Kestrel/"}
    assert seats["white"] == expected
    assert seats["black"]["level"] is None


def test_a_game_against_the_computer_is_unlisted_unless_its_player_allows_it(client) -> None:
    client.post("/computer/", CHOICES)
    game = Game.objects.get()
    assert (game.is_public, game.watch, Lobby.objects.get().is_public) == (False, True, False)
    stranger = Client()
    assert game.slug not in page(stranger, "/") + page(stranger, "/watch/")
    assert stranger.get(game.get_absolute_url()).status_code == 200  # the link is enough
    assert "Unlisted" in text_of(stranger.get(game.get_absolute_url()))
    ended(game, "white", "no_moves", step=1, goals='{"white":100,"black":0}')
    assert game.slug not in page(stranger, "/") + page(stranger, "/watch/")
    client.post("/computer/", {**CHOICES, "level": "4", "listed": "yes"})
    listed = Game.objects.latest("pk")
    assert listed.is_public
    assert listed.slug in page(stranger, "/") and listed.slug in page(stranger, "/watch/")
    assert "Unlisted" not in text_of(stranger.get(listed.get_absolute_url()))


def test_an_unlisted_game_against_the_computer_is_on_no_profile_that_others_see() -> None:
    _, browser = at_home("ada")
    game = against(3, browser)
    ended(game, "black", "no_moves", step=1, goals='{"white":0,"black":100}')
    for profile in ("/u/ada/", "/u/Jay/"):
        assert game.slug not in page(Client(), profile)
    assert game.slug in page(browser, "/u/ada/")


def test_the_page_remembers_whether_games_may_be_shown(client) -> None:
    ticked = r'id="listed" value="yes" checked'
    assert not re.search(ticked, page(client))
    client.post("/computer/", {**CHOICES, "listed": "yes"})
    assert re.search(ticked, page(client))
    refused = client.post("/computer/", {**CHOICES, "level": "9"}).content.decode()
    assert not re.search(ticked, refused)
    client.post("/computer/", {**CHOICES, "level": "4"})
    assert not re.search(ticked, page(client))


def test_a_newcomer_is_offered_the_small_board_and_the_first_level(client) -> None:
    html = page(client)
    assert chosen(html)["game"] == "amazons-8x8"
    assert re.findall(r'class="button level meant" name="level" value="(\d)"', html) == ["1"]
    assert html.count("Start here") == 1
    client.post("/computer/", CHOICES)
    html = page(client)
    assert "Start here" not in html and "last time" in html


def test_lists_say_which_names_are_computers(client) -> None:
    client.post("/computer/", {**CHOICES, "level": "5", "listed": "yes"})
    home = text_of(client.get("/"))
    assert "Kestrel computer" in home
    game = Game.objects.get()
    Game.objects.update(ended=now(), step=1, winner="white", reason="no_moves", goals="{}")
    assert game.seats.count() == 2
    assert "Kestrel computer" in text_of(client.get("/watch/"))


def hosted() -> tuple[Client, str]:
    _, host = at_home("ada")
    host.post("/lobbies/", LOBBY)
    return host, Lobby.objects.get().get_absolute_url()


def offers(html: str) -> list[str]:
    return re.findall(r'<option value="(\d)"', html)


def test_the_host_of_a_lobby_may_seat_the_computer(client) -> None:
    host, address = hosted()
    assert offers(page(host, address)) == list("12345678")
    assert offers(page(client, address)) == []
    answer = host.post(f"{address}computer/", {"seat": "2", "level": "4"})
    game = Game.objects.get()
    assert answer.headers["Location"] == game.get_absolute_url()
    assert set(game.seats.values_list("user__username", flat=True)) == {"ada", "Magpie"}


def test_a_host_who_is_not_ready_sees_the_computer_sit_and_may_change_it() -> None:
    host, address = hosted()
    host.post(f"{address}unready/")
    host.post(f"{address}computer/", {"seat": "2", "level": "4"})
    told = text_of(host.get(address))
    assert "Magpie" in told
    assert "computer, level 4" in told
    assert "Change" in told
    assert not re.search(r'<li class="person"[^>]*data-key="Magpie"', page(host, address))
    host.post(f"{address}computer/", {"seat": "2", "level": "6"})
    assert "computer, level 6" in text_of(host.get(address))
    host.post(f"{address}free/", {"seat": "2"})
    assert Lobby.objects.get().two is None


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"seat": "2", "level": "9"}, "doesn’t play this game at that level"),
        ({"seat": "2"}, "doesn’t play this game at that level"),
        ({"seat": "1", "level": "4"}, "Someone else just took that seat."),
        ({"seat": "3", "level": "4"}, "isn’t one of the choices on this page"),
    ],
)
def test_bad_ways_to_seat_the_computer_are_refused(form, sentence) -> None:
    host, address = hosted()
    answer = host.post(f"{address}computer/", form)
    assert answer.status_code in (400, 409)
    assert sentence in text_of(answer)
    assert not Game.objects.exists()
    assert Lobby.objects.get().two is None


def test_others_than_the_host_cannot_seat_the_computer(client) -> None:
    _, address = hosted()
    _, guest = at_home("bob")
    for browser in (client, guest):
        answer = browser.post(f"{address}computer/", {"seat": "2", "level": "4"})
        assert answer.status_code == 409
        assert "Only the host can do that." in text_of(answer)
    assert Lobby.objects.get().two is None


def test_the_page_of_a_computer_player_says_how_it_plays(client) -> None:
    computer(8)
    html = page(client, "/u/Eagle/")
    assert "A computer player, level 8" in html
    for sentences in SENTENCES.values():
        assert str(sentences[7]) in html
    assert 'href="/computer/?level=8">Play against it</a>' in html
    assert re.search(
        r'class="button level meant" name="level" value="8"', page(client, "/computer/?level=8")
    )
    someone("ada")
    assert "How it plays" not in page(client, "/u/ada/")


def test_the_rules_of_each_game_end_with_a_way_to_the_computer(client) -> None:
    for key in PRESETS:
        link = f'<a href="/computer/?game={key}">Play the computer</a>'
        assert link in page(client, f"/learn/{key}/")


@pytest.mark.django_db
def test_a_rematch_begins_at_once_and_the_computer_never_asks_for_one(client) -> None:
    game = against(8, client)
    send(game, Envelope(game.slug, who(client), now(), Resign("b")))
    told = text_of(client.get(f"/l/{game.lobby}/"))
    assert "Eagle won" in told
    assert "asks for a rematch" not in told
    answer = client.post(f"/l/{game.lobby}/rematch/")
    again = Game.objects.latest("pk")
    assert answer.headers["Location"] == again.get_absolute_url() != game.get_absolute_url()
    assert again.seats.get(role="black").user == computer(8)
    assert 'href="/computer/?game=pincer">New game' in page(client, f"/g/{again.slug}/")


def test_no_bank_of_days_is_offered_against_an_opponent_who_answers_at_once(client) -> None:
    offered = page(client)
    assert "1 day" in offered
    assert "4 days + 24 h" not in offered
