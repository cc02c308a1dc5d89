"""Sharing of a game: pictures of past positions, and the QR code of its address."""

from io import BytesIO

import pytest
import qrcode
import resvg_py
from asgiref.sync import sync_to_async
from django.test import Client
from PIL import Image

from accounts.limits import rate_limits
from accounts.site_links import absolute_url
from games.catalogue import RULES
from pictures.card_data import facts_after, facts_of, turns_of
from play.domain.clocks import now
from play.domain.commands import Act
from play.models import Game
from play.runtime import game_commands
from play.storage import load
from tests.support.loop_runtime import game_service

HALVES = '{"white":50,"black":50}'


def end_all() -> None:
    Game.objects.update(ended=1, reason="agreed", goals=HALVES)


async def act(game: Game, user: int, step: int, *actions: str) -> None:
    command = Act(f"{user}-{step}", step, actions)
    await game_commands.perform(game_service(), game.slug, user, command, now())


async def play_pincer(game: Game, people) -> None:
    """Plays two turns of two steps each."""
    ada, bob, _ = people
    await act(game, ada.pk, 0, "move 7 3 7 4", "move 1 5 1 4")
    await act(game, bob.pk, 2, "move 1 3 1 2", "move 7 5 7 6")


def modules_of(svg: bytes) -> list[list[bool]]:
    """The dark modules of a QR code as a reader sees them, without the quiet zone."""
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg.decode(), zoom=8, dpi=96))
    image = Image.open(BytesIO(png)).convert("RGBA")
    assert image.getpixel((3, 3)) == (255, 255, 255, 255)  # the ground is white by itself
    dark = image.convert("L").point(lambda value: 255 if value < 128 else 0)
    left, top, right, _ = dark.getbbox()
    for count in range(21, 178, 4):  # modules in a row, by version
        side = (right - left) / count
        cells = [
            [
                dark.getpixel((int(left + (x + 0.5) * side), int(top + (y + 0.5) * side))) > 0
                for x in range(count)
            ]
            for y in range(count)
        ]
        # The timing pattern alternates between two finder patterns: only the true count fits.
        if cells[6][8 : count - 8] == [x % 2 == 0 for x in range(8, count - 8)]:
            return cells
    raise AssertionError("no timing pattern was found")


def matrix_of(text: str) -> list[list[bool]]:
    code = qrcode.QRCode(border=0)
    code.add_data(text)
    code.make(fit=True)
    return code.get_matrix()


@pytest.mark.parametrize("turn", ["", "0", "12", "9999"])
def test_the_qr_code_is_that_of_the_address_and_of_the_turn(opened, turn) -> None:
    game = opened("pincer")
    response = Client().get(f"/g/{game.slug}/qr.svg", {"turn": turn} if turn else None)
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    address = absolute_url(f"/g/{game.slug}/") + (f"#{turn}" if turn else "")
    assert modules_of(response.content) == matrix_of(address)
    assert modules_of(response.content) != matrix_of(address + "x")


@pytest.mark.parametrize("file", ["qr.svg", "picture.png"])
@pytest.mark.parametrize("turn", ["-1", "1.5", "٣", "10000", "#2", "x"])
def test_a_turn_that_is_no_number_is_refused(opened, file, turn) -> None:
    assert Client().get(f"/g/{opened('pincer').slug}/{file}", {"turn": turn}).status_code == 400


@pytest.mark.parametrize("file", ["qr.svg", "picture.png", "qr.svg?turn=0", "picture.png?turn=0"])
def test_a_game_without_spectators_is_shared_only_when_it_is_over(opened, people, file) -> None:
    game = opened("pincer", watch=False)
    path = f"/g/{game.slug}/{file}"
    assert Client().get(path).status_code == 404
    ada, cy = Client(), Client()
    ada.force_login(people[0])
    cy.force_login(people[2])
    assert (ada.get(path).status_code, cy.get(path).status_code) == (200, 404)
    end_all()
    assert Client().get(path).status_code == 200
    assert Client().get(f"/g/nowhere/{file}").status_code == 404


def test_qr_codes_are_limited_like_other_reads(opened, monkeypatch) -> None:
    path = f"/g/{opened('pincer').slug}/qr.svg"
    stranger = Client(REMOTE_ADDR="203.0.113.7")
    monkeypatch.setattr(rate_limits.Limit, "quotas", lambda self, user, address: iter(
        [rate_limits.Rate(f"limit:{self.name}", 2, 600).of(address)]
    ))  # fmt: skip
    assert [stranger.get(path).status_code for _ in range(3)] == [200, 200, 429]


async def test_the_picture_after_a_turn_shows_that_position_and_that_turn(table, people) -> None:
    game = await table("pincer")
    await play_pincer(game, people)
    live, done = await sync_to_async(load.fetch_with_steps)(game.slug)
    turns = turns_of(done)
    assert [len(steps) for steps in turns] == [2, 2]
    start, first, second, later = (facts_after(live, turns, turn) for turn in (0, 1, 2, 99))
    assert start.state == RULES["pincer"].start()
    assert (start.slides, start.turns) == ((), 0)
    assert first.state == done[1].state
    assert first.slides == (("g3", "g4"), ("a5", "a4"))
    assert second == later == facts_of(live)
    assert len({each.tag for each in (start, first, second)}) == 3


async def test_the_picture_of_a_past_position_is_not_that_of_the_newest(table, people) -> None:
    game = await table("pincer")
    await play_pincer(game, people)
    ask = sync_to_async(lambda turn: Client().get(f"/g/{game.slug}/picture.png?turn={turn}"))
    first, second = await ask(1), await ask(2)
    newest = await sync_to_async(lambda: Client().get(f"/g/{game.slug}/picture.png"))()
    assert (first.status_code, first["Content-Type"]) == (200, "image/png")
    assert first["ETag"] != newest["ETag"]
    assert second["ETag"] == newest["ETag"]


async def test_a_sealed_split_changes_no_picture_of_any_turn(table, people) -> None:
    game = await table("blotto")
    ask = sync_to_async(lambda: Client().get(f"/g/{game.slug}/picture.png?turn=1"))
    before = await ask()
    await act(game, people[0].pk, 0, "troops 7 2 1")
    assert (await ask())["ETag"] == before["ETag"]
    await act(game, people[1].pk, 0, "troops 1 2 7")
    assert (await ask())["ETag"] != before["ETag"]


async def test_the_end_is_told_only_by_the_newest_picture(table, people) -> None:
    game = await table("pincer")
    await play_pincer(game, people)
    await sync_to_async(end_all)()
    live, done = await sync_to_async(load.fetch_with_steps)(game.slug)
    turns = turns_of(done)
    assert [facts_after(live, turns, turn).reason for turn in (0, 1, 2)] == ["", "", "agreed"]
