"""Finished and running games of every kind, played through the game service."""

import itertools
from functools import partial
from typing import Any

from games.core import OTHER, ROLES
from play.domain import clocks, commands
from play.domain.clocks import SECOND_MS, Clock
from play.runtime import game_commands
from tests.support.loop_runtime import game_service
from tests.support.walled_games import WHITE_AHEAD, quiet_turns_from_start

FISCHER = Clock("fischer", 300 * SECOND_MS, 3 * SECOND_MS)
LIMIT = Clock("limit", 30 * SECOND_MS)
PINCER = {
    0: ("move 1 5 2 5", "move 1 7 1 6"),
    2: ("move 7 7 6 7", "move 7 5 6 5"),
    4: ("move 2 5 3 5", "move 1 6 2 6"),
}
WHITE, BLACK = ("move 4 1 4 7", "fire 7 7"), ("move 4 10 4 8", "fire 4 9")


class Story:
    """A game of ada (white) and bob (black), in which time passes as it is told."""

    def __init__(self, game: Any, people: Any) -> None:
        self.slug, self.users = game.slug, dict(zip(ROLES, people, strict=False))
        self.at = clocks.now()
        self._ids = (f"id-{n}" for n in itertools.count())

    async def say(self, role: str, command: type, *rest: Any, ms: int = 1_000, lag: int = 0) -> Any:
        """A role asks for something, so many ms after what came before."""
        self.at += ms
        user = self.users[role].pk
        return await game_commands.perform(
            game_service(), self.slug, user, command(next(self._ids), *rest), self.at, lag
        )

    async def turn(self, role: str, step: int, *actions: str, **more: Any) -> Any:
        """A role acts."""
        return await self.say(role, commands.Act, step, actions, **more)

    async def server(self, command: type, *rest: Any, ms: int) -> None:
        """The server looks at the game."""
        self.at += ms
        await game_service().perform(command(self.slug, *rest, self.at))


async def taken_back(story: Story) -> None:
    """A turn is taken back and played otherwise; in the end somebody resigns."""
    await story.turn("white", 0, *WHITE, lag=120)
    await story.turn("black", 2, BLACK[0], lag=700)
    await story.turn("black", 3, BLACK[1], lag=700)
    await story.say("black", commands.Takeback, "offer")
    await story.say("white", commands.Takeback, "decline")
    await story.say("black", commands.Takeback, "offer")
    await story.say("white", commands.Takeback, "accept")
    await story.turn("black", 2, "move 4 10 4 9", "fire 4 8")
    await story.say("white", commands.Draw, "offer")
    await story.turn("white", 4, "move 4 7 4 6", "fire 4 7")
    await story.say("black", commands.Resign)


async def sealed(story: Story) -> None:
    """One round is played, and in the next one role has sealed."""
    await story.turn("white", 0, "troops 4 3 3", lag=30)
    await story.turn("black", 0, "troops 10 0 0", lag=40)
    await story.turn("black", 1, "troops 0 5 5", lag=50)


async def played_out(story: Story) -> None:
    """All rounds are played."""
    for step in range(5):
        for role in ROLES if step % 2 else reversed(ROLES):
            await story.turn(role, step, f"troops {step} {10 - step} 0")


async def stopped(story: Story) -> None:
    """The server was down for a minute, then a flag falls."""
    await story.turn("white", 0, *PINCER[0])
    await story.server(commands.Credit, story.at + 5 * SECOND_MS, ms=65 * SECOND_MS)
    await story.turn("black", 2, *PINCER[2])
    await story.server(commands.Flag, ms=400 * SECOND_MS)


async def agreed(story: Story) -> None:
    """Two agree on a draw, without a clock."""
    await story.turn("white", 0, *PINCER[0])
    await story.say("black", commands.Draw, "offer")
    await story.say("black", commands.Draw, "withdraw")
    await story.say("black", commands.Draw, "offer")
    await story.say("white", commands.Draw, "accept")


async def both_too_late(story: Story) -> None:
    """Both flags of a round fall."""
    await story.server(commands.Flag, ms=40 * SECOND_MS)


async def broken_off(story: Story) -> None:
    """A game that one role never began."""
    await story.turn("white", 0, *PINCER[0])
    await story.say("black", commands.Abort)


async def left_alone(story: Story) -> None:
    """A week without a word."""
    await story.turn("white", 0, *PINCER[0])
    await story.server(commands.Idle, ms=8 * clocks.DAY_MS)


async def forsaken(story: Story) -> None:
    """Neither of the two can come back to a game with days."""
    await story.turn("white", 0, *PINCER[0])
    gone = partial(commands.Idle, are_gone=True, rev=1)
    await story.server(gone, ms=2 * SECOND_MS)  # type: ignore[arg-type]


async def slow_first_turn_missed(story: Story) -> None:
    """White plays on the second day, and black never comes."""
    await story.turn("white", 0, *PINCER[0], ms=30 * 3_600 * SECOND_MS)
    await story.server(commands.Flag, ms=2 * clocks.DAY_MS + SECOND_MS)


async def without_arrows(story: Story) -> None:
    """Fifty turns without an arrow; then a draw is claimed."""
    there, back = ("4 1 4 2", "4 10 4 9"), ("4 2 4 1", "4 9 4 10")
    for turn in range(50):
        way = (there if turn % 4 < 2 else back)[turn % 2]
        origin = way[: way.rindex(" ", 0, way.rindex(" "))]
        await story.turn(ROLES[turn % 2], turn, f"play {way} {origin}", ms=10)
    await story.say("white", commands.Claim)


async def counted(story: Story) -> None:
    """The sides are parted; white counts, while black's request for a takeback stands."""
    for number, action in enumerate(WHITE_AHEAD):
        await story.turn(ROLES[number % 2], number, action)
    await story.say("black", commands.Takeback, "offer")
    await story.say("white", commands.CountNow)


async def claimed(story: Story) -> None:
    """White claims too soon, while black's request for a takeback stands, then with a proof."""
    for number, action in enumerate(WHITE_AHEAD):
        if number == 8:
            await story.say("black", commands.Takeback, "offer")
            await story.say("white", commands.ClaimDecided, number)
            await story.say("white", commands.Takeback, "decline")
        await story.turn(ROLES[number % 2], number, action)
    await story.say("white", commands.ClaimDecided, 10)


async def counted_by_length(story: Story) -> None:
    """Ten turns without an arrow, a takeback among them, in a game whose sides still meet."""
    turns = quiet_turns_from_start()
    for number in range(8):
        await story.turn(ROLES[number % 2], number, next(turns))
    await story.say("black", commands.Takeback, "offer")
    await story.say("white", commands.Takeback, "accept")
    await story.turn("black", 7, "play 4 9 4 10 4 9")
    for number in (8, 9):
        await story.turn(ROLES[number % 2], number, next(turns))


async def under_way(story: Story) -> None:
    """A draw is offered, and nobody has answered."""
    await story.turn("white", 0, *PINCER[0])
    await story.say(OTHER["white"], commands.Draw, "offer")


async def first_turn_missed(story: Story) -> None:
    """White takes its first turn back, plays it on its clock, and black never comes."""
    await story.turn("white", 0, PINCER[0][0], ms=20 * SECOND_MS, lag=90)
    await story.turn("white", 1, PINCER[0][1], ms=10 * SECOND_MS)
    await story.server(commands.Credit, story.at + SECOND_MS, ms=6 * SECOND_MS)
    await story.say("white", commands.Takeback, "offer")
    await story.say("black", commands.Takeback, "accept")
    await story.turn("white", 0, *PINCER[0])
    await story.server(commands.Flag, ms=31 * SECOND_MS)


async def both_shown(story: Story) -> None:
    """Both pages are shown, with a stop of the server between; a round, and a seal in its pause."""
    await story.say("black", commands.Shown)
    await story.server(commands.Credit, story.at + SECOND_MS, ms=9 * SECOND_MS)
    await story.say("white", commands.Shown, ms=12 * SECOND_MS)
    await story.turn("white", 0, "troops 4 3 3", lag=30)
    await story.turn("black", 0, "troops 10 0 0", ms=20 * SECOND_MS)
    await story.turn("black", 1, "troops 0 5 5", lag=50)


async def waiting_for_a_page(story: Story) -> None:
    """One page is shown, and the other player has sealed before the begin."""
    await story.say("black", commands.Shown)
    await story.turn("white", 0, "troops 4 3 3", lag=30)


async def nobody_came(story: Story) -> None:
    """The server begins the game, one role seals, and the other never does."""
    await story.server(commands.Flag, ms=15 * SECOND_MS)
    await story.turn("black", 0, "troops 10 0 0")
    await story.server(commands.Flag, ms=30 * SECOND_MS)


STORIES = {
    taken_back: ("amazons-10x10", FISCHER),
    sealed: ("blotto", FISCHER),
    played_out: ("blotto", LIMIT),
    stopped: ("pincer", FISCHER),
    agreed: ("pincer", Clock("none")),
    both_too_late: ("blotto", LIMIT),
    broken_off: ("pincer", Clock("days", clocks.DAY_MS)),
    left_alone: ("pincer", Clock("none")),
    without_arrows: ("amazons", FISCHER),
    counted: ("amazons", FISCHER),
    counted_by_length: ("amazons", FISCHER),
    claimed: ("amazons", FISCHER),
    under_way: ("pincer", LIMIT),
    first_turn_missed: ("pincer", FISCHER),
    both_shown: ("blotto", LIMIT),
    waiting_for_a_page: ("blotto", FISCHER),
    nobody_came: ("blotto", LIMIT),
    forsaken: ("pincer", Clock("days", clocks.DAY_MS)),
    slow_first_turn_missed: ("pincer", Clock("days", 2 * clocks.DAY_MS)),
}
# Games in which a draw may be claimed instead of a count.
UNCOUNTED = {without_arrows}
# Games with a fair start.
FAIR = {first_turn_missed, both_shown, waiting_for_a_page, nobody_came, slow_first_turn_missed}
