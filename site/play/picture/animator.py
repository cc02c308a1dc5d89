"""Make an animated WebP of SVG frames by resvg_py and Pillow, in a process of its own.

The process has the lowest priority. It gets one frame at a time and answers with the CPU time that
it has taken, so that the caller can pause between two frames and send fewer of them. When the
caller dies, its input ends, and so does the process. Run as a script, this file is that process.

The ground is rendered once: it takes 21 ms of the 34 ms that a whole frame takes. Pillow writes
animated WebP with libwebp's own encoder, which stores what differs between two frames, and has
wheels for every platform of the site.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any, Final

MAX_BYTES: Final = 1_500_000
MAX_CPU_S: Final = 3  # where the platform can hold a process to it
PLANNED_CPU_S: Final = 2.3  # the rest is for frames that cost more than the first
MIN_FRAMES: Final = 2
MEAN_COST_SHARE: Final = 0.65  # of the last frame's cost: fewer squares are burnt before
FRAME_MS: Final = 600
LAST_FRAME_MS: Final = 3_000
QUALITIES: Final = (75, 40)  # the second where the first makes too large a file
TIMEOUT_S: Final = 30.0  # of one answer
LOWEST_PRIORITY: Final = 19
GROUND: Final = -1  # its number among the frames


class AnimationError(Exception):
    """An animation could not be made, or not within its limits."""


async def make_webp(
    ground: str,
    frames: Sequence[str],
    fonts: Sequence[str],
    wait_until_free: Callable[[], Awaitable[object]],
) -> bytes:
    """Return the frames over the ground as an animated WebP of at most `MAX_BYTES`.

    `wait_until_free` is awaited before each frame and before the encoding. Where `PLANNED_CPU_S` is
    too short for all frames, some between the first and the last are left out, evenly. Raises
    `AnimationError`.
    """
    await wait_until_free()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        __file__,
        *fonts,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        await _send(process, GROUND, ground)
        return await _send_frames(process, frames, wait_until_free)
    except TimeoutError as error:
        raise AnimationError(f"a frame took longer than {TIMEOUT_S:g} s") from error
    except (OSError, ValueError) as error:  # it has ended before its input did
        raise AnimationError(await _read_failure(process)) from error
    finally:
        with suppress(ProcessLookupError):  # it has ended by itself
            process.kill()
        await process.wait()


async def _send_frames(
    process: asyncio.subprocess.Process,
    frames: Sequence[str],
    wait_until_free: Callable[[], Awaitable[object]],
) -> bytes:
    assert process.stdin and process.stdout
    last = len(frames) - 1
    spent_s, cost_s = await _send(process, last, frames[last])  # as a rule the costliest
    for at in _plan(len(frames), PLANNED_CPU_S - spent_s, cost_s * MEAN_COST_SHARE):
        await wait_until_free()
        spent_s, _ = await _send(process, at, frames[at])
        if spent_s > PLANNED_CPU_S:
            break
    await wait_until_free()
    process.stdin.close()
    webp = await asyncio.wait_for(process.stdout.read(), TIMEOUT_S)
    if await process.wait() or not webp:
        raise AnimationError(await _read_failure(process))
    return webp


def _plan(count: int, left_s: float, cost_s: float) -> list[int]:
    """Return the numbers of the frames before the last one in the order in which they are sent.

    There are as many as `left_s` of CPU time allows for, at `cost_s` each.

    Every second one comes first, so that those missing after a break leave no large gap.
    """
    most = max(MIN_FRAMES, 1 + int(left_s / max(cost_s, 0.001)))
    if count > most:
        numbers = [round(index * (count - 1) / (most - 1)) for index in range(most - 1)]
    else:
        numbers = list(range(count - 1))
    return [*numbers[::2], *numbers[1::2]]


async def _send(process: asyncio.subprocess.Process, at: int, svg: str) -> tuple[float, float]:
    """Send a frame; return the CPU time (s) of the process so far, and that of this frame."""
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps([at, svg]).encode() + b"\n")
    await process.stdin.drain()
    told = await asyncio.wait_for(process.stdout.readline(), TIMEOUT_S)
    spent_s, cost_s = map(float, told.split())
    return spent_s, cost_s


async def _read_failure(process: asyncio.subprocess.Process) -> str:
    assert process.stderr
    said = (await asyncio.wait_for(process.stderr.read(), TIMEOUT_S)).decode(errors="replace")
    return said.strip()[-500:] or f"the process ended with {await process.wait()}"


def _limit_process() -> None:
    """Give this process the lowest priority and `MAX_CPU_S` of CPU time."""
    if sys.platform != "win32":
        import resource

        os.nice(LOWEST_PRIORITY)
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S + 1))


def _encode(images: Sequence[Any], quality: int) -> bytes:
    out = BytesIO()
    images[0].save(
        out,
        "WEBP",
        save_all=True,
        append_images=images[1:],
        duration=[*[FRAME_MS] * (len(images) - 1), LAST_FRAME_MS],
        loop=0,
        quality=quality,
        method=0,
        kmin=0,
        kmax=0,  # no key frames: a third of the bytes
    )
    return out.getvalue()


def _main() -> None:
    """Render the frames of standard input, then write the animation to standard output."""
    _limit_process()
    import resvg_py
    from PIL import Image

    ground = None
    images: dict[int, Any] = {}
    for line in sys.stdin.buffer:
        begun_s = time.process_time()
        at, svg = json.loads(line)
        png = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=sys.argv[1:])
        image = Image.open(BytesIO(bytes(png))).convert("RGBA")
        if ground is None:
            ground = image
        else:
            images[at] = Image.alpha_composite(ground, image).convert("RGB")
        if len(images) == 1:
            _encode([images[at]], QUALITIES[0])  # its CPU time is part of a frame's cost
        spent_s = time.process_time()
        sys.stdout.buffer.write(f"{spent_s:.4f} {spent_s - begun_s:.4f}\n".encode())
        sys.stdout.buffer.flush()
    if not images:
        return
    for quality in QUALITIES:
        webp = _encode([images[at] for at in sorted(images)], quality)
        if len(webp) <= MAX_BYTES:
            sys.stdout.buffer.write(webp)
            return
    sys.exit(f"the animation has more than {MAX_BYTES} bytes")


if __name__ == "__main__":
    _main()
