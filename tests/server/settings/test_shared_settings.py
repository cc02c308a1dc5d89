"""State shared between processes by REDIS_URL, and behaviour without Redis."""

import os
import pickle
from contextvars import copy_context
from pathlib import Path

import pytest
import redis
from django.core.cache import caches as django_caches
from django.core.exceptions import ImproperlyConfigured

from config.backing_services import caches
from config.cache import SharedCache
from tests.support.servers.own_servers import OwnRedis, missing


def test_without_a_word_everything_is_of_one_process() -> None:
    assert "locmem" in caches("")["default"]["BACKEND"]


@pytest.mark.parametrize(
    "url",
    ["redis://:hush@cache.example:6379/0", "rediss://cache.example", "unix:///run/redis.sock"],
)
def test_the_cache_waits_for_an_answer_a_second_at_most(url) -> None:
    assert caches(url)["default"]["OPTIONS"]["socket_timeout"] <= 1


@pytest.mark.parametrize(
    "url", ["cache.example:6379", "redis://", "http://:hush@x", "redis://x:port", "redis://x:99999"]
)
def test_an_address_that_is_none_is_refused_without_repeating_a_password(url) -> None:
    with pytest.raises(ImproperlyConfigured, match="REDIS_URL is like") as refused:
        caches(url)
    assert "hush" not in str(refused.value)


@pytest.mark.processes
@pytest.mark.servers
@pytest.mark.skipif(bool(missing()), reason=missing() or "both are there")
def test_limits_are_shared_and_hold_while_redis_is_away(tmp_path, settings, monkeypatch) -> None:
    server = OwnRedis(tmp_path)
    monkeypatch.setattr(SharedCache, "away_until", 0.0)
    settings.CACHES = caches(server.url)
    cache = django_caches["default"]
    cache.set("tries", 3)
    assert cache.incr("tries") == 4 and cache.get("tries") == 4
    server.kill()
    assert cache.get("tries") is None
    assert cache.add("tries", 1) and cache.incr("tries") == 2
    server.start()
    monkeypatch.setattr(SharedCache, "away_until", 0.0)
    cache.set("tries", 9)
    cache.clear()
    assert cache.get("tries") is None
    server.kill()


class Exploit:
    """Object whose unpickling makes a folder, as an attacker might store it in Redis."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (os.mkdir, (str(self.path),))


@pytest.mark.processes
@pytest.mark.servers
@pytest.mark.skipif(bool(missing()), reason=missing() or "both are there")
def test_nothing_in_redis_is_run(tmp_path, settings, monkeypatch) -> None:
    server = OwnRedis(tmp_path)
    monkeypatch.setattr(SharedCache, "away_until", 0.0)
    settings.CACHES = caches(server.url)
    cache = django_caches["default"]
    raw = redis.Redis.from_url(server.url)
    for poison in (pickle.dumps(Exploit(tmp_path / "owned")), b"\xff\xfe", b"{", b"", b"NaN1"):
        raw.set(cache.make_key("history"), poison)
        monkeypatch.setattr(SharedCache, "away_until", 0.0)
        assert cache.get("history", []) == []
        assert cache.get_many(["history"]) == {}
    assert not (tmp_path / "owned").exists()
    server.kill()


@pytest.mark.processes
@pytest.mark.servers
@pytest.mark.skipif(bool(missing()), reason=missing() or "both are there")
def test_the_cache_keeps_what_limits_keep(tmp_path, settings, monkeypatch) -> None:
    server = OwnRedis(tmp_path)
    monkeypatch.setattr(SharedCache, "away_until", 0.0)
    settings.CACHES = caches(server.url)
    cache = django_caches["default"]
    for value in (0, 7, True, None, [1.5, 2.25], "y", {"a": [1]}):
        cache.set("kept", value)
        assert cache.get("kept", "lost") == value
        assert type(cache.get("kept")) is type(value)
    server.kill()


@pytest.mark.processes
@pytest.mark.servers
@pytest.mark.skipif(bool(missing()), reason=missing() or "both are there")
def test_requests_share_the_connections_to_redis(tmp_path, settings, monkeypatch) -> None:
    """Each request runs in a context of its own, which has a cache object of its own."""
    server = OwnRedis(tmp_path)
    monkeypatch.setattr(SharedCache, "away_until", 0.0)
    settings.CACHES = caches(server.url)

    def count(number: int) -> None:
        django_caches["default"].set("tries", number)
        assert django_caches["default"].get("tries") == number

    def connections() -> int:
        with redis.Redis.from_url(server.url) as raw:
            return int(raw.info("stats")["total_connections_received"])

    before = connections()
    for number in range(10):
        copy_context().run(count, number)
    assert connections() - before == 2  # one for the requests, one that asks
    server.kill()
    server.start()
    copy_context().run(count, 11)
    assert SharedCache.away_until == 0.0  # a new connection was opened at once
    server.kill()
