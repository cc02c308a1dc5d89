"""A repeatable days game with conditional replies, recorded at every output, as `eavesdropping`."""

import asyncio
import json
from typing import Any

from lobby.lobby_options import Options
from play.domain.clocks import DAY_MS, Clock
from tests.support.eavesdropping import Eavesdropping, Overheard, Script
from tests.support.loop_runtime import close_runtime, game_service, runtime

FIRST = ["move 1 5 2 5", "move 1 7 1 6"]
OTHERWISE = ["move 7 1 6 1", "move 7 3 6 3"]
Lines = list[list[list[str]]]


class ReplyEavesdropping(Eavesdropping):
    """Black saves `lines` while white is to move; white's turn is one that none of them expects."""

    options = Options("pincer", Clock("days", 2 * DAY_MS), "white", public=True)

    def __init__(self, lines: Lines, watch: Any, logs: Any) -> None:
        super().__init__(Script(7, "black", json.dumps(lines)), watch, logs)
        self.lines = lines

    async def play(self) -> Overheard:
        """Play the script; return the messages to everybody before and after white's turn."""
        self.watch.begin(self.script.seed)
        await game_service().run_in_db_thread(self._set_up)
        try:
            await self._open()
            await self._save()
            await self._spy()
            done = Overheard(self.slug, before=await self._so_far())
            await self.ears["white one"].ask(t="act", id="turn", step=0, actions=OTHERWISE)
            while runtime().replies._running:
                await asyncio.gather(*runtime().replies._running.values())
            await self._settle()
            done.after = await self._so_far()
            return done
        finally:
            for ear in self.ears.values():
                await ear.socket.disconnect()
            await close_runtime()

    async def _save(self) -> None:
        await self._join("black replies", f"replies:{self.slug}")
        await self.ears["black replies"].ask(
            t="save_replies", id="save", step=0, takebacks=0, lines=self.lines
        )
        await self._tell_crowd()
        await self._settle()

    async def _spy(self) -> None:
        """Send all requests by which others might learn of the lines."""
        topic = f"replies:{self.slug}"
        for name in ("white one", "watcher", "nobody"):
            ear = self.ears[name]
            for ident in (self.slug, f"{self.slug}/black"):
                await ear.say(t="subscribe", topic=f"replies:{ident}", rev=-1)
            await ear.say(t="save_replies", id="s", step=0, takebacks=0, lines=[])
            # Tasks that read the database answer these, so wait for each answer.
            await ear.ask(t="try_turns", topic=topic, id="try", step=0, takebacks=0, turns=[])
            await ear.ask(t="save_replies", topic=topic, id="s", step=0, takebacks=0, lines=[])
        await self._settle()
