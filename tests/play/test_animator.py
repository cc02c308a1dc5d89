"""Animated WebP of a game: frames, size, CPU time, and what ends the process that makes it."""

import asyncio
import resource
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from asgiref.sync import sync_to_async
from PIL import Image

from games.catalogue import RULES
from games.core import assemble_joint
from play.domain.game_state import GameState, ReplayedStep, apply_joint
from play.picture import animator
from play.picture.animator import AnimationError, make_webp
from play.picture.frames import FRAME_SIDE_PX, MAX_FRAMES, film_of, spread
from play.storage import load
from tests.support.run.gates import nightly
from tests.support.waiting import run_ready

pytestmark = pytest.mark.slow


async def go_on() -> None:
    """Nobody waits for anything."""


def cpu_s() -> float:
    """The CPU time of the children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def play_on(game: GameState, most: int) -> tuple[GameState, list[ReplayedStep]]:
    """The game after a random playout of at most `most` steps."""
    rng, done = Random(5), []
    while game.control and len(done) < most:
        chosen = {
            role: game.rules.choices(game.state, role).sample(rng) for role in sorted(game.control)
        }
        game = apply_joint(game, assemble_joint(game.rules, game.state, chosen))
        done.append(ReplayedStep(game.last[-1], game.state, 0))
    return game, done


@pytest.mark.parametrize(
    ("count", "most", "expected"),
    [
        (1, 60, [0]),
        (3, 60, [0, 1, 2]),
        (5, 3, [0, 2, 4]),
        (10, 4, [0, 3, 6, 9]),
        (7, 2, [0, 6]),
    ],
)
def test_frames_are_spread_evenly_with_the_first_and_the_last(count, most, expected) -> None:
    assert spread(count, most) == expected


@pytest.mark.parametrize("count", range(2, 200, 7))
def test_never_more_frames_than_allowed_and_none_twice(count) -> None:
    numbers = spread(count, MAX_FRAMES)
    assert len(numbers) == len(set(numbers)) == min(count, MAX_FRAMES)
    assert (numbers[0], numbers[-1]) == (0, count - 1)
    gaps = [after - before for before, after in pairwise(numbers)]
    assert max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize("cost_s", [0.001, 0.04, 0.1, 0.5, 5])
def test_the_costlier_a_frame_the_fewer_are_planned(cost_s) -> None:
    planned = animator._plan(60, 2, cost_s)
    assert 0 in planned and 59 not in planned  # the last one has been sent
    assert len(planned) == len(set(planned))
    assert len(planned) + 1 == max(2, min(60, 1 + int(2 / cost_s)))


@pytest.mark.parametrize("key", ["pincer", *nightly(*(key for key in RULES if key != "pincer"))])
async def test_a_long_game_becomes_a_small_animation_in_little_time(table, key) -> None:
    game = await table(key)
    live, done = play_on(await sync_to_async(load.fetch)(game.slug), 160)
    film = film_of(live, done)
    before = cpu_s()
    webp = await make_webp(*film, go_on)
    spent = cpu_s() - before
    picture = Image.open(BytesIO(webp))
    durations = []
    for number in range(picture.n_frames):
        picture.seek(number)
        picture.load()
        durations.append(picture.info["duration"])
    print(f"{key}: {picture.n_frames} frames, {len(webp)} bytes, {spent:.2f} s of CPU time")
    assert picture.format == "WEBP"
    assert picture.size == (FRAME_SIDE_PX, FRAME_SIDE_PX)
    assert picture.info["loop"] == 0
    assert 2 <= picture.n_frames <= len(film.frames) <= MAX_FRAMES
    assert len(webp) <= 1_500_000
    assert spent <= 3.1  # the start of Python, which the process cannot measure, is in it
    assert durations[-1] >= animator.LAST_FRAME_MS > max(durations[:-1])


async def test_the_frames_name_nobody(table) -> None:
    game = await table("blotto")
    live, done = play_on(await sync_to_async(load.fetch)(game.slug), 9)
    drawn = film_of(live, done).frames
    assert len(drawn) == len(done) + 1 > 3
    assert all("ada" not in svg and "bob" not in svg for svg in drawn)
    assert "First player" in drawn[0]


def svg_of(drawn: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80">{drawn}</svg>'


PAPER = svg_of('<rect width="80" height="80" fill="#fff"/>')
SQUARES = [svg_of(f'<rect x="{10 * x}" width="20" height="80"/>') for x in range(6)]


async def test_the_frames_keep_their_order_and_follow_their_worker() -> None:
    waits = 0

    async def count() -> None:
        nonlocal waits
        waits += 1

    picture = Image.open(BytesIO(await make_webp(PAPER, SQUARES, [], count)))
    assert picture.n_frames == len(SQUARES)
    for number in range(picture.n_frames):
        picture.seek(number)
        row = picture.convert("RGB")
        dark = [x for x in range(5, 80, 10) if row.getpixel((x, 40))[0] < 100]
        assert dark == [10 * number + 5, 10 * number + 15]
    assert (
        waits == 1 + (len(SQUARES) - 1) + 1
    )  # at the start, before each frame but one, at the end


async def test_no_frame_is_rendered_while_the_worker_is_not_free(monkeypatch) -> None:
    sent, gate, stopped, asked = [], asyncio.Event(), asyncio.Event(), 0
    send = animator._send

    async def note(process, at, svg):
        sent.append(at)
        return await send(process, at, svg)

    async def wait() -> None:
        nonlocal asked
        asked += 1
        if asked == 3:
            stopped.set()
            await gate.wait()

    monkeypatch.setattr(animator, "_send", note)
    making = asyncio.create_task(make_webp(PAPER, SQUARES, [], wait))
    await asyncio.wait_for(stopped.wait(), 30)
    await run_ready()
    assert len(sent) == 3  # the ground, the last frame and the first
    gate.set()
    assert (await making)[:4] == b"RIFF"


async def test_a_frame_that_cannot_be_drawn_is_an_error() -> None:
    with pytest.raises(AnimationError, match="root node"):
        await make_webp("<svg", ["<svg", "<svg"], [], go_on)


@pytest.fixture
def narrow_animator(monkeypatch, tmp_path) -> None:
    """The process may write ten bytes only."""
    limited = tmp_path / "animator.py"
    source = Path(animator.__file__).read_text(encoding="utf-8")
    assert source.count("= 1_500_000") == 1
    limited.write_text(source.replace("= 1_500_000", "= 10"), encoding="utf-8")
    monkeypatch.setattr(animator, "__file__", str(limited))


async def test_a_file_that_becomes_too_large_is_an_error(narrow_animator) -> None:
    with pytest.raises(AnimationError, match="more than 10 bytes"):
        await make_webp(PAPER, SQUARES, [], go_on)


@pytest.mark.processes
async def test_a_cancelled_animation_leaves_no_process(monkeypatch) -> None:
    begun = []
    create = asyncio.create_subprocess_exec

    async def note(*args, **kwargs):
        begun.append(await create(*args, **kwargs))
        return begun[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", note)
    blocked = asyncio.Event()
    waits = iter(range(9))

    async def wait() -> None:
        if next(waits) == 1:
            blocked.set()
            await asyncio.Event().wait()

    making = asyncio.create_task(make_webp(PAPER, SQUARES, [], wait))
    await asyncio.wait_for(blocked.wait(), 30)
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making
    assert begun[0].returncode is not None
