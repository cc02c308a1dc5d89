"""The analysis board: the turns of a finished game, and trees that are played by the rules."""

import json
import re
from random import Random

import pytest
from django.test import Client

from accounts.limits import rate_limits
from games.catalogue import rules_of
from games.core import assemble_joint
from play.domain import commands
from play.time_controls import NO_CLOCK
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import browser_of, someone
from tests.support.walled_games import WHITE_AHEAD

pytestmark = pytest.mark.django_db
BOARDS = ["amazons-10x10", "amazons-8x8", "amazons", "pincer"]
OPENING = {
    "amazons-10x10": ["move 4 1 4 7", "fire 7 7"],
    "amazons-8x8": ["move 3 1 3 5", "fire 5 5"],
    "amazons": ["play 4 1 4 7 7 7"],
    "pincer": ["move 1 5 2 5", "move 7 3 6 3"],
}


@pytest.fixture
def people(db):
    return someone("ada"), someone("bob")


def played(white, black, key="pincer", turns=4, ends=True) -> TimedGame:
    """A game of some random turns, which white resigns."""
    game = TimedGame(white, black, key, NO_CLOCK, True)
    for turn in range(turns):
        game.turn(("white", "black")[turn % 2], seed=turn)
    if ends:
        game.resign("white")
    return game


def data_of(page) -> dict:
    block = re.search(
        r'<script id="analysis" type="application/json">(.*?)</script>', page.content.decode()
    )
    return json.loads(block[1])


def post(key, body, browser=None):
    text = body if isinstance(body, str) else json.dumps(body)
    client = browser or Client()
    return client.post(f"/analysis/{key}/tree", text, content_type="application/json")


def node(parent, *actions, **notes) -> dict:
    return {"parent": parent, "actions": list(actions), **notes}


@pytest.mark.parametrize("key", BOARDS)
def test_a_finished_game_shows_its_turns_and_last_position(people, key) -> None:
    game = played(*people, key)
    data = data_of(Client().get(f"/g/{game.slug}/analysis/"))
    assert [each["role"] for each in data["nodes"]] == ["white", "black"] * 2
    assert [each["parent"] for each in data["nodes"]] == [-1, 0, 1, 2]
    assert data["nodes"][-1]["position"] == game.row.position
    assert data["start"]["position"] == rules_of(key).write(rules_of(key).start())
    assert (data["result"], data["you"]) == ({"winner": "black"}, None)
    assert data_of(browser_of(people[1]).get(f"/g/{game.slug}/analysis/"))["you"] == "black"


def test_a_running_game_has_no_analysis_for_anybody(people) -> None:
    game = played(*people, ends=False)
    for browser in (Client(), *map(browser_of, people)):
        assert browser.get(f"/g/{game.slug}/analysis/").status_code == 404


def test_blotto_and_unknown_rules_have_no_board(people) -> None:
    blotto = TimedGame(*people, "blotto", NO_CLOCK, True)
    blotto.resign("white")
    assert Client().get(f"/g/{blotto.slug}/analysis/").status_code == 404
    for key in ("blotto", "chess"):
        assert Client().get(f"/analysis/{key}/").status_code == 404
        assert post(key, {"nodes": []}).status_code == 404


def test_a_turn_that_was_begun_when_the_game_ended_is_left_out(people) -> None:
    game = played(*people, "amazons-8x8", turns=1, ends=False)
    rules = rules_of("amazons-8x8")
    move = next(
        text
        for text in map(str, rules.choices(rules.read(game.row.position), "black"))
        if text.startswith("move")
    )
    game.do(commands.Act("begun", game.row.step, (move,)), "black")
    game.resign("black")
    assert len(data_of(Client().get(f"/g/{game.slug}/analysis/"))["nodes"]) == 1


@pytest.mark.parametrize("key", BOARDS)
def test_a_turn_is_played_by_the_rules(key) -> None:
    opening = node(-1, *OPENING[key])
    answer = post(key, {"nodes": [opening], "at": 0}).json()
    (played_node,) = answer["nodes"]
    assert played_node["role"] == "white"
    assert answer["snapshot"]["control"] == ["black"] and answer["snapshot"]["prompt"]
    assert answer["snapshot"]["view"]["board"] == played_node["view"]["board"]


def random_turn(rules, state, seed) -> tuple[list[str], object]:
    """A legal turn of the role in control, and the state after it."""
    rng, turn, texts = Random(seed), rules.turns(state), []
    while rules.turns(state) == turn:
        (role,) = rules.control(state)
        texts.append(rng.choice(list(map(str, rules.choices(state, role)))))
        state = rules.play(state, assemble_joint(rules, state, {role: rules.parse(texts[-1])}))
    return texts, state


def test_a_turn_keeps_its_comment_and_mark() -> None:
    noted = node(-1, *OPENING["pincer"], comment="<b>Açık</b>\nis plain text", mark="!?")
    answer = post("pincer", {"nodes": [noted, node(-1, *OPENING["pincer"])]}).json()
    kept = [(each["comment"], each["mark"]) for each in answer["nodes"]]
    assert kept == [("<b>Açık</b>\nis plain text", "!?"), ("", "")]


@pytest.mark.parametrize(
    "notes",
    [
        {"mark": "!!!"},
        {"mark": "best"},
        {"comment": "x" * 501},
        {"comment": None},
        {"comment": ["x"]},
        {"note": "x"},
    ],
)
def test_bad_comments_and_marks_are_bad_requests(notes) -> None:
    answer = post("pincer", {"nodes": [node(-1, *OPENING["pincer"], **notes)]})
    assert answer.status_code == 400 and answer.json()["error"]


@pytest.mark.parametrize("key", BOARDS)
def test_variations_share_their_beginning(key) -> None:
    rules = rules_of(key)
    first, state = random_turn(rules, rules.start(), 1)
    replies = [random_turn(rules, state, seed) for seed in (2, 3)]
    nodes = [node(-1, *first), *(node(0, *texts) for texts, _ in replies)]
    answer = post(key, {"nodes": nodes}).json()
    assert [each["parent"] for each in answer["nodes"]] == [-1, 0, 0]
    found = [each["position"] for each in answer["nodes"][1:]]
    assert found == [rules.write(after) for _, after in replies] and found[0] != found[1]


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (["move 4 1 4 7"], "not one whole turn"),
        (["move 4 1 4 7", "fire 7 7", "move 4 10 5 10"], "not one whole turn"),
        (["move 4 1 5 3", "fire 7 7"], ""),
        (["jump 4 1 5 3"], ""),
        (["move 4 1 4 7", "x" * 200], "not one whole turn"),
        ([], "not one whole turn"),
    ],
)
def test_an_illegal_turn_is_refused_with_its_place(actions, words) -> None:
    nodes = [node(-1, *OPENING["amazons-10x10"]), node(-1, *actions)]
    answer = post("amazons-10x10", {"nodes": nodes})
    assert answer.status_code == 200
    refused = answer.json()["refused"]
    assert refused["index"] == 1 and words in refused["say"] and refused["say"]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        '{"nodes": [{"parent": 0, "actions": ["move 1 5 2 5"]}]}',  # follows itself
        '{"nodes": [{"parent": 3, "actions": ["move 1 5 2 5"]}]}',
        '{"nodes": [{"parent": -2, "actions": ["move 1 5 2 5"]}]}',
        '{"nodes": [], "at": 0}',
        '{"nodes": [], "at": -2}',
        '{"nodes": [], "more": 1}',
        '{"nodes": [], "at": -1, "standing": 1}',
        json.dumps({"nodes": [node(-1, *OPENING["pincer"])] * 501}),
    ],
)
def test_what_is_no_tree_is_a_bad_request(body) -> None:
    answer = post("pincer", body)
    assert answer.status_code == 400 and answer.json()["error"]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"nodes": [], "pad": "x" * 70_000}),
        json.dumps({"nodes": [node(-1, *OPENING["pincer"])] * 5_001}),
        json.dumps({"nodes": [node(at - 1, "move 1 5 2 5") for at in range(10_000)]}),
        "[" * 1_000_000,
    ],
)
def test_a_body_that_is_too_long_is_not_read(text) -> None:
    assert post("pincer", text).status_code == 413


@pytest.mark.parametrize("text", ["[" * 60_000, '{"nodes":' * 7_000])
def test_deep_json_is_a_bad_request(text) -> None:
    assert post("pincer", text).status_code == 400


def test_a_deep_tree_is_played_or_refused_by_its_first_illegal_turn() -> None:
    """A line of 500 turns that go to and fro: Pincer ends after 50 single moves."""
    ways = (["move 1 5 2 5", "move 7 3 6 3"], ["move 1 7 2 7", "move 7 1 6 1"])
    back = (["move 2 5 1 5", "move 6 3 7 3"], ["move 2 7 1 7", "move 6 1 7 1"])
    turns = [*ways, *back] * 125
    refused = post("pincer", {"nodes": [node(at - 1, *turn) for at, turn in enumerate(turns)]})
    assert refused.json()["refused"]["index"] < 50


def test_two_nodes_cannot_follow_each_other() -> None:
    turn = OPENING["pincer"]
    assert post("pincer", {"nodes": [node(1, *turn), node(0, *turn)]}).status_code == 400


def test_turns_of_other_rules_are_refused() -> None:
    for key in ("amazons", "pincer"):
        answer = post(key, {"nodes": [node(-1, *OPENING["amazons-8x8"])]}).json()
        assert answer["refused"]["index"] == 0


def wall() -> list[dict]:
    """A line of the free arrow game that parts the board: see walled_games."""
    return [node(at - 1, action) for at, action in enumerate(WHITE_AHEAD)]


@pytest.mark.parametrize("counted", [False, True])
def test_a_position_is_told_with_its_regions(counted) -> None:
    request = {"nodes": wall(), "at": 9, "standing": True, "counted": counted}
    found = post("amazons", request).json()["standing"]
    assert found["sure"] == {"white": 46, "black": 36}
    assert [(each["role"], each["sure"]) for each in found["regions"]] == [
        ("white", 46),
        ("black", 36),
    ]
    assert all(len(each["squares"].split()) == each["sure"] for each in found["regions"])
    # Without counting, no game is decided while the loser owns a square.
    assert (found["decided"] is not None) == counted


@pytest.mark.parametrize(
    ("key", "white", "black"),
    [
        ("amazons-8x8", "White", "Black"),
        ("pincer", "Triangles", "Circles"),
    ],
)
def test_an_empty_board_calls_the_sides_as_the_game_does(key, white, black) -> None:
    data = data_of(Client().get(f"/analysis/{key}/"))
    assert data["names"] == {"white": white, "black": black}
    seats = post(key, {"nodes": [], "at": -1}).json()["snapshot"]["seats"]
    assert [seats[role]["name"] for role in ("white", "black")] == [white, black]


def test_standings_are_told_of_the_start_and_only_if_they_are_asked_for() -> None:
    found = post("amazons-10x10", {"nodes": [], "at": -1, "standing": True}).json()
    assert found["standing"]["sure"] == {"white": 0, "black": 0}
    assert [each["role"] for each in found["standing"]["regions"]] == [None]
    assert "standing" not in post("amazons-10x10", {"nodes": [], "at": -1}).json()
    assert "standing" not in post("amazons-10x10", {"nodes": [], "standing": True}).json()


def test_trees_are_charged_to_the_network_that_asks_for_them() -> None:
    stranger = Client(REMOTE_ADDR="203.0.113.7")
    assert post("pincer", {"nodes": []}, stranger).status_code == 200
    assert rate_limits.CPU_TIME.of("203.0.113.7").read_count() > 0
    rate_limits.CPU_TIME.of("203.0.113.7").add(rate_limits.CPU_TIME.most)
    assert post("pincer", {"nodes": []}, stranger).status_code == 429


def test_nothing_is_stored(people, django_assert_num_queries) -> None:
    browser = browser_of(people[0])
    post("pincer", {"nodes": []}, browser)
    with django_assert_num_queries(0):
        post("pincer", {"nodes": [node(-1, *OPENING["pincer"])], "at": 0})
