"""A decision that takes long to prepare holds up nothing else that is read."""

import asyncio
import threading

from play.domain.commands import ClaimDecided, Envelope
from play.runtime.commit_queue import DatabaseThread
from play.runtime.game_service import GameService
from play.storage.preload import SLOW_PRELOADERS


async def test_a_search_for_a_proof_holds_up_no_read(monkeypatch) -> None:
    proceed = threading.Event()

    def search(game: None, envelope: Envelope[ClaimDecided]) -> Envelope[ClaimDecided]:
        assert proceed.wait(30)
        return envelope

    monkeypatch.setattr(GameService, "make_database_thread", DatabaseThread)
    monkeypatch.setitem(SLOW_PRELOADERS, ClaimDecided, search)
    games = GameService()
    envelope = Envelope("slug", 1, 0, ClaimDecided("id-1", 0))
    searching = asyncio.create_task(games._preload(None, envelope))
    assert await games.run_in_db_thread(int) == 0
    assert not searching.done()
    proceed.set()
    assert await searching is envelope
    await games.close()
