"""The cache that all web processes share, and that does without Redis while it is not there."""

import json
import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import DataError, RedisError

from accounts.outage_log import REDIS

PAUSE = 5.0  # seconds for which a Redis that did not answer is not asked again
log = logging.getLogger("quiver.config")


class ForeignValue(DataError):
    """Redis holds a value that this site has not written."""


class JsonSerializer:
    """Writes values as JSON; Django's own serializer unpickles what it reads, so whoever can write
    to Redis could run code in every web process."""

    def dumps(self, value: Any) -> int | bytes:
        """Return the value for Redis, a number as it is, so that Redis can add to it.

        Raises TypeError for what JSON does not have.
        """
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        """Return the value. Raises ForeignValue for data that was not written here."""
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise ForeignValue from None


@cache
def _warn_of_foreign_value() -> None:
    """Log once in each process that somebody else writes to Redis."""
    log.warning(
        "Redis holds a value that this site has not written; such values are ignored. "
        "Give Redis a password, or the site a database number of its own.",
        extra={"event": "redis_foreign_value"},
    )


def _sturdy(name: str) -> Callable[..., Any]:
    """A method of the cache that goes to this process's own memory when Redis does not answer."""

    def method(self: "SharedCache", *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= SharedCache.away_until:
            try:
                result = getattr(RedisCache, name)(self, *args, **kwargs)
            except ForeignValue:
                _warn_of_foreign_value()
            except RedisError as error:
                SharedCache.away_until = time.monotonic() + PAUSE
                REDIS.fail("redis", error)
            else:
                REDIS.succeed()
                return result
        return getattr(caches["local"], name)(*args, **kwargs)

    return method


class SharedCache(RedisCache):
    """Redis's cache. What is counted in it are limits: losing a count lets somebody try again,
    while an error would shut everybody out."""

    away_until = 0.0  # on the monotonic clock
    add = _sturdy("add")
    get = _sturdy("get")
    set = _sturdy("set")
    touch = _sturdy("touch")
    delete = _sturdy("delete")
    get_many = _sturdy("get_many")
    has_key = _sturdy("has_key")
    incr = _sturdy("incr")
    set_many = _sturdy("set_many")
    delete_many = _sturdy("delete_many")

    def clear(self) -> bool:
        """Forgets what this cache holds, and nothing else that Redis may hold."""
        caches["local"].clear()
        client = self._cache.get_client(None, write=True)
        keys = list(client.scan_iter(match=self.make_and_validate_key("*"), count=1_000))
        return bool(client.delete(*keys)) if keys else True
