"""The time that a step took: told with the step, and of a sealed action not before the reveal."""

import pytest

from play.domain import clocks, visibility
from play.domain.clocks import Clock
from play.storage import load
from tests.play.test_game_pages import embedded, play

pytestmark = pytest.mark.django_db


def texts(value, key="spent"):
    """Every value under a key, anywhere in JSON."""
    if isinstance(value, dict):
        own = [value[key]] if key in value else []
        return own + [found for each in value.values() for found in texts(each, key)]
    return (
        [found for each in value for found in texts(each, key)] if isinstance(value, list) else []
    )


def test_a_step_is_told_with_its_time_to_everybody(client, opened, people):
    ada, _bob, _ = people
    game = opened("pincer", Clock("fischer", 300_000, 2_000))
    play(game, ada, 0, "move 1 5 2 5", "move 1 7 1 6")
    live, done = load.fetch_with_steps(game.slug)
    assert [set(each.seen.spent) for each in done] == [{"white"}, {"white"}]
    told = [dict(each.seen.spent) for each in done]
    for audience in ("white", "black", "spectator"):
        snapshot = visibility.snapshot(live, audience, clocks.now())
        assert [step["spent"] for step in snapshot["last"]] == told
    page = client.get(game.get_absolute_url())
    assert [step["spent"] for step in embedded(page, "played-steps")] == told
    fetched = client.get(f"{game.get_absolute_url()}steps?from=0").json()["steps"]
    assert [step["spent"] for step in fetched] == told


def test_the_times_of_all_turns_lead_from_the_first_clock_to_the_newest(opened, people):
    ada, bob, _ = people
    clock = Clock("fischer", 300_000, 2_000)
    game = opened("pincer", clock)
    play(game, ada, 0, "move 1 5 2 5", "move 1 7 1 6")
    play(game, bob, 2, "move 7 5 6 5", "move 7 7 7 6")
    live, done = load.fetch_with_steps(game.slug)
    for role in ("white", "black"):
        spent = sum(each.seen.spent.get(role, 0) for each in done)
        assert live.times.left[role] == clock.initial + clock.increment - spent


def test_the_time_of_a_sealed_action_is_told_to_nobody_before_the_reveal(client, opened, people):
    ada, bob, _ = people
    game = opened("blotto", Clock("limit", 60_000))
    play(game, ada, 0, "troops 5 1 4")
    live, _done = load.fetch_with_steps(game.slug)
    assert live.sealed["white"].spent >= 0
    for audience in ("white", "black", "spectator"):
        assert texts(visibility.snapshot(live, audience, clocks.now())) == []
    assert embedded(client.get(game.get_absolute_url()), "played-steps") == []
    assert client.get(f"{game.get_absolute_url()}steps?from=0").json()["steps"] == []
    play(game, bob, 0, "troops 2 3 5")
    live, _ = load.fetch_with_steps(game.slug)
    (spent,) = texts(visibility.snapshot(live, "spectator", clocks.now()))
    assert set(spent) == {"white", "black"}
