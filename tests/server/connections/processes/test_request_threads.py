"""A request uses one database connection and always returns it."""

import asyncio

import pytest

from tests.support.servers.own_servers import missing
from tests.support.servers.server_process import Visitor

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(300),
]
NOWHERE = ["/g/nothing/", "/nothing/", "/u/nobody-here/", "/l/nothing/", "/g/a%00b/"]


async def test_pages_that_are_not_there_keep_no_connection(shared_pair) -> None:
    """The page 404 reads what the visitor has under way; else only signed-in visitors cause it."""
    pool = int(shared_pair.one.environment["QUIVER_POOL"])
    assert pool < len(NOWHERE)  # connections that are kept would use it up
    guest, other = Visitor(shared_pair.one), Visitor(shared_pair.one)
    for visitor in (guest, other):
        await visitor.post("/chat/guest/", next="/")
    for _ in range(2):
        answers = await asyncio.gather(*(guest.client.get(path) for path in NOWHERE))
        assert [answer.status_code for answer in answers] == [404] * len(NOWHERE)
        assert (await other.client.get("/")).status_code == 200
    for visitor in (guest, other):
        await visitor.client.aclose()
