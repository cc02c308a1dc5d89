"""The picture of a game: what it shows, to whom, for how long it is kept, and what it costs."""

import re
import time
from dataclasses import fields, replace
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image

from accounts.links import absolute_url
from games.catalogue import RULES, rules_of
from play import reading
from play.models import Game
from play.picture import palette
from play.picture.card import SIZE, drawn
from play.picture.facts import Facts, facts_of
from play.picture.lettering import face, fitted, lines, plain
from play.picture.words import LEVEL, WON, sentence

BOARDS = ["amazons-10x10", "amazons-8x8", "amazons", "pincer"]
NAMES = [
    "ada",
    "a" * 20,
    "W" * 60,
    "İğdır çölü",
    "名前",
    "<b>&amp;",
    "",
    " ",
    "\u202eevil",
    "Zażółć",
]


def facts(key: str = "pincer", **change) -> Facts:
    """The start of a game, with some facts changed."""
    state = rules_of(key).start()
    start = Facts(key, state, "ada", "bob", None, "", (0, 0), (), (), "5 + 3", 0)
    return replace(start, **change)


def image_of(what: Facts) -> Image.Image:
    return Image.open(BytesIO(drawn(what))).convert("RGB")


def test_the_colours_are_those_of_the_style_sheet() -> None:
    sheet = (Path(settings.BASE_DIR) / "static" / "css" / "tokens.css").read_text()
    light = dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", sheet.split("@media")[0]))
    ours = {name: value for name, value in vars(palette).items() if name.isupper()}
    assert len(ours) > 25
    for name, value in ours.items():
        assert light[name.lower().replace("_", "-")] == value, name


@pytest.mark.parametrize("key", RULES)
def test_every_game_has_a_picture_of_the_right_size(key: str) -> None:
    image = image_of(facts(key))
    assert image.size == SIZE == (1200, 630)
    assert len(image.getcolors(1 << 20)) > 50
    assert image.getpixel((2, 2)) == (0xF4, 0xEE, 0xE2)


@pytest.mark.parametrize("key", BOARDS)
def test_another_position_or_end_makes_another_picture(key: str) -> None:
    rules, start = rules_of(key), facts(key)
    action = next(iter(rules.choices(start.state, "white")))
    moved = replace(start, state=rules.play(start.state, {"white": action}))
    over = replace(start, reason="resigned", winner="white")
    pictures = {drawn(each) for each in (start, moved, over, replace(start, white="cy"))}
    assert len(pictures) == 4
    assert len({each.tag for each in (start, moved, over)}) == 3


@pytest.mark.parametrize("name", NAMES)
def test_names_of_any_kind_are_fitted(name: str) -> None:
    for key in ("pincer", "blotto"):
        what = facts(key, white=name, black=name * 9, winner="black", reason="time")
        image = image_of(what)
        # Nothing is written at the right margin or over the board's edge.
        for left, right in ((1160, 1200), (592, 630)):
            assert image.crop((left, 0, right, 630)).getcolors(1) is not None, name


def test_lettering_uses_known_letters_only_and_keeps_to_its_room() -> None:
    assert plain("Amazons 8×8") == "Amazons 8x8"
    assert plain("Zażółć ışık") == "Zazolc isik"
    assert plain("名") == "?"
    for text in ("W" * 300, "a b " * 200, "x"):
        broken, size = lines(text, 38, 400, 3)
        assert 1 <= len(broken) <= 3
        assert all(face(size).getlength(line) <= 400 for line in broken)
    assert fitted("abc", 40, 400) == ("abc", 40)


def test_every_end_has_its_sentence() -> None:
    for reason in WON:
        said = sentence(facts(winner="black", reason=reason, goals=(13, 17)))
        assert said.startswith("bob wins")
        assert "{" not in said
    assert sentence(facts(winner="black", reason="rounds", goals=(13, 17))) == "bob wins, 17 to 13."
    for reason in LEVEL:
        assert "{" not in sentence(facts(reason=reason, goals=(15, 15)))
    assert sentence(facts(reason="of-tomorrow")) == "A draw."
    assert sentence(facts()) == "ada to move"
    assert sentence(facts("blotto")) == "Round 1 of 5"


def test_a_picture_is_drawn_within_its_time_and_only_once() -> None:
    for key in RULES:
        image_of(facts(key))  # figures and grounds are made once
        spent = time.process_time()
        first = drawn(facts(key, white="somebody-new"))
        assert time.process_time() - spent < 0.15, key
        assert len(first) < 200_000
        assert drawn(facts(key, white="somebody-new")) is first
    assert drawn.cache_info().maxsize == 64


def at(slug: str) -> str:
    return f"/g/{slug}/picture.png"


def test_a_running_game_is_kept_briefly_and_a_finished_one_for_long(opened) -> None:
    game = opened("pincer")
    response = Client().get(at(game.slug))
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert response["Cache-Control"] == "public, max-age=15"
    same = Client().get(at(game.slug), headers={"If-None-Match": response["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    assert Client().head(at(game.slug)).status_code == 200
    assert Client().post(at(game.slug)).status_code == 405
    goals = '{"white":100,"black":0}'
    Game.objects.update(ended=1, winner="white", reason="resigned", goals=goals)
    over = Client().get(at(game.slug), headers={"If-None-Match": response["ETag"]})
    assert over.status_code == 200
    assert over["Cache-Control"] == "public, max-age=604800"
    assert over["ETag"] != response["ETag"]
    assert Client().get(at("nowhere")).status_code == 404


def test_a_game_without_spectators_has_no_picture_for_strangers(opened, people) -> None:
    game = opened("pincer")
    Game.objects.update(watch=False)
    assert Client().get(at(game.slug)).status_code == 404
    ada = Client()
    ada.force_login(people[0])
    seen = ada.get(at(game.slug))
    assert (seen.status_code, seen["Cache-Control"]) == (200, "private, no-store")
    Game.objects.update(ended=1, reason="agreed", goals='{"white":50,"black":50}')
    assert Client().get(at(game.slug)).status_code == 200


async def test_a_sealed_split_changes_no_picture(opened, people, at_work) -> None:
    from asgiref.sync import sync_to_async

    from play import act
    from play.clocks import now

    game = await sync_to_async(opened)("blotto")
    ask = sync_to_async(lambda: Client().get(at(game.slug)))
    before = await ask()
    await act.act(game.slug, people[0].pk, 0, ("troops 7 2 1",), "a", now())
    sealed = await ask()
    assert sealed.content == before.content
    assert sealed["ETag"] == before["ETag"]
    await act.act(game.slug, people[1].pk, 0, ("troops 1 2 7",), "b", now())
    after = await ask()
    assert after["ETag"] != before["ETag"]
    live = await sync_to_async(reading.fetch)(game.slug)
    assert facts_of(live).view["splits"] == [{"white": [7, 2, 1], "black": [1, 2, 7]}]


def test_facts_hold_nothing_of_seals_and_offers() -> None:
    names = {field.name for field in fields(Facts)}
    assert not names & {"sealed", "offers", "draw", "prompt", "people"}


def test_the_page_of_a_game_names_its_picture(opened) -> None:
    game = opened("blotto")
    page = Client().get(f"/g/{game.slug}/").content.decode()
    assert f'property="og:image" content="{absolute_url(at(game.slug))}"' in page
    assert 'property="og:title" content="ada and bob · Colonel Blotto"' in page
