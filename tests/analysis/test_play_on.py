"""Games against the computer that begin from a position of an analysis, and count nowhere."""

import json
import time

import pytest
from django.test import Client

from accounts.models import User
from accounts.people.computer_users import computer
from analysis.board.game_positions import whole_turns
from bots.worker_registry import games_with_computers
from games.audit.record import check_record
from games.catalogue import rules_of
from lobby.computer_seats import MAX_RUNNING_GAMES
from play.models import Entry, Game
from play.runtime.game_commands import play_given_turns
from play.storage import load
from play.storage.verification import faults_of, rows_of
from ratings.ladder.ladder_applier import apply_ended_games
from ratings.ladder.models import LadderGame
from tests.analysis.test_analysis import data_of, played, random_turn
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import browser_of, someone

pytestmark = pytest.mark.django_db
BOARDS = ["amazons-10x10", "amazons-8x8", "amazons", "pincer"]


@pytest.fixture
def people(db):
    return someone("ada"), someone("bob")


def some_turns(key: str, count: int) -> tuple[list[list[str]], object]:
    rules = rules_of(key)
    state, turns = rules.start(), []
    for seed in range(count):
        texts, state = random_turn(rules, state, seed)
        turns.append(texts)
    return turns, state


def ask(browser, key, turns, level=1, **more):
    body = more.pop("body", None) or json.dumps({"turns": turns, "level": level, **more})
    return browser.post(f"/analysis/{key}/play", body, content_type="application/json")


def game_of(answer) -> Game:
    return Game.objects.get(slug=answer.json()["game"].strip("/").split("/")[-1])


@pytest.mark.parametrize("key", BOARDS)
@pytest.mark.parametrize("count", [1, 4])
def test_a_game_begins_from_the_position_and_verifies(people, key, count) -> None:
    turns, state = some_turns(key, count)
    game = game_of(ask(browser_of(people[0]), key, turns))
    live = load.fetch(game.slug)
    (role,) = rules_of(key).control(state)
    assert live.state == state and live.people[role].name == "ada"
    assert live.people["white" if role == "black" else "black"].level == 1
    assert [actions for actions, _ in whole_turns(live)] == turns
    assert (game.is_public, game.is_rated, game.clock_kind, game.lobby) == (False,) * 2 + (
        "none",
        "",
    )
    assert faults_of(rows_of(game.slug)) == []
    opening = json.loads(Entry.objects.get(game=game, rev=0).body)
    assert opening["given"] == count
    assert game.slug in [row.slug for row in games_with_computers()]


def test_it_is_played_to_its_end_and_its_record_is_right(people) -> None:
    turns, _ = some_turns("pincer", 3)
    game = game_of(ask(browser_of(people[0]), "pincer", turns, level=2))
    timed = TimedGame.__new__(TimedGame)
    timed.slug, timed.start, timed.game = game.slug, game.created, game
    timed.users = {"black": people[0], "white": computer(2)}
    timed.turn("black", 10)
    timed.turn("white", 20)
    timed.ask("takeback", "offer", "black", 30)
    timed.ask("takeback", "accept", "white", 40)
    timed.turn("black", 50)
    timed.resign("white", 60)
    assert faults_of(rows_of(game.slug)) == []
    record = Client().get(f"/g/{game.slug}/record.json").json()
    assert check_record(record)[0] == []
    assert len(data_of(Client().get(f"/g/{game.slug}/analysis/"))["nodes"]) == 4


def test_it_counts_for_no_rung_and_is_on_no_list(people) -> None:
    ada = people[0]
    assert ada.is_account
    turns, _ = some_turns("pincer", 2)
    for count in (1, 2):
        game = game_of(ask(browser_of(ada), "pincer", turns[:count], level=5))
        timed = TimedGame.__new__(TimedGame)
        timed.slug, timed.start, timed.game = game.slug, game.created, game
        own = "black" if count == 1 else "white"
        timed.users = {own: ada, "white" if own == "black" else "black": computer(5)}
        timed.resign("white" if own == "black" else "black", 10)
    apply_ended_games()
    entered = LadderGame.objects.all()
    assert [(each.is_won, each.is_void, each.rung) for each in entered] == [(True, True, None)] * 2
    assert not LadderGame.objects.listed().exists()
    for path in ("/", "/watch/", "/u/ada/"):
        assert game.slug not in Client().get(path).content.decode()


def test_a_guest_is_made_only_for_legal_turns(db) -> None:
    assert ask(Client(), "pincer", [["move 1 5 1 5"]]).status_code == 400
    assert not User.objects.filter(is_guest=True).exists()
    turns, _ = some_turns("pincer", 1)
    assert ask(Client(), "pincer", turns).status_code == 200
    assert User.objects.filter(is_guest=True).count() == 1


@pytest.mark.parametrize(
    "body",
    [
        "", "[]", '{"turns": [], "level": 1}', '{"level": 1}', '{"turns": [[]], "level": 1}',
        '{"turns": [["move 1 5 2 5"]], "level": 1}',  # half a turn
        '{"turns": [["<b>"]], "level": 1}', '{"turns": [["move 1 5 2 5"]], "level": "x"}',
        json.dumps({"turns": [["move 1 5 2 5", "move 7 3 6 3"]] * 501, "level": 1}),
        '{"turns": [["move 1 5 2 5", "move 7 3 6 3"]], "level": 1, "game": "x"}',
    ],
)  # fmt: skip
def test_what_is_no_position_is_a_bad_request(people, body) -> None:
    assert ask(browser_of(people[0]), "pincer", None, body=body).status_code == 400
    assert not Game.objects.exists()


def test_other_refusals_change_nothing(people) -> None:
    browser = browser_of(people[0])
    turns, _ = some_turns("pincer", 1)
    for level in (0, 9, -1, 10**9):
        answer = ask(browser, "pincer", turns, level)
        assert (answer.status_code, answer.json()["refused"]["say"] != "") == (409, True)
    for key in ("blotto", "chess"):
        assert ask(browser, key, turns).status_code == 404
    assert ask(browser, "pincer", turns, body="x" * 70_000).status_code == 413
    assert not Game.objects.exists()


def test_a_position_in_which_the_game_is_over_is_not_played_on(people) -> None:
    rules = rules_of("amazons-8x8")
    state, turns = rules.start(), []
    while rules.outcome(state) is None:
        texts, state = random_turn(rules, state, len(turns))
        turns.append(texts)
    answer = ask(browser_of(people[0]), "amazons-8x8", turns)
    assert (answer.status_code, "over" in answer.json()["refused"]["say"]) == (409, True)
    assert not Game.objects.exists()
    begun = time.perf_counter()
    assert ask(browser_of(people[0]), "amazons-8x8", turns[:-1]).status_code == 200
    assert time.perf_counter() - begun < 5  # some 50 turns; the writer waits meanwhile


def test_only_so_many_games_run_at_once(people) -> None:
    browser, (turns, _) = browser_of(people[0]), some_turns("pincer", 1)
    statuses = [ask(browser, "pincer", turns).status_code for _ in range(MAX_RUNNING_GAMES + 1)]
    assert statuses == [200] * MAX_RUNNING_GAMES + [409]
    assert Game.objects.count() == MAX_RUNNING_GAMES


def test_turns_are_given_without_a_clock_alone(people) -> None:
    game = TimedGame(*people)
    with pytest.raises(ValueError, match="without a clock"):
        play_given_turns(game.game, some_turns("pincer", 1)[0])


def test_the_page_offers_the_level_that_was_played(people) -> None:
    game = played(people[0], computer(6))
    page = Client().get(f"/g/{game.slug}/analysis/").content.decode()
    assert '<option value="6" selected>' in page
    assert '<option value="3" selected>' in Client().get("/analysis/pincer/").content.decode()
