"""`/explorer/RULES.json`: counts for everybody, bad input refused, hidden games never linked."""

import re

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from analysis.explorer.counting import BOARD_RULES, count_ended_games
from analysis.explorer.groups import GROUPS
from analysis.explorer.opening_rows import Count, Key, add_rows
from analysis.explorer.openings import MAX_LISTED_TURNS
from games.catalogue import rules_of
from games.core import advance, fill_noop
from games.opening_keys import position_key
from games.symmetry import canonical_position, image_of, start_symmetries
from play.models import Game
from play.time_controls import NO_CLOCK
from tests.analysis.explorer.test_opening_counts import played
from tests.support.notice_games import TimedGame
from tests.support.rated_games import create_accounts

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db) -> list[User]:
    return create_accounts("ada", "bob")


def ask(key="pincer", status=200, **query) -> dict:
    answer = Client().get(f"/explorer/{key}.json", query)
    assert answer.status_code == status, answer.content
    return answer.json()


def play(rules, state, actions):
    (role,) = rules.control(state)
    for action in actions:
        state = advance(rules, state, fill_noop(rules, {role: action}))
    return state


def test_nothing_is_known_before_a_game_has_ended(people) -> None:
    running = TimedGame(*people, "pincer", NO_CLOCK, True)
    running.turn("white")
    running.turn("black")
    count_ended_games()
    found = ask()
    assert (found["games"], found["turns"], found["newest"], found["left_out"]) == (0, [], [], 0)
    assert found["groups"] == list(GROUPS)


@pytest.mark.parametrize("key", BOARD_RULES)
def test_a_played_game_can_be_followed_turn_by_turn(people, key) -> None:
    game = played(*people, "black", key, turns=5)
    count_ended_games()
    rules = rules_of(key)
    state = rules.start()
    for _ in range(5):
        found = ask(key, position=rules.write(state))
        (turn,) = found["turns"]
        assert (turn["games"], turn["white"], turn["draws"], turn["black"]) == (1, 0, 0, 1)
        assert found["newest"][0]["url"] == f"/g/{game.slug}/"
        assert (found["newest"][0]["winner"], found["newest"][0]["white"]) == ("black", "ada")
        state = play(rules, state, [rules.parse(text) for text in turn["actions"]])
    assert ask(key, position=rules.write(state))["turns"] == []


def test_turns_are_shown_as_the_readers_board_has_them(people) -> None:
    played(*people, key="amazons-8x8", turns=4)
    count_ended_games()
    rules = rules_of("amazons-8x8")
    (first,) = ask("amazons-8x8")["turns"]
    actions = [rules.parse(text) for text in first["actions"]]
    tables = []
    for symmetry in start_symmetries(rules):
        image = play(rules, rules.start(), [image_of(each, symmetry) for each in actions])
        found = ask("amazons-8x8", position=rules.write(image))
        (turn,) = found["turns"]
        play(rules, image, [rules.parse(text) for text in turn["actions"]])  # legal there
        tables.append((found["games"], turn["turn"]))
    assert tables[0][0] == tables[1][0] == 1
    assert tables[0][1] != tables[1][1]


def test_groups_filter_the_counts(people) -> None:
    played(*people)
    count_ended_games()
    assert [ask(group=group)["games"] for group in ("everyone", "unrated")] == [1, 1]
    assert [ask(group=group)["games"] for group in ("level-3", "rated-0")] == [0, 0]


def test_hidden_games_and_those_of_people_who_left_are_never_linked(people) -> None:
    game = played(*people)
    count_ended_games()
    assert ask()["newest"]
    Game.objects.filter(slug=game.slug).update(is_public=False)
    assert (ask()["newest"], ask()["games"]) == ([], 1)
    Game.objects.filter(slug=game.slug).update(is_public=True)
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    assert (ask()["newest"], ask()["games"]) == ([], 1)
    User.objects.filter(pk=people[0].pk).update(is_active=True)
    Game.objects.filter(slug=game.slug).delete()
    assert (ask()["newest"], ask()["games"]) == ([], 1)


def test_a_position_with_many_turns_names_the_most_frequent(people) -> None:
    rules = rules_of("pincer")
    key = position_key(rules, canonical_position(rules, rules.start()))
    ways = [f"{a}{n}-{b}{n}" for n in range(1, 8) for a, b in ("ab", "bc", "cd", "de", "ef")]
    add_rows({Key(key, "everyone", way): Count(n, 0, 1, 1) for n, way in enumerate(ways)})
    found = ask()
    assert len(found["turns"]) == MAX_LISTED_TURNS
    assert found["left_out"] == len(ways) - MAX_LISTED_TURNS
    assert found["games"] == sum(range(len(ways))) + len(ways)
    counts = [turn["games"] for turn in found["turns"]]
    assert counts == sorted(counts, reverse=True)


def test_within_a_turn_and_beyond_the_last_turn_the_table_is_empty(people) -> None:
    played(*people, key="amazons-8x8", turns=13)
    count_ended_games()
    rules = rules_of("amazons-8x8")
    state = rules.start()
    half = play(rules, state, [rules.parse("move 3 1 3 5")])
    assert ask("amazons-8x8", position=rules.write(half))["turns"] == []
    for _ in range(12):
        (turn,) = ask("amazons-8x8", position=rules.write(state))["turns"]
        state = play(rules, state, [rules.parse(text) for text in turn["actions"]])
    assert ask("amazons-8x8", position=rules.write(state))["turns"] == []


def test_bad_input_is_refused_with_a_sentence() -> None:
    assert ask(status=400, group="everybody")["error"].startswith("The group is one of everyone")
    assert "no position of Pincer" in ask(status=400, position="W/B white - 0 0")["error"]
    assert "200 characters" in ask(status=400, position="." * 201)["error"]
    other = rules_of("amazons").write(rules_of("amazons").start())
    assert "no position of Pincer" in ask(status=400, position=other)["error"]
    assert "no position" in ask(status=400, position="<script>alert(1)</script>")["error"]


@pytest.mark.parametrize("key", ["blotto", "chess", "pincer-2"])
def test_rules_without_openings_are_not_found(key) -> None:
    assert Client().get(f"/explorer/{key}.json").status_code == 404


def test_only_reading_is_allowed() -> None:
    assert Client().post("/explorer/pincer.json").status_code == 405


@pytest.mark.parametrize(
    ("key", "language", "head"),
    [
        ("amazons-8x8", "en", "White wins – draws – Black wins"),
        ("pincer", "en", "Triangles win – draws – Circles win"),
        ("amazons-8x8", "tr", "Beyaz kazandı – berabere – Siyah kazandı"),
        ("pincer", "tr", "Üçgenler kazandı – berabere – Daireler kazandı"),
    ],
)
def test_the_table_names_the_sides_of_the_game(key, language, head) -> None:
    page = Client(headers={"accept-language": language}).get(f"/analysis/{key}/")
    found = re.findall(r'<th scope="col" id="explorer-results">(.*?)</th>', page.content.decode())
    assert found == [head]


@pytest.mark.django_db  # PostgreSQL ends a transaction that is idle for 10 s
@settings(deadline=None, max_examples=150)
@given(st.sampled_from(BOARD_RULES), st.data())
def test_no_text_makes_the_server_fail(key, data) -> None:
    rules = rules_of(key)
    start = rules.write(rules.start())
    place = data.draw(st.integers(0, len(start)))
    patch = data.draw(st.text(alphabet="WBx./ -0123456789abwhitelk", max_size=12))
    cut = data.draw(st.integers(0, 12))
    text = start[:place] + patch + start[place + cut :]
    assert Client().get(f"/explorer/{key}.json", {"position": text}).status_code in (200, 400)


def test_answers_may_be_kept_for_a_minute(people) -> None:
    answer = Client().get("/explorer/pincer.json")
    assert answer["Cache-Control"] == "public, max-age=60"


def test_one_query_without_and_five_with_games(people, django_assert_max_num_queries) -> None:
    with django_assert_max_num_queries(1):
        ask()
    played(*people)
    count_ended_games()
    with django_assert_max_num_queries(5):
        ask()


def test_reads_are_limited(monkeypatch) -> None:
    from server.requests import rate_limit_middleware

    limit = rate_limit_middleware.rate_limits.Limit("explorer-test", 2, 2)
    monkeypatch.setitem(rate_limit_middleware.BY_GET, "explorer", limit)
    browser = Client(REMOTE_ADDR="203.0.113.7")
    statuses = [browser.get("/explorer/pincer.json").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
