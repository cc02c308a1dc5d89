"""Learn pages: every exercise can be solved, and its solution is not revealed early."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.catalogue import RULES, rules_of
from games.core import OTHER, advance, assemble_joint
from games.puzzles.puzzle import Kind
from pages.learn import lesson_attempt
from pages.learn.course import COURSES
from pages.learn.lesson_goals import PlayedTurn
from pages.learn.lessons import Lesson
from puzzles.puzzle_texts import TITLES
from tests.support.page_visitors import game_of, someone

pytestmark = pytest.mark.slow

EACH = [(key, n + 1, lesson) for key in COURSES for n, lesson in enumerate(COURSES[key])]
NAMES = [f"{key}-{lesson.slug}" for key, _, lesson in EACH]
each_lesson = pytest.mark.parametrize(("key", "number", "lesson"), EACH, ids=NAMES)


def tried(key: str, number: int, actions: Any) -> dict[str, Any]:
    """The answer to a turn, as a page gets it."""
    body = json.dumps({"actions": actions})
    response = Client().post(f"/learn/{key}/{number}/try", body, "application/json")
    assert response.status_code == 200
    return json.loads(response.content)


def turns(key: str, lesson: Lesson) -> Iterator[tuple[tuple[str, ...], PlayedTurn]]:
    """Every whole turn of a position, played by the rules themselves."""
    rules = rules_of(key)
    start = rules.read(lesson.position)
    open_turns: list[Any] = [((), (), start)]
    while open_turns:
        texts, effects, state = open_turns.pop()
        for action in rules.choices(state, lesson.role):
            acts = {lesson.role: action}
            if lesson.other:
                acts[OTHER[lesson.role]] = rules.parse(lesson.other)
            joint = assemble_joint(rules, state, acts)
            after = advance(rules, state, joint)
            made = (*texts, str(action)), (*effects, *rules.effects(state, joint, None)), after
            if rules.turns(after) > rules.turns(start):
                yield made[0], PlayedTurn(rules, lesson.role, after, made[1])
            else:
                open_turns.append(made)


def test_every_rule_set_has_a_course_of_four_to_six_positions() -> None:
    assert COURSES.keys() == RULES.keys()
    for course in COURSES.values():
        assert 4 <= len(course) <= 6
        assert len({lesson.slug for lesson in course}) == len(course)


@each_lesson
def test_its_solution_solves_it(key: str, number: int, lesson: Lesson) -> None:
    answer = tried(key, number, lesson.solution)
    assert answer["verdict"] == "solved"
    assert answer["solution"] is None
    assert [step["n"] for step in answer["steps"]] == list(range(len(lesson.solution)))
    assert all(step["effects"] for step in answer["steps"])
    assert answer["snapshot"]["prompt"] is None
    assert answer["snapshot"]["last"] == answer["steps"]


@each_lesson
def test_a_legal_turn_that_misses_the_goal_does_not_solve_the_lesson(key, number, lesson) -> None:
    found = list(turns(key, lesson))
    solved = [texts for texts, played in found if lesson.aim(played)]
    missed = [texts for texts, played in found if not lesson.aim(played)]
    assert lesson.solution in solved
    assert len(missed) >= len(solved)  # luck alone does not solve it
    for texts in (missed[0], missed[len(missed) // 2], missed[-1]):
        answer = tried(key, number, texts)
        assert answer["verdict"] == "missed"
        assert answer["solution"] == lesson_attempt.solution(rules_of(key), lesson)


@each_lesson
def test_an_illegal_turn_in_a_lesson_is_refused_with_its_reason(key, number, lesson) -> None:
    wrong = "troops 9 9 9" if key == "blotto" else lesson.solution[0].replace(" ", " 1", 1)
    for text in (wrong, "noop", "", "move 1 1 1 1 1", "troops", "é"):
        answer = tried(key, number, [text])
        assert answer["verdict"] == "illegal"
        assert answer["reason"]
        assert answer["say"].endswith(".")
        assert "snapshot" not in answer
    refused = tried(key, number, [*lesson.solution, lesson.solution[0]])
    assert (refused["verdict"], refused["reason"]) == ("illegal", "unfinished")


def test_half_a_turn_is_no_turn() -> None:
    assert tried("amazons-8x8", 1, ["move 2 2 2 6"])["reason"] == "unfinished"
    assert tried("pincer", 1, ["move 3 5 3 4"])["reason"] == "unfinished"


def test_a_refusal_names_its_code_and_squares() -> None:
    answer = tried("pincer", 1, ["move 3 5 3 4", "move 3 4 3 3"])
    assert (answer["reason"], answer["squares"]) == ("same_piece_twice", ["c4"])


@pytest.mark.parametrize("key", RULES)
def test_the_page_shows_positions_whose_prompts_are_the_rules_own(client, key: str) -> None:
    page = client.get(f"/learn/{key}/").content.decode()
    block = re.search(r'<script id="lessons-data"[^>]*>(.*?)</script>', page, re.DOTALL)
    lessons = json.loads(block.group(1))
    assert [each["slug"] for each in lessons] == [lesson.slug for lesson in COURSES[key]]
    for shown, lesson in zip(lessons, COURSES[key], strict=True):
        rules = rules_of(key)
        state = rules.read(lesson.position)
        assert shown["snapshot"]["view"] == json.loads(json.dumps(rules.view(state, "white")))
        assert shown["snapshot"]["prompt"]["kind"] == rules.kind
        assert rules.turns(state) < 400
    for text in ("A turn", "A round"):
        if text in page:
            break
    else:
        pytest.fail("the page does not say how a turn works")
    assert f"?game={key}" in page


def test_the_order_that_is_to_be_guessed_is_not_on_the_page(client) -> None:
    page = unescape(client.get("/learn/blotto/").content.decode())
    block = re.search(r'<script id="lessons-data"[^>]*>(.*?)</script>', page, re.DOTALL)
    lessons = {each["slug"]: each for each in json.loads(block.group(1))}
    habit = lessons["habit"]
    assert "troops 6 3 1" not in page
    assert len(habit["snapshot"]["view"]["splits"]) == 3
    assert habit["snapshot"]["your_seal"] is None
    reply = tried("blotto", 4, ["troops 0 5 5"])
    assert reply["snapshot"]["view"]["splits"][-1] == {"white": [0, 5, 5], "black": [6, 3, 1]}


@pytest.mark.parametrize(
    "body",
    [
        "", "{}", "[]", "null", '{"actions": []}', '{"actions": "noop"}', '{"actions": [1]}',
        '{"actions": ["noop"], "more": 1}', '{"actions": ["a","a","a","a"]}', "{" * 500, "\xff",
        json.dumps({"actions": ["m" * 50]}), json.dumps({"actions": ["noop"] * 300}),
    ],
)  # fmt: skip
def test_nonsense_is_answered_with_400(client, body: str) -> None:
    data = body.encode("latin-1")
    response = client.post("/learn/pincer/1/try", data, "application/json")
    assert response.status_code == 400


def test_a_try_needs_a_token_a_post_and_a_position_that_exists(client) -> None:
    forged = Client(enforce_csrf_checks=True)
    body = json.dumps({"actions": ["noop"]})
    assert forged.post("/learn/pincer/1/try", body, "application/json").status_code == 403
    assert client.get("/learn/pincer/1/try").url == "/learn/pincer/"
    for address in ("/learn/pincer/0/try", "/learn/pincer/7/try", "/learn/chess/1/try"):
        assert client.post(address, body, "application/json").status_code == 404
    assert client.get("/learn/chess/").status_code == 404


@pytest.mark.django_db
def test_learning_asks_nothing_of_the_database(client, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        for key in RULES:
            assert client.get(f"/learn/{key}/").status_code == 200
        assert client.get("/learn/").status_code == 200
        tried("pincer", 1, ["noop"])


def test_the_index_leads_to_all_and_tells_the_three_amazons_apart(client) -> None:
    page = client.get("/learn/").content.decode()
    for key in RULES:
        assert f'href="/learn/{key}/"' in page
    for words in ("10 × 10", "8 × 8", "required", "can be skipped", "Try it: Amazons 8×8"):
        assert words in page
    for key in ("amazons", "amazons-8x8", "amazons-10x10"):
        one = client.get(f"/learn/{key}/").content.decode()
        assert "The three Amazons compared" in one
        assert "can be skipped" in one


@pytest.mark.parametrize("language", ["en", "tr"])
def test_lessons_and_puzzles_name_filling_a_room_alike(language) -> None:
    lessons = [lesson for _, _, lesson in EACH if lesson.slug == "waste"]
    assert len(lessons) == 2  # on both boards of Amazons
    with translation.override(language):
        assert {str(lesson.title) for lesson in lessons} == {str(TITLES[Kind.FILLING])}


@pytest.mark.django_db
def test_pages_of_games_have_a_sheet_for_print_and_the_game_itself_loads_none(client) -> None:
    slug = game_of(someone("ada"), someone("bob")).slug
    printed = ["/learn/", "/learn/blotto/", "/analysis/pincer/", f"/g/{slug}/ledger/"]
    for path in printed:
        assert client.get(path).content.count(b'media="print"') == 1, path
    assert b'media="print"' not in client.get(f"/g/{slug}/").content
