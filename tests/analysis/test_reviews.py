"""Published reviews: permissions, refusals, replacement, and visibility."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client

from accounts.account_service import delete_user
from accounts.limits import rate_limits
from accounts.models import User
from analysis.reviews.models import Review
from analysis.reviews.reviews import MAX_BYTES, digest_of, export_reviews
from games.reviews import RUNGS, SEED
from pages.deletion_tasks import _settle
from play.models import Game
from play.time_controls import NO_CLOCK
from server.requests import rate_limit_middleware
from tests.analysis.test_analysis import data_of, played
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import browser_of, someone

pytestmark = pytest.mark.django_db
TOP = RUNGS[-1]


@pytest.fixture
def people(db):
    return someone("ada"), someone("bob")


@pytest.fixture
def game(people) -> TimedGame:
    return played(*people)


def review_of(game: TimedGame, nodes=TOP, value=0.125, **changed) -> dict:
    """A review that passes all that is verified without a search: each turn is its own best one."""
    nodes_of_page = data_of(Client().get(f"/g/{game.slug}/analysis/"))["nodes"]
    values = [[value, node["actions"], False] for node in nodes_of_page]
    if nodes_of_page[-1]["ending"] is None:
        values.append([0, [], False])
    key = game.game.rules
    return {
        "digest": digest_of(key), "nodes": nodes, "seed": SEED, "values": values, **changed
    }  # fmt: skip


def send(browser: Client, slug: str, body):
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return browser.post(f"/g/{slug}/analysis/review", text, content_type="application/json")


def reason_of(answer) -> str:
    return answer.json()["refused"]["reason"]


def test_everybody_sees_a_published_review(people, game) -> None:
    ada, _ = people
    sent = review_of(game)
    answer = send(browser_of(ada), game.slug, sent)
    assert (answer.status_code, answer.json()) == (200, {"refused": None})
    for browser in (Client(), browser_of(people[1])):
        data = data_of(browser.get(f"/g/{game.slug}/analysis/"))
        shown = {"by": "ada", "nodes": TOP, "isPresent": True, "checked": 0}
        assert data["review"] == {**shown, "values": sent["values"]}
    row = Review.objects.get()
    assert (row.user, row.checked_positions, row.seed) == (ada, [], SEED)


def test_a_game_without_one_shows_none_and_only_accounts_may_publish(people, game) -> None:
    guest = User.objects.create(username="guest", is_guest=True)
    for browser, may in ((Client(), False), (browser_of(guest), False), (browser_of(people[0]), 1)):
        data = data_of(browser.get(f"/g/{game.slug}/analysis/"))
        assert data["review"] is None and data["mayPublish"] == may
        if not may:
            answer = send(browser, game.slug, review_of(game))
            assert (answer.status_code, reason_of(answer)) == (403, "guest")
    assert not Review.objects.exists()


@pytest.mark.parametrize("key", ["amazons", "amazons-8x8", "amazons-10x10"])
def test_reviews_of_all_boards_are_published(people, key) -> None:
    game = played(*people, key)
    assert send(browser_of(people[0]), game.slug, review_of(game)).status_code == 200


def change(values, index, *judged):
    return [*values[:index], list(judged), *values[index + 1 :]]


OWN = ["move 1 5 2 5", "move 7 3 6 3"]  # a legal first turn of Pincer


@pytest.mark.parametrize(
    "tampered",
    [
        lambda it: {**it, "nodes": 10**9},
        lambda it: {**it, "nodes": 201},
        lambda it: {**it, "nodes": -200},
        lambda it: {**it, "nodes": "10000"},
        lambda it: {**it, "nodes": True},
        lambda it: {**it, "seed": 2},
        lambda it: {**it, "more": 1},
        lambda it: {**it, "values": it["values"][:-1]},
        lambda it: {**it, "values": [*it["values"], it["values"][-1]]},
        lambda it: {**it, "values": []},
        lambda it: {**it, "values": {}},
        lambda it: {**it, "values": change(it["values"], 0, 1.01, OWN, False)},
        lambda it: {**it, "values": change(it["values"], 0, -2, OWN, False)},
        lambda it: {**it, "values": change(it["values"], 0, "0.5", OWN, False)},
        lambda it: {**it, "values": change(it["values"], 0, None, OWN, False)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, OWN, 1)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, OWN)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, OWN, False, 0)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, [], False)},
        lambda it: {**it, "values": change(it["values"], 0, 0, [], True)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, ["move 1 5 1 5"], False)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, ["fire 1 5"], False)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, ["move 1 5 02 5"], False)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, ["<b>a5-b5</b>"], False)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, ["x" * 41], False)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, [*OWN, "noop"], False)},
        lambda it: {**it, "values": change(it["values"], 0, 0.5, OWN * 2, False)},
        lambda it: {**it, "values": change(it["values"], 1, 0.5, OWN, False)},  # of the other side
        lambda it: "",
        lambda it: "[]",
        lambda it: "[" * 9_000,
        lambda it: json.dumps(it).replace("0.125", "NaN"),
        lambda it: json.dumps(it).replace("0.125", "1e999"),
        lambda it: json.dumps(it).encode().replace(b"move", b"\xff\xfe", 1),
    ],
)
def test_a_tampered_review_is_refused_and_changes_nothing(people, game, tampered) -> None:
    answer = send(browser_of(people[0]), game.slug, tampered(review_of(game)))
    assert (answer.status_code, reason_of(answer)) == (400, "malformed")
    assert not Review.objects.exists()


def test_the_cases_above_are_refused_for_what_they_change(people, game) -> None:
    sent = review_of(game)
    sent["values"] = change(sent["values"], 0, -1, OWN[:1], True)  # half a turn, as searched
    assert send(browser_of(people[0]), game.slug, sent).status_code == 200


def test_another_engine_is_refused(people, game) -> None:
    answer = send(browser_of(people[0]), game.slug, review_of(game, digest="0" * 16))
    assert (answer.status_code, reason_of(answer)) == (409, "other_engine")
    answer = send(browser_of(people[0]), game.slug, review_of(game, digest=digest_of("amazons")))
    assert reason_of(answer) == "other_engine"
    assert not Review.objects.exists()


@pytest.mark.parametrize("size", [MAX_BYTES + 1, 15_000_000])
def test_a_body_that_is_too_long_is_not_read(people, game, size) -> None:
    answer = send(browser_of(people[0]), game.slug, "x" * size)
    assert (answer.status_code, reason_of(answer)) == (413, "too_long")


def test_only_a_deeper_review_replaces_one_and_is_unchecked_again(people, game) -> None:
    ada, bob = people
    assert send(browser_of(ada), game.slug, review_of(game, 2_000)).status_code == 200
    Review.objects.update(checked="0 1", tries=3)
    for nodes in (200, 2_000):
        answer = send(browser_of(bob), game.slug, review_of(game, nodes, value=0.25))
        assert (answer.status_code, reason_of(answer)) == (409, "not_deeper")
    assert (Review.objects.get().user, Review.objects.get().checked) == (ada, "0 1")
    assert send(browser_of(bob), game.slug, review_of(game, TOP, value=0.25)).status_code == 200
    row = Review.objects.get()
    assert (row.user, row.nodes, row.checked, row.tries) == (bob, TOP, "", 0)
    assert row.values[0][0] == 0.25


@pytest.mark.django_db(transaction=True)
def test_of_reviews_that_are_sent_at_once_the_deepest_stays(people, game) -> None:
    bodies = [review_of(game, nodes) for nodes in RUNGS * 2]
    browsers = [browser_of(people[0]) for _ in bodies]

    def publish(browser, body) -> int:
        try:
            return send(browser, game.slug, body).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(bodies)) as threads:
        statuses = list(threads.map(publish, browsers, bodies))
    assert set(statuses) <= {200, 409} and 200 in statuses
    assert Review.objects.get().nodes == TOP


def test_a_running_or_hidden_game_is_not_found(people) -> None:
    running = played(*people, ends=False)
    body = {"digest": digest_of("pincer"), "nodes": TOP, "seed": SEED, "values": []}
    hidden = TimedGame(*people, "pincer", NO_CLOCK, False, watch=False)
    for slug in (running.slug, hidden.slug, "nowhere"):
        for browser in (browser_of(someone("cy-" + slug[:8])), browser_of(people[0]), Client()):
            assert send(browser, slug, body).status_code == 404


def test_blotto_and_withdrawn_rules_have_no_reviews(people, game) -> None:
    blotto = TimedGame(*people, "blotto", NO_CLOCK, True)
    blotto.resign("white")
    body = review_of(game)
    assert send(browser_of(people[0]), blotto.slug, body).status_code == 404
    assert send(browser_of(people[0]), game.slug, body).status_code == 200
    Game.objects.filter(slug=game.slug).update(rules="withdrawn")
    assert send(browser_of(people[0]), game.slug, body).status_code == 404
    assert Client().get(f"/g/{game.slug}/analysis/").status_code == 404


def test_a_game_of_no_turn_has_one_position(people) -> None:
    game = played(*people, turns=0)
    body = {
        "digest": digest_of("pincer"),
        "nodes": 200,
        "seed": SEED,
        "values": [[0.5, OWN, False]],
    }
    assert send(browser_of(people[0]), game.slug, body).status_code == 200


def test_a_review_goes_with_its_game(people, game) -> None:
    send(browser_of(people[0]), game.slug, review_of(game))
    Game.objects.filter(slug=game.slug).delete()
    assert not Review.objects.exists()


def test_the_copy_of_ones_data_has_them_and_a_deleted_user_is_not_named(people, game) -> None:
    ada, bob = people
    sent = review_of(game)
    send(browser_of(ada), game.slug, sent)
    (copy,) = export_reviews(ada.pk)
    assert (copy["game"], copy["nodes"], copy["values"]) == (game.slug, TOP, sent["values"])
    assert export_reviews(bob.pk) == []
    pseudonym = delete_user(ada.pk)
    for _ in range(2):  # before and after the games are settled
        page = Client().get(f"/g/{game.slug}/analysis/")
        assert data_of(page)["review"]["by"] is None
        _settle(ada.pk)
    assert Review.objects.get().user is None and export_reviews(ada.pk) == []
    assert pseudonym


def test_a_review_by_an_earlier_engine_is_shown_only_if_it_was_checked(people, game) -> None:
    send(browser_of(people[0]), game.slug, review_of(game))
    Review.objects.update(digest="earlier")
    address = f"/g/{game.slug}/analysis/"
    assert data_of(Client().get(address))["review"] is None
    Review.objects.update(checked="1 3")
    shown = data_of(Client().get(address))["review"]
    assert (shown["isPresent"], shown["checked"]) == (False, 2)
    send(browser_of(people[1]), game.slug, review_of(game, 200))
    assert data_of(Client().get(address))["review"]["by"] == "bob"  # of the present engine
    assert Review.objects.count() == 2


def test_posts_are_limited(people, game, monkeypatch) -> None:
    few = rate_limits.Limit("reviews", 2, 100)
    monkeypatch.setitem(rate_limit_middleware.BY_POST, "game-review", few)
    browser = browser_of(people[0])
    statuses = [send(browser, game.slug, "").status_code for _ in range(3)]
    assert statuses == [400, 400, 429]


def test_the_page_takes_a_bounded_number_of_queries(
    people, game, django_assert_num_queries
) -> None:
    send(browser_of(people[0]), game.slug, review_of(game))
    with django_assert_num_queries(4):  # one of them for the review, one for the levels on offer
        Client().get(f"/g/{game.slug}/analysis/")
