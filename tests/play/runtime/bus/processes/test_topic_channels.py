"""Hints reach the processes that watch a topic, and no others, in any order of joins and leaves."""

import asyncio
import random
from collections import Counter

import pytest

from play.runtime.bus.bus import Bus
from play.runtime.topics import Rev, Topic
from tests.play.runtime.bus.processes.test_bus import own_redis, until  # noqa: F401
from tests.support.run.gates import nightly
from tests.support.servers.own_servers import OwnRedis, missing

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
]
X: Topic = ("game", "x")
LOBBY: Topic = ("lobby", "k7")


class Process:
    """A process with the newest revs that it has read of the topics that it watches.

    `stored` is the database of all of them. It reads when it joins, and when the bus says so.
    """

    def __init__(self, stored: Counter[Topic]) -> None:
        self.stored = stored
        self.revs: dict[Topic, int] = {}
        self.heard: list[tuple[Topic, Rev | None]] = []
        self.gone: list[Topic] = []
        self.bus = Bus()
        self.bus.listen(self)

    async def join(self, topic: Topic) -> None:
        self.revs[topic] = -1
        await self.bus.watch(topic)
        if topic in self.revs:
            rev = self.stored[topic]
            await asyncio.sleep(0)  # a read of the database takes a while
            self._show(topic, rev)

    def leave(self, topic: Topic) -> None:
        del self.revs[topic]
        self.bus.share(topic, Counter())
        self.bus.unwatch(topic)

    def commit(self, topic: Topic) -> None:
        self.stored[topic] += 1
        self._show(topic, self.stored[topic])
        self.bus.say(topic, self.stored[topic])

    def _show(self, topic: Topic, rev: int) -> None:
        if topic in self.revs:
            self.revs[topic] = max(self.revs[topic], rev)

    def hint(self, topic: Topic, rev: Rev | None = None) -> None:
        self.heard.append((topic, rev))
        self._show(topic, self.stored[topic])

    def on_bus_recovered(self) -> None:
        for topic in self.revs:
            self._show(topic, self.stored[topic])

    def show_new_name(self, user: int) -> None: ...

    def tell(self, topic: Topic) -> None: ...

    def on_last_socket_closed_elsewhere(self, topic: Topic, audience: str) -> None:
        self.gone.append(topic)


def knows_others(bus: Bus, topic: Topic) -> bool:
    """Return whether a process knows all others that watch a topic."""
    return bus._watchers.others(topic) is not None


@pytest.fixture
async def three(own_redis):  # noqa: F811
    """Three processes that are connected."""
    stored: Counter[Topic] = Counter()
    processes = [Process(stored) for _ in range(3)]
    await until(lambda: own_redis.subscribers("quiver.0.all") == 3)
    yield processes
    for process in processes:
        await process.bus.close()


async def test_no_hint_of_a_game_reaches_a_process_that_does_not_watch_it(three):
    one, other, stranger = three
    for process in (one, other):
        await process.join(X)
    await stranger.join(("game", "y"))
    for _ in range(20):
        one.commit(X)
        await asyncio.sleep(0.03)
    await until(lambda: other.revs[X] == 20)
    assert not stranger.heard
    assert {topic for topic, _ in other.heard} == {X} and not one.heard


async def test_a_process_that_is_alone_on_its_games_publishes_nothing(three, own_redis: OwnRedis):  # noqa: F811
    games = [("game", str(number)) for number in range(30)]
    for index, game in enumerate(games):
        await three[index % 3].join(game)
        three[index % 3].bus.share(game, Counter(white=1))
    await asyncio.sleep(0.3)
    published = own_redis.published()
    for _ in range(20):
        for index, game in enumerate(games):
            three[index % 3].commit(game)
        await asyncio.sleep(0.03)
    assert own_redis.published() == published
    for process in three:
        assert not process.heard


async def test_two_processes_tell_each_other_of_many_games_in_one_message(three, own_redis):  # noqa: F811
    one, other, stranger = three
    games = [("game", str(number)) for number in range(30)]
    for process in (one, other):
        for game in games:
            await process.join(game)
            process.bus.share(game, Counter(white=1))
    for process in (one, other):
        await until(lambda bus=process.bus: all(knows_others(bus, game) for game in games), 5)
    one.commit(games[0])  # sent at once, and the others together
    published = own_redis.published()
    for game in games:
        one.commit(game)
    await until(lambda: other.revs == one.revs, 1)
    assert own_redis.published() - published <= 2
    await stranger.join(games[0])
    for _ in range(5):
        one.commit(games[0])
        other.commit(games[0])
        await until(lambda: one.revs[games[0]] == other.revs[games[0]] == stranger.revs[games[0]])


async def test_what_a_process_that_has_ended_did_not_get_is_told_to_all(three, own_redis):  # noqa: F811
    one, other, stranger = three
    for process in (one, other):
        await process.join(X)
    await asyncio.sleep(0.1)
    one.commit(X)
    await until(lambda: other.revs[X] == 1, 1)
    await asyncio.sleep(0.1)
    await other.bus._transport.close()  # as if it was killed: it tells nobody
    published = own_redis.published()
    one.commit(X)
    # To its own channel, which nobody hears any more, and then to the channel of the game.
    await until(lambda: own_redis.published() == published + 2, 1)
    await stranger.join(X)
    one.commit(X)
    await until(lambda: stranger.revs[X] == 3, 1)


async def test_who_joins_a_game_of_another_process_hears_all_that_follows(three):
    one, other, _ = three
    await one.join(X)
    one.bus.share(X, Counter(white=1))
    await asyncio.sleep(0.2)
    one.commit(X)
    await other.join(X)
    await until(lambda: other.bus.crowds.elsewhere(X) == Counter(white=1), 2)
    for rev in range(2, 6):
        one.commit(X)
        await until(lambda rev=rev: other.revs[X] == rev, 1)


async def test_a_commit_between_a_join_and_its_question_is_told_with_the_answer(three):
    """The one that is alone does not publish it, since nobody had asked yet."""
    one, other, _ = three
    await one.join(X)
    await asyncio.sleep(0.1)
    one.commit(X)  # tells it that it is alone, if the question has not
    await asyncio.sleep(0.1)
    joining = asyncio.create_task(other.join(X))
    while not joining.done():
        one.commit(X)
        await asyncio.sleep(0)
    await joining
    one.commit(X)
    await until(lambda: other.revs[X] == other.stored[X], 1)


async def test_counts_of_a_topic_that_was_left_are_forgotten(three):
    one, other, _ = three
    for process in (one, other):
        await process.join(LOBBY)
    one.bus.share(LOBBY, Counter(host=1))
    await until(lambda: other.bus.crowds.elsewhere(LOBBY) == Counter(host=1), 2)
    other.leave(LOBBY)
    await asyncio.sleep(0.1)
    one.bus.share(LOBBY, Counter())
    await asyncio.sleep(0.1)
    await other.join(LOBBY)
    assert not other.bus.crowds.elsewhere(LOBBY)


async def test_a_topic_that_was_joined_while_redis_was_away_is_read_again(three, own_redis):  # noqa: F811
    one, other, _ = three
    own_redis.kill()
    await asyncio.sleep(0.2)
    await other.join(X)
    one.commit(X)
    assert other.revs[X] == 0
    own_redis.start()
    await until(lambda: other.revs[X] == 1)
    one.commit(X)
    await until(lambda: other.revs[X] == 2, 2)


async def test_a_topic_that_redis_confirms_late_is_read_again(three, own_redis):  # noqa: F811
    """Its page does not wait, and the hint of a commit in between was lost."""
    *_, other = three
    own_redis.freeze()
    await other.join(X)
    other.stored[X] += 1
    assert other.revs[X] == 0
    own_redis.thaw()
    await until(lambda: other.revs[X] == 1, 2)


@pytest.mark.parametrize("seed", [0, 1, *nightly(2, 3, 4, 5)])
@pytest.mark.timeout(120)
async def test_a_watching_process_ends_with_the_newest_rev(three, own_redis, seed):  # noqa: F811
    """Checks random orders of joins, leaves, commits and lost connections."""
    chance = random.Random(seed)
    games: list[Topic] = [("game", str(number)) for number in range(4)]
    joins: set[asyncio.Task[None]] = set()
    for number in range(300):
        process, game = chance.choice(three), chance.choice(games)
        act = chance.random()
        if act < 0.6:
            process.commit(game)
        elif act < 0.7 and game in process.revs:
            process.bus.share(game, Counter(white=chance.randrange(3)))
        elif game in process.revs:
            process.leave(game)
        else:
            joins.add(asyncio.create_task(process.join(game)))
        if seed % 2 and number in (100, 200):
            own_redis.cut_subscribers()
        await asyncio.sleep(chance.choice((0, 0, 0, 0.001, 0.01, 0.03)))
    await asyncio.gather(*joins)
    for process in three:
        expected = {game: process.stored[game] for game in process.revs}
        await until(lambda process=process, expected=expected: process.revs == expected, 5)
    wanted = {f"quiver.0.game:{game[1]}" for process in three for game in process.revs}
    await until(lambda: _channels_of_topics(own_redis) == wanted | {"quiver.0.all"}, 5)


def _channels_of_topics(redis: OwnRedis) -> set[str]:
    """The channels in use without those that each process has."""
    return {name for name in redis.channels() if not name.startswith("quiver.0.process:")}


async def test_a_topic_that_is_left_and_joined_at_once_is_asked_about(three):
    """The channel was not given up meanwhile, so no confirmation of Redis follows."""
    one, other, _ = three
    await one.join(X)
    await asyncio.sleep(0.1)
    one.commit(X)
    await asyncio.sleep(0.1)  # it knows that it is alone
    other.bus.say(("game", "y"))
    await asyncio.sleep(0.005)  # the next message waits for a moment
    await other.join(X)
    other.leave(X)  # before its question was sent
    await other.join(X)
    one.bus.share(X, Counter(white=1))
    one.commit(X)
    await until(lambda: other.revs[X] == 2, 2)
    await until(lambda: other.bus.crowds.elsewhere(X) == Counter(white=1), 2)


async def test_a_process_that_leaves_tells_what_it_has_told_nobody(three):
    """Another may have read the topic before that, and its question comes too late."""
    one, other, _ = three
    await one.join(X)
    await asyncio.sleep(0.1)
    one.commit(X)
    await asyncio.sleep(0.1)
    other.revs[X] = 1
    await other.bus.watch(X)
    one.commit(X)
    one.leave(X)
    await until(lambda: other.revs[X] == 2, 2)
