"""Recomputation of the public rating file: a fold's file is right, and any change is found."""

import json
import random
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from games.rating.entries import (
    Anchors,
    Correction,
    Entry,
    Fit,
    GameEntry,
    Header,
    NotRated,
    Placement,
)
from games.rating.entry_parsing import BadEntry, parse_entry
from games.rating.entry_writing import entry_object, header_object
from games.rating.fold import Fold, first_standing
from games.rating.placement import PlacementGame, next_level
from games.rating.pools import POOLS, Pool, Speed
from games.rating.recompute import Differs, recompute
from games.rating.standing import DAY_MS, START, Numbers, Standing

PINCER = Pool("pincer", Speed.LIVE)
ANCHORS = tuple(1_300_000 + 120_000 * level for level in range(8))


def history(games: int = 400, seed: int = 1) -> list[Entry]:
    """Return entries of all kinds, as a site would write them."""
    chance, fold, entries = random.Random(seed), Fold(), list[Entry]()
    annulled = {f"game{number}" for number in range(10, games, 40)}

    def add(make: Any, *fields: Any) -> None:
        entries.append(make(2 * len(entries) + 1, *fields))

    for rules in {pool.rules for pool in POOLS}:
        add(Anchors, rules, ANCHORS)
        fold.set_anchors(rules, ANCHORS)
    lessons = lost_games(3)
    for person in (1, 2):
        add(Placement, 5, PINCER, person, lessons, fold.place(person, PINCER, lessons, 5))
    at = 0
    for number in range(games):
        at += chance.randrange(-DAY_MS // 10, DAY_MS)  # clocks step back at times
        white, black = chance.sample(range(1, 12), 2)
        pool = chance.choice(POOLS)
        winner = chance.choice(("white", "black", ""))
        game = f"game{number}"
        fields = [max(at, 0), pool, game, white, black, winner]
        reason = NotRated.ANNULLED if game in annulled else chance.choice([None, None, *NotRated])
        if reason is NotRated.ANNULLED and game not in annulled:
            reason = None
        sides = (None, None)
        if reason is None:
            sides = fold.play(GameEntry(0, *fields, None, None, None))
        add(GameEntry, *fields, reason, *sides)
    add(Fit, "pincer", fold.fit_advantage("pincer"))
    add(Placement, 9, PINCER, 1, lessons, fold.place(1, PINCER, lessons, 9))
    for game in sorted(annulled):
        add(Correction, game, True, "an account of a computer")
    add(Correction, "game0", True, "by mistake")
    add(Correction, "game0", False, "annulled by mistake")
    return entries


def lost_games(number: int) -> tuple[PlacementGame, ...]:
    """Return placement games of somebody who loses all of them."""
    games: list[PlacementGame] = []
    while len(games) < number:
        level = next_level(games, ANCHORS)
        assert level
        games.append(PlacementGame(level, "lost"))
    return tuple(games)


def lines(entries: list[Entry]) -> list[dict[str, Any]]:
    """Return the lines of a file as JSON objects."""
    last_seq = entries[-1].seq if entries else 0
    return [header_object(Header(3, last_seq)), *map(entry_object, entries)]


def text(objects: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(each) for each in objects]


def test_every_kind_of_entry_is_read_as_it_was_written() -> None:
    entries = history(60)
    assert [
        parse_entry(json.loads(json.dumps(entry_object(entry)))) for entry in entries
    ] == entries


def test_games_of_a_withdrawn_rule_set_are_recomputed() -> None:
    old = Pool("withdrawn-2", Speed.LIVE)
    played = GameEntry(2, 5, old, "game1", 1, 2, "white", None, None, None)
    fold = Fold()
    fold.set_anchors(old.rules, ANCHORS)
    before, after = fold.play(played)
    entries = [Anchors(1, old.rules, ANCHORS), replace(played, before=before, after=after)]
    assert recompute(text(lines(entries))).fold.standings[1][old].numbers == after.white


def test_a_file_as_written_is_right() -> None:
    entries = history()
    result = recompute(text(lines(entries)))
    assert result.header == Header(3, entries[-1].seq)
    assert result.games == 400
    assert 0 < result.rated < 400


def test_any_altered_number_is_found_at_its_line() -> None:
    good = lines(history(80))
    altered = 0
    for index, line in enumerate(good):
        for path in _numbers(line):
            bad = deepcopy(good)
            holder = bad[index]
            for key in path[:-1]:
                holder = holder[key]
            holder[path[-1]] += 1
            with pytest.raises(Differs, match=f"^Line {index + 1}: "):
                recompute(text(bad))
            altered += 1
    assert altered > 100


def _numbers(line: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the paths of all numbers of a line that the fold computes."""
    if line.get("kind") == "advantage":
        return [("advantage",)]
    if line.get("kind") == "placement" and line["after"]:
        return [("after", index) for index in range(3)]
    if line.get("kind") == "game" and line["before"]:
        return [
            (when, side, index)
            for when in ("before", "after")
            for side in ("white", "black")
            for index in range(3)
        ]
    return []


def test_a_result_turned_round_is_found() -> None:
    bad = lines(history(80))
    game = next(line for line in bad if line.get("kind") == "game" and line["before"])
    game["winner"] = "black" if game["winner"] == "white" else "white"
    with pytest.raises(Differs, match="the numbers after"):
        recompute(text(bad))


def test_an_annulled_game_that_still_counts_is_found() -> None:
    bad = lines(history(80))
    counted = next(line for line in bad if line.get("kind") == "game" and line["before"])
    bad[0]["last_seq"] = 10_000
    bad.append({"seq": 10_000, "kind": "annulment", "game": counted["game"], "reason": "unfair"})
    with pytest.raises(Differs, match="last correction"):
        recompute(text(bad))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "win"}, "not a kind"),
        ({"seq": 0}, "“seq”"),
        ({"seq": True}, "“seq”"),
        ({"seq": 1}, "does not follow"),
        ({"pool": "Chess/live"}, "no pool"),
        ({"pool": f"{'x' * 33}/live"}, "no pool"),
        ({"pool": "pincer/weekly"}, "no pool"),
        ({"winner": "grey"}, "winner"),
        ({"white": 7, "black": 7}, "two different"),
        ({"not_rated": "rain"}, "not a reason"),
        ({"not_rated": "guest"}, "or a reason"),
        ({"after": None}, "before and after"),
        ({"before": {"white": [1, 2], "black": [1, 2, 3]}}, "a rating, a deviation"),
        ({"game": "game1"}, "has an entry already"),
    ],
)
def test_a_damaged_line_is_named(change: dict[str, Any], message: str) -> None:
    bad = lines(history(30))
    index = next(i for i, line in enumerate(bad) if line.get("game") == "game3")
    bad[index] = {**bad[index], "not_rated": None, **SIDES, **change}
    with pytest.raises(BadEntry, match=f"^Line {index + 1}: .*{message}"):
        recompute(text(bad))


SIDES = {when: {"white": list(START), "black": list(START)} for when in ("before", "after")}


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ([], "empty"),
        (["{}"], "not “quiver-ratings”"),
        (["[" * 100_000], "Line 1 is not JSON"),
        (["[]"], "not a JSON object"),
    ],
)
def test_a_file_of_another_kind_is_refused(file: list[str], message: str) -> None:
    with pytest.raises(BadEntry, match=message):
        recompute(file)


@pytest.mark.parametrize("kept", [1, 20, -1])
def test_a_file_that_was_cut_off_is_incomplete(kept: int) -> None:
    with pytest.raises(BadEntry, match="The file is incomplete: it ends with entry"):
        recompute(text(lines(history(30)))[:kept])


def test_a_file_that_goes_on_after_its_end_is_refused() -> None:
    longer = lines(history(30))
    longer[0]["last_seq"] -= 1
    with pytest.raises(BadEntry, match="goes on to entry"):
        recompute(text(longer))


def test_a_file_without_an_entry_is_right() -> None:
    assert recompute(text(lines([]))).games == 0


def test_a_placement_needs_anchors() -> None:
    placement = Placement(1, 0, PINCER, 1, lost_games(1), START)
    with pytest.raises(BadEntry, match="no anchors for pincer"):
        recompute(text(lines([placement])))


def test_a_placement_plays_the_levels_that_the_search_asks_for() -> None:
    anchors = Anchors(1, "pincer", ANCHORS)
    placement = Placement(2, 0, PINCER, 1, (PlacementGame(8, "won"),), START)
    with pytest.raises(BadEntry, match=r"^Line 3: Placement asks for level"):
        recompute(text(lines([anchors, placement])))


def test_an_established_rating_is_taken_over_from_the_other_speed() -> None:
    strong = Standing(Numbers(1_900_000, 80_000, 70_000_000), at=0, games=30)
    live, days = Pool("amazons-8x8", Speed.LIVE), Pool("amazons-8x8", Speed.DAYS)
    big = Pool("amazons-10x10", Speed.LIVE)
    assert first_standing({live: strong}, days, 0).numbers == (1_900_000, 200_000, 60_000_000)
    assert first_standing({live: strong}, big, 0).numbers == (1_900_000, 250_000, 60_000_000)
    assert first_standing({live: strong}, PINCER, 0) == Standing()
    blotto = {Pool("blotto", Speed.LIVE): strong}
    other = first_standing(blotto, Pool("blotto", Speed.DAYS), 0).numbers
    assert other == (1_900_000, 120_000, 60_000_000)
    assert first_standing({}, Pool("blotto", Speed.LIVE), 0).numbers.deviation == 120_000
    uncertain = Standing(Numbers(1_900_000, 111_000, 70_000_000), at=0, games=30)
    assert first_standing({live: uncertain}, days, 0) == Standing()
