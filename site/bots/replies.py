"""Answers what people offer to computer players, also while something is being thought about."""

import asyncio
import logging
from collections.abc import Callable

from accounts.outage_log import note_outage
from accounts.redaction import shorten_key
from bots import manners, memory
from bots.dues import Due
from play import act, wire
from play.clocks import now
from play.desk import desk
from play.live import Offer
from play.refusals import Reason, Refused

log = logging.getLogger("quiver.bots")


class Replies:
    """The answers of one worker that are under way. Several workers may answer the same offer: the
    first answer counts. `failed` is called with the slug of a game where one could not be sent."""

    def __init__(self, failed: Callable[[str], object]) -> None:
        self._failed = failed
        self._tasks: dict[tuple[str, str, int], asyncio.Task[None]] = {}

    def give(self, due: Due) -> None:
        """Answers an offer when its time has come; what is being answered already is not again."""
        offer = due.live.offers[due.what]  # type: ignore[index]
        key = (due.live.slug, due.what, offer.rev)
        if key not in self._tasks:
            task = self._tasks[key] = asyncio.create_task(self._answer(due, offer))
            task.add_done_callback(lambda done: self._tasks.pop(key, None))

    async def stop(self) -> None:
        """Leaves the rest to other workers."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, due: Due, offer: Offer) -> None:
        await asyncio.sleep(max(0, due.at - now()) / 1000)
        slug, user = due.live.slug, due.live.people[due.role].user
        try:
            await act.perform(slug, user, await _said(due, offer), now())
        except Refused as refused:
            if refused.reason not in (Reason.BUSY, Reason.UNSURE):  # an outage is logged once
                log.info("an answer to %s was refused: %s", shorten_key(slug), refused.reason)
        except Exception as error:
            if not note_outage(error):
                log.exception("%s could not be answered; it is tried again", shorten_key(slug))
            self._failed(slug)


async def _said(due: Due, offer: Offer) -> wire.GameMessage:
    """What is said to an offer; a takeback is granted to whoever may ask for it."""
    id = f"bot-{due.what}-{offer.rev}"
    if due.what == "takeback":
        return wire.Takeback(id, "accept", offer.rev)
    value = await desk().read(memory.latest, due.live, due.role)
    return wire.Draw(id, manners.answer_to_draw(due.live, due.role, value), offer.rev)
