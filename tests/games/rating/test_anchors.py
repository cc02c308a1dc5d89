"""Files of anchors: refusals, and making one from a ladder."""

import json
from functools import cache

import pytest

from games.lab.anchors import PRIOR_DEVIATION, anchors_object, difference, write_anchors
from games.lab.likelihood import elo_of, mean_of
from games.lab.tally import Tally
from games.rating.anchors import BadAnchors, anchors_of, parse_anchors
from games.rating.placement import PlacementGame, next_level, place


def tally(*pairs: int) -> Tally:
    """A match with so many pairs of each score, 0 to 1 by quarters."""
    lost, drawn, won = 2 * pairs[0] + pairs[1], pairs[1] + 2 * pairs[2] + pairs[3], 0
    won = 2 * pairs[4] + pairs[3]
    return Tally((lost, drawn, won), pairs)


@cache
def steep_file() -> str:
    """The text of a file of anchors whose levels are far apart."""
    return json.dumps(anchors_object("pincer", 2026, "a command", [STEEP] * 7))


EVEN = tally(10, 20, 40, 20, 10)
STEEP = tally(0, 0, 0, 0, 20)


def test_a_difference_is_near_the_score_with_many_games_and_bounded_without_a_loss() -> None:
    many = [20, 40, 300, 400, 240]
    found = difference(many)
    assert found.mean == pytest.approx(elo_of(mean_of(many)), abs=3)
    assert found.low < found.mean < found.high
    one_sided = difference(STEEP.pairs)
    assert 300 < one_sided.mean < 3 * PRIOR_DEVIATION
    assert one_sided.high - one_sided.low > 4 * (found.high - found.low)
    assert difference((0, 0, 0, 0, 60)).mean > one_sided.mean
    nothing = difference((0, 0, 0, 0, 0))
    assert nothing.mean == pytest.approx(0, abs=1)
    assert nothing.deviation == pytest.approx(PRIOR_DEVIATION, rel=0.02)


def test_level_3_is_1500_and_differences_add_up_from_there() -> None:
    tallies = [EVEN, STEEP, STEEP, EVEN, EVEN, EVEN, EVEN]
    content = anchors_object("pincer", 2026, "python -m games ladder pincer", tallies)
    step = round(difference(STEEP.pairs).mean)
    assert content["ratings"][:4] == [
        1000 * (1500 - step), 1000 * (1500 - step), 1_500_000, 1000 * (1500 + step),
    ]  # fmt: skip
    assert content["margins"][2] == 0
    assert content["margins"] == sorted(content["margins"][:3], reverse=True) + sorted(
        content["margins"][3:]
    )


def test_a_written_file_is_read_alike(tmp_path) -> None:
    content = json.loads(steep_file())
    write_anchors(tmp_path / "pincer.json", content)
    found = parse_anchors((tmp_path / "pincer.json").read_text(encoding="utf-8"), "pincer")
    assert list(found.ratings) == content["ratings"]
    assert (found.version, found.games, found.command) == (2026, 280, "a command")
    assert max(found.ratings) <= 4_000_000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "x"}, "not “quiver-anchors” of pincer"),
        ({"rules": "amazons"}, "not “quiver-anchors” of pincer"),
        ({"ratings": [1_500_000] * 7}, "“ratings” are not 8"),
        ({"ratings": ["1"] * 8}, "“ratings” are not 8"),
        ({"ratings": [1, 2, 1_500_000, 4, 5, 6, 7, 8]}, "“ratings” are not 8"),
        ({"margins": None}, "“margins” are not 8"),
        ({"version": "2026"}, "no version"),
        ({"version": 0}, "no version"),
        ({"command": ""}, "by which command"),
        ({"steps": []}, "7 matches"),
        ({"steps": [{}] * 7}, "no number of games"),
    ],
)
def test_a_damaged_file_is_refused(change, words) -> None:
    content = {**json.loads(steep_file()), **change}
    with pytest.raises(BadAnchors, match=words):
        parse_anchors(json.dumps(content), "pincer")


def test_levels_out_of_order_another_scale_and_no_json_are_refused() -> None:
    content = json.loads(steep_file())
    ratings = content["ratings"]
    for wrong in ([*ratings[:6], ratings[7], ratings[6]], [each + 1 for each in ratings]):
        with pytest.raises(BadAnchors):
            parse_anchors(json.dumps({**content, "ratings": wrong}), "pincer")
    for text in ("", "{", "[]", "[" * 100_000):
        with pytest.raises(BadAnchors):
            parse_anchors(text, "pincer")


def test_blotto_has_none() -> None:
    assert anchors_of("blotto") is None


@pytest.mark.parametrize("rules", ["amazons", "amazons-10x10", "amazons-8x8", "pincer"])
def test_stronger_people_are_placed_higher_by_each_file(rules) -> None:
    """Checks people who beat all levels up to a strength and no other."""
    found = anchors_of(rules)
    assert found is not None
    ratings = []
    for strongest in range(9):
        games: list[PlacementGame] = []
        while (level := next_level(games, found.ratings)) is not None:
            games.append(PlacementGame(level, "won" if level <= strongest else "lost"))
        assert len(games) == 6
        ratings.append(place(games, found.ratings, 0).numbers.rating)
    assert ratings == sorted(ratings)
    assert ratings[2] < 1_500_000 < ratings[3]
    assert ratings[0] < 1_300_000
    assert ratings[8] > 1_800_000
