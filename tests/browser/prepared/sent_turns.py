"""Messages to a game from people who have no page of it open, and games that are begun so.

A page that nobody looks at costs as much CPU time as one that a test is about: whoever is only
the opponent sends his turns without it.
"""

import itertools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import websockets

from tests.browser.prepared.short_games import squares
from tests.browser.visitors.browser_visitors import Visitor, game_of
from tests.browser.visitors.site_pages import FIRST

SECOND = ["move 7 5 6 5", "move 7 7 7 6"]  # of Pincer, by black
ids = itertools.count(1)


async def send(person: Visitor, game: str, message: dict[str, Any]) -> None:
    """Sends a message to a game, given by its path or slug, and waits for its receipt."""
    slug = game.strip("/").rsplit("/", 1)[-1]
    cookies = await person.page.context.cookies(person.home)
    session = next(each["value"] for each in cookies if each["name"] == "sessionid")
    address = f"{person.home.replace('http', 'ws', 1)}ws/g/{slug}/"
    cookie, origin = {"Cookie": f"sessionid={session}"}, person.home.rstrip("/")
    topic = {"topic": f"game:{slug}"}
    async with websockets.connect(
        address, origin=origin, additional_headers=cookie, proxy=None
    ) as line:
        await line.send(json.dumps({"t": "subscribe", **topic}))
        await line.send(json.dumps({"id": f"sent-{next(ids)}", **topic, **message}))
        async for text in line:
            heard = json.loads(text)
            assert heard["t"] != "refused", heard
            if heard["t"] == "receipt":
                return
    raise AssertionError(f"no receipt for {message}")


async def send_actions(person: Visitor, game: str, step: int, actions: Iterable[str]) -> None:
    """Sends actions, as the protocol has them, to the step of a game that asks for them."""
    await send(person, game, {"t": "act", "step": step, "actions": list(actions)})


async def send_turn(person: Visitor, game: str, step: int, turn: str) -> None:
    """Sends a turn of Pincer (`a5-b5 a7-a6`) or of Amazons (`c1-c5/e5`) of two steps."""
    numbers = [f"{ord(square[0]) - ord('a') + 1} {square[1:]}" for square in squares(turn)]
    words = ["move", "fire"] if "/" in turn else ["move", "move"]
    spans = [numbers[:2], numbers[2:]]
    actions = [" ".join([word, *span]) for word, span in zip(words, spans, strict=True)]
    await send_actions(person, game, step, actions)


@dataclass
class Sealer:
    """An opponent in Blotto who has no page open."""

    person: Visitor
    game: str
    rounds: int = 0  # that he has sealed

    async def seal(self, split: tuple[int, int, int]) -> None:
        """Seals orders in the round that is next for him."""
        orders = f"troops {' '.join(map(str, split))}"
        await send_actions(self.person, self.game, self.rounds, [orders])
        self.rounds += 1


async def begin_alone(ada: Visitor, bob: Visitor, key: str, clock: str = "none") -> str:
    """Starts a game in which Ada plays white and brings her to it, not Bob; returns its path."""
    game = await game_of(ada, bob, key, clock)
    await ada.page.goto(f"{ada.home}{game}")
    await ada.wait_for_game()
    await ada.page.wait_for_selector("#game[data-turn]")
    return game


async def play_first_turns(ada: Visitor, bob: Visitor, key: str) -> str:
    """Starts a game of Pincer or Blotto and plays a turn of each; returns its path."""
    game = await game_of(ada, bob, key)
    await send_actions(ada, game, 0, FIRST[key])
    is_sealed = key == "blotto"
    await send_actions(bob, game, 0 if is_sealed else 2, FIRST[key] if is_sealed else SECOND)
    return game


async def end_a_game(ada: Visitor, bob: Visitor, key: str) -> str:
    """Plays a turn of each; then Bob resigns. Returns the path of the game."""
    game = await play_first_turns(ada, bob, key)
    await send(bob, game, {"t": "resign"})
    return game
