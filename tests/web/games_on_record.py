"""Games of every kind, played through the one door, for those who look at what is kept of them."""

import itertools
from typing import Any

from games.core import OTHER, ROLES
from play import clocks, commands
from play.clocks import SECOND, Clock
from play.desk import desk

FISCHER = Clock("fischer", 300 * SECOND, 3 * SECOND)
LIMIT = Clock("limit", 30 * SECOND)
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
        said = command(self.slug, user, next(self._ids), self.at, *rest, lag=lag)
        return await desk().perform(said)

    async def go(self, role: str, turn: int, *actions: str, **more: Any) -> Any:
        """A role acts."""
        return await self.say(role, commands.Act, turn, actions, **more)

    async def server(self, command: type, *rest: Any, ms: int) -> None:
        """The server looks at the game."""
        self.at += ms
        await desk().perform(command(self.slug, *rest, self.at))


async def taken_back(story: Story) -> None:
    """A go is taken back and played otherwise; in the end somebody resigns."""
    await story.go("white", 0, *WHITE, lag=120)
    await story.go("black", 2, BLACK[0], lag=700)
    await story.go("black", 3, BLACK[1], lag=700)
    await story.say("black", commands.Takeback, "offer")
    await story.say("white", commands.Takeback, "decline")
    await story.say("black", commands.Takeback, "offer")
    await story.say("white", commands.Takeback, "accept")
    await story.go("black", 2, "move 4 10 4 9", "fire 4 8")
    await story.say("white", commands.Draw, "offer")
    await story.go("white", 4, "move 4 7 4 6", "fire 4 7")
    await story.say("black", commands.Resign)


async def sealed(story: Story) -> None:
    """One round is played, and in the next one role has sealed."""
    await story.go("white", 0, "troops 4 3 3", lag=30)
    await story.go("black", 0, "troops 10 0 0", lag=40)
    await story.go("black", 1, "troops 0 5 5", lag=50)


async def played_out(story: Story) -> None:
    """All rounds are played."""
    for turn in range(5):
        for role in ROLES if turn % 2 else reversed(ROLES):
            await story.go(role, turn, f"troops {turn} {10 - turn} 0")


async def stopped(story: Story) -> None:
    """The server was down for a minute, then a flag falls."""
    await story.go("white", 0, *PINCER[0])
    await story.server(commands.Credit, story.at + 5 * SECOND, ms=65 * SECOND)
    await story.go("black", 2, *PINCER[2])
    await story.server(commands.Flag, ms=400 * SECOND)


async def agreed(story: Story) -> None:
    """Two agree on a draw, without a clock."""
    await story.go("white", 0, *PINCER[0])
    await story.say("black", commands.Draw, "offer")
    await story.say("black", commands.Draw, "withdraw")
    await story.say("black", commands.Draw, "offer")
    await story.say("white", commands.Draw, "accept")


async def both_too_late(story: Story) -> None:
    """Both flags of a round fall."""
    await story.server(commands.Flag, ms=40 * SECOND)


async def broken_off(story: Story) -> None:
    """A game that one role never began."""
    await story.go("white", 0, *PINCER[0])
    await story.say("black", commands.Abort)


async def left_alone(story: Story) -> None:
    """A week without a word."""
    await story.go("white", 0, *PINCER[0])
    await story.server(commands.Idle, ms=8 * clocks.DAY)


async def without_arrows(story: Story) -> None:
    """Fifty goes without an arrow; then a draw is claimed."""
    there, back = ("4 1 4 2", "4 10 4 9"), ("4 2 4 1", "4 9 4 10")
    for go in range(50):
        way = (there if go % 4 < 2 else back)[go % 2]
        origin = way[: way.rindex(" ", 0, way.rindex(" "))]
        await story.go(ROLES[go % 2], go, f"play {way} {origin}", ms=10)
    await story.say("white", commands.Claim)


async def under_way(story: Story) -> None:
    """A draw is offered, and nobody has answered."""
    await story.go("white", 0, *PINCER[0])
    await story.say(OTHER["white"], commands.Draw, "offer")


STORIES = {
    taken_back: ("amazons-10x10", FISCHER),
    sealed: ("blotto", FISCHER),
    played_out: ("blotto", LIMIT),
    stopped: ("pincer", FISCHER),
    agreed: ("pincer", Clock("none")),
    both_too_late: ("blotto", LIMIT),
    broken_off: ("pincer", Clock("days", clocks.DAY)),
    left_alone: ("pincer", Clock("none")),
    without_arrows: ("amazons", FISCHER),
    under_way: ("pincer", LIMIT),
}
