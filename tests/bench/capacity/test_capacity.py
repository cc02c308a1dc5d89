"""The capacity model: its arithmetic against counting by hand and against the simulation."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.bench.capacity import __main__ as capacity
from tests.bench.capacity.assumptions import FILE, Assumptions, from_bench, load
from tests.bench.capacity.model import commit_rate, load_of, plan
from tests.bench.capacity.simulation import Rates, mean_wait, rates_of, simulate

COSTS, ASSUMED = load(), Assumptions()


def test_the_load_is_counted():
    assumed = replace(
        ASSUMED, playing_share=0.5, actions_a_minute=12, pages_a_person=2, spectators_a_game=3
    )
    found = load_of(1_000, assumed)
    assert (found.games, found.actions, found.pages) == (250, 100, 2_750)
    assert found.deliveries == 300


def test_each_cost_makes_its_own_cores():
    found = plan(100_000, COSTS, ASSUMED)
    assert found.work_cores["actions"] == pytest.approx(8_000 * COSTS.action_us / 1e6)
    assert found.work_cores["idle pages"] == pytest.approx(118_000 * COSTS.idle_page_us / 1e6)
    assert found.database_cores == pytest.approx(8_000 * COSTS.database_us / 1e6)
    cheaper = plan(100_000, replace(COSTS, idle_page_us=COSTS.idle_page_us / 2), ASSUMED)
    assert cheaper.work_cores["idle pages"] == pytest.approx(found.work_cores["idle pages"] / 2)
    assert cheaper.processes < found.processes


@pytest.mark.parametrize("column", ["today", "goal"])
@pytest.mark.parametrize("people", [10, 1_000, 100_000, 1_000_000])
def test_processes_keep_to_their_utilisation_also_while_one_is_dead(people, column):
    found = plan(people, load(FILE, column), ASSUMED)
    assert sum(found.work_cores.values()) / found.processes <= ASSUMED.utilisation
    assert found.death_utilisation <= ASSUMED.utilisation_after_death
    assert found.web_machines >= 2


def test_pages_anywhere_exchange_more_hints_than_games_in_one_process():
    routed, anywhere = (plan(100_000, COSTS, ASSUMED, is_routed) for is_routed in (True, False))
    assert routed.hints == pytest.approx(8_000 * ASSUMED.followed_elsewhere)
    assert anywhere.hints == pytest.approx(8_000 * (1 - 1 / anywhere.processes))
    assert anywhere.processes > routed.processes


@pytest.mark.parametrize("actions", [1.0, 50.0, 400.0, 2_000.0])
def test_the_rate_of_commits_is_that_of_the_simulation(actions):
    rates = Rates(actions, action_s=1e-6)
    seen = simulate(rates, COSTS, seconds=20_000 / actions, seed=3)
    assert seen.commits / seen.seconds == pytest.approx(commit_rate(actions, COSTS), rel=0.05)


def test_no_actions_make_no_commits():
    assert commit_rate(0.0, COSTS) == 0.0


def test_a_busy_writer_commits_many_actions_at_once():
    assert commit_rate(5_000.0, COSTS) < 1_000 / COSTS.commit_ms


@pytest.mark.parametrize("utilisation", [0.3, 0.6])
def test_the_simulated_wait_is_that_of_a_queue_with_random_arrivals(utilisation):
    rates = Rates(0, 0, views=utilisation / 0.01, view_s=0.01)
    seen = simulate(rates, COSTS, seconds=600, seed=1)
    assert seen.utilisation == pytest.approx(utilisation, rel=0.05)
    # constant work: half of what work of random length would wait (M/D/1)
    expected = utilisation * 0.01 / (2 * (1 - utilisation))
    assert mean_wait(rates) == pytest.approx(expected)
    assert sum(seen.waits) / len(seen.waits) == pytest.approx(expected, rel=0.1)


def test_a_simulated_process_works_as_much_as_computed():
    rates = rates_of(plan(100_000, COSTS, ASSUMED), COSTS)
    seen = simulate(rates, COSTS, seconds=30, seed=2)
    assert seen.utilisation == pytest.approx(rates.utilisation, rel=0.15)
    assert seen.actions / seen.seconds == pytest.approx(rates.actions, rel=0.1)


def test_the_same_seed_gives_the_same_simulation():
    rates = Rates(50, 0.001, views=5, view_s=0.02)
    first, second, third = (simulate(rates, COSTS, 10, seed) for seed in (1, 1, 2))
    assert first.latencies == second.latencies != third.latencies


def test_an_action_waits_longer_while_the_pages_of_a_dead_process_come_back():
    rates = Rates(100, 0.0005, returns=0.1, return_s=0.06)
    calm = simulate(rates, COSTS, 30, 1)
    struck = simulate(rates, COSTS, 30, 1, returning=150, at_s=5)
    assert len(struck.returned) == 150
    assert struck.percentile(0.99) > 2 * calm.percentile(0.99)


def test_a_run_of_the_bench_replaces_the_costs_that_it_measured():
    play = {"cost": {"web": 99.0, "postgres": 33.0, "redis": 2.0}}
    systems = {
        "servers": {"play": {"200": play}},
        "daphne": {
            "fan": {"1000": {"cost": {"web": 11.0}}},
            "memory": 21.0,
            "growth": {"idle": {"web": 40_000.0}, "games": 2_000},
        },
    }
    found = from_bench(COSTS, {"systems": systems})
    assert (found.action_us, found.database_us, found.delivery_us) == (99.0, 33.0, 11.0)
    assert (found.idle_page_us, found.page_kb) == (10.0, 21.0)
    assert (found.redis_us, found.view_us) == (COSTS.redis_us, COSTS.view_us)


def test_a_file_without_a_cost_is_refused(tmp_path):
    kept = json.loads(FILE.read_text())
    del kept["view_us"]
    (tmp_path / "costs.json").write_text(json.dumps(kept))
    with pytest.raises(ValueError, match="view_us"):
        load(tmp_path / "costs.json")


def test_kept_costs_are_read_again_with_their_goals_and_sources(tmp_path, monkeypatch):
    file = tmp_path / "costs.json"
    file.write_text(FILE.read_text())
    monkeypatch.setattr(capacity, "FILE", file)
    capacity.write(replace(COSTS, view_us=1234.5))
    assert load(file).view_us == 1234.5
    assert load(file, "goal") == load(FILE, "goal")
    assert json.loads(file.read_text())["view_us"]["source"]


def test_every_cost_names_its_unit_and_source():
    for each in json.loads(FILE.read_text()).values():
        assert each["unit"] and each["source"]
