"""Shared picture of a game: contents, permissions, caching and cost."""

import sys
import time
from collections import Counter
from dataclasses import fields, replace
from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string
from django.test import Client
from PIL import Image

from accounts.site_links import absolute_url
from games.catalogue import RULES, rules_of
from pictures import palette, renderer, svg
from pictures.card import SIZE_PX, card_png, card_svg
from pictures.card_data import Facts, facts_of
from pictures.card_texts import LEVEL, WON, sentence
from pictures.lettering import FILES, fit_text, lines, plain, width_px
from pictures.shapes import shapes
from play.models import Game
from play.storage import load
from tests.support.loop_runtime import game_service

pytestmark = pytest.mark.slow

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
    return Image.open(BytesIO(card_png(what))).convert("RGB")


SHEETS = {
    "two blocks": ":root{ --ink: #111111; --char-2: #222222; --sink: rgb(70 48 20 / 24%); }"
    "@media (prefers-color-scheme: dark) { :root { --ink: #eeeeee; --char-2: #dddddd; } }",
    "light-dark": ":root{ --ink: light-dark(#111111, #eeeeee); --char-2: light-dark(#222222,"
    "#dddddd); --sink: light-dark(rgb(70 48 20 / 24%), rgb(0 0 0 / 42%)); }",
}


@pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS)
def test_the_light_colours_are_read_from_either_form_of_a_style_sheet(sheet: str) -> None:
    colours = palette.light_colours(sheet)
    assert colours == {"ink": "#111111", "char2": "#222222", "sink": "rgba(70,48,20,0.24)"}


def test_every_layer_names_a_path_of_its_figure() -> None:
    for pair in shapes().figures.values():
        for figure in pair.values():
            used = {layer.path for layer in figure.layers} | set(figure.outline)
            assert used == set(figure.paths)
            assert all(layer.fill or layer.stroke for layer in figure.layers)
    for tile in shapes().burnt.tiles:
        assert {"ash", "char", "plates", "seams"} == set(tile.paths)


def test_a_burnt_square_looks_as_on_the_board() -> None:
    burnt = shapes().burnt  # tests/js/drawing/shapes.test.js has the same squares
    looks = {(1, 1): 12, (2, 1): 1, (1, 2): 3, (8, 8): 0, (10, 10): 8}
    for place, number in looks.items():
        assert burnt.look(*place) == (burnt.tiles[number // 4], burnt.forms[number % 4])


def test_the_pages_have_a_symbol_for_every_piece() -> None:
    symbols = render_to_string("figures.svg")
    for name, *_rest in svg.SYMBOLS:
        assert symbols.count(f'<symbol id="figure-{name}"') == 1
    assert 'stroke="var(--light-line)"' in symbols
    assert "#1c2530" not in svg.piece_symbols()


@pytest.mark.parametrize("key", RULES)
def test_every_game_has_a_picture_of_the_right_size(key: str) -> None:
    image = image_of(facts(key))
    assert image.size == SIZE_PX == (1200, 630)
    assert len(image.getcolors(1 << 20)) > 50
    assert image.getpixel((2, 2)) == (0xF4, 0xEE, 0xE2)


@pytest.mark.parametrize("key", BOARDS)
def test_another_position_or_end_makes_another_picture(key: str) -> None:
    rules, start = rules_of(key), facts(key)
    action = next(iter(rules.choices(start.state, "white")))
    moved = replace(start, state=rules.play(start.state, {"white": action}))
    over = replace(start, reason="resigned", winner="white")
    pictures = {card_svg(each) for each in (start, moved, over, replace(start, white="cy"))}
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


def test_text_is_escaped_and_cannot_add_elements() -> None:
    name = '</text><image href="file:///etc/passwd"/><text>&amp;"'
    for key in ("pincer", "blotto"):
        plain_picture = ElementTree.fromstring(card_svg(facts(key)))
        picture = ElementTree.fromstring(card_svg(facts(key, white=name, black=name[:60])))
        assert Counter(each.tag for each in picture.iter() if "text" not in each.tag) == Counter(
            each.tag for each in plain_picture.iter() if "text" not in each.tag
        )
        assert any(each.text and each.text.startswith("</text>") for each in picture.iter())


@pytest.mark.parametrize("name", ["\x00\x0b\x1f", "\ufffe\uffff", "\ud800"])
def test_letters_that_xml_forbids_are_replaced(name: str) -> None:
    assert set(plain(name)) == {"?"}
    ElementTree.fromstring(card_svg(facts(white=name)))


def test_lettering_uses_known_letters_only_and_keeps_to_its_room() -> None:
    assert plain("Amazons 8×8 · 5 + 3") == "Amazons 8×8 · 5 + 3"
    assert plain("Zażółć ışık Ωμέγα Привет") == "Zażółć ışık Ωμέγα Привет"
    assert plain("名") == "?"
    assert plain("e\u0301 ａ ㎏") == "é a kg"
    for text in ("W" * 300, "a b " * 200, "x"):
        broken, size = lines(text, 38, 400, 3)
        assert 1 <= len(broken) <= 3
        assert all(width_px(line, size) <= 400 for line in broken)
    assert fit_text("abc", 40, 400) == ("abc", 40)


@pytest.mark.parametrize("text", ["Bartholomew the Very Long-Winded", "W" * 20, "AVAVAToTo"])
def test_text_is_no_wider_than_it_was_measured(text: str) -> None:
    for is_bold in (False, True):
        weight = 600 if is_bold else 400
        source = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="60"'
            ' font-family="Source Sans Pro">'
            f'<text x="0" y="45" font-size="40" font-weight="{weight}">{text}</text>'
            "</svg>"
        )
        png = renderer.render_png(source, list(FILES.values()))
        left, _, right, _ = Image.open(BytesIO(png)).getchannel("A").getbbox()
        measured = width_px(text, 40, is_bold=is_bold)
        assert 0.8 * measured < right - left <= measured


def test_every_end_has_its_sentence() -> None:
    for reason in WON:
        said = sentence(facts(winner="black", reason=reason, goals=(13, 17)))
        assert said.startswith("bob wins")
        assert "{" not in said
    assert sentence(facts(winner="black", reason="rounds", goals=(13, 17))) == "bob wins, 17 to 13."
    for reason in LEVEL:
        assert "{" not in sentence(facts(reason=reason, goals=(15, 15)))
    assert sentence(facts(reason="of-tomorrow")) == "Draw."
    assert sentence(facts()) == "ada to move"
    assert sentence(facts("blotto")) == "Round 1 of 5"


def test_a_picture_is_drawn_only_once_and_costs_this_process_little() -> None:
    for key in RULES:
        card_svg(facts(key))  # grounds and figures are made once
        spent = time.process_time()
        first = card_png(facts(key, white="somebody-new"))
        assert time.process_time() - spent < 0.05, key  # the child takes about 0.1 s
        assert len(first) < 200_000
        assert card_png(facts(key, white="somebody-new")) is first
    assert card_png.cache_info().maxsize == 64


def test_a_picture_that_fails_or_takes_too_long_says_so() -> None:
    with pytest.raises(renderer.RenderError, match="root node"):
        renderer.render_png("<svg", [])
    with pytest.raises(renderer.RenderError, match=r"longer than 0\.001 s"):
        renderer.render_png("<svg/>", [], timeout_s=0.001)


def test_a_failed_picture_is_answered_with_503(opened, monkeypatch, caplog) -> None:
    card_png.cache_clear()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    slug = opened("pincer").slug
    response = Client().get(at(slug))
    assert (response.status_code, response["Retry-After"]) == (503, "60")
    [told] = [record.getMessage() for record in caplog.records if record.name == "quiver.play"]
    assert "picture_failed" in told
    assert slug[:4] in told and slug not in told  # the key of a game gives access to it


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

    from play.domain.clocks import now
    from play.domain.commands import Act
    from play.runtime import game_commands

    game = await sync_to_async(opened)("blotto")
    ask = sync_to_async(lambda: Client().get(at(game.slug)))
    before = await ask()
    await game_commands.perform(
        game_service(), game.slug, people[0].pk, Act("a", 0, ("troops 7 2 1",)), now()
    )
    sealed = await ask()
    assert sealed.content == before.content
    assert sealed["ETag"] == before["ETag"]
    await game_commands.perform(
        game_service(), game.slug, people[1].pk, Act("b", 0, ("troops 1 2 7",)), now()
    )
    after = await ask()
    assert after["ETag"] != before["ETag"]
    live = await sync_to_async(load.fetch)(game.slug)
    assert facts_of(live).view["splits"] == [{"white": [7, 2, 1], "black": [1, 2, 7]}]


def test_facts_hold_nothing_of_seals_and_offers() -> None:
    names = {field.name for field in fields(Facts)}
    assert not names & {"sealed", "offers", "draw", "prompt", "people"}


def test_the_page_of_a_game_names_its_picture(opened) -> None:
    game = opened("blotto")
    page = Client().get(f"/g/{game.slug}/").content.decode()
    assert f'property="og:image" content="{absolute_url(at(game.slug))}"' in page
    assert 'property="og:title" content="ada and bob · Colonel Blotto"' in page
