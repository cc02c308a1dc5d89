"""Redis cache shared by all web processes, with local memory while Redis is unavailable."""

import json
import logging
import time
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import DataError, RedisError

from telemetry.outage_log import REDIS

RETRY_INTERVAL_S = 5.0  # after Redis did not answer
log = logging.getLogger("quiver.config")


class ForeignValue(DataError):
    """Redis holds a value that this site has not written."""


class JsonSerializer:
    """Serializes values as JSON. Django's own serializer unpickles, so that write access to Redis
    would allow running code in every web process."""

    def dumps(self, value: Any) -> int | bytes:
        """Return the value for Redis, integers unchanged, so that Redis can increment them.

        Raises TypeError for values that JSON cannot express.
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
    """Log once in each process that Redis holds foreign values."""
    log.warning(
        "Redis holds a value that this site has not written; such values are ignored. "
        "Give Redis a password, or the site a database number of its own.",
        extra={"event": "redis_foreign_value"},
    )


@cache
def _client(location: str, options: tuple[tuple[str, Any], ...]) -> RedisCacheClient:
    """Return this process's client of a Redis; its pool of connections may be used by threads."""
    return RedisCacheClient([location], **dict(options))


def _with_fallback(name: str) -> Callable[..., Any]:
    """Return a cache method that uses this process's memory while Redis does not answer."""

    def method(self: "SharedCache", *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= SharedCache.away_until:
            try:
                result = getattr(RedisCache, name)(self, *args, **kwargs)
            except ForeignValue:
                _warn_of_foreign_value()
            except RedisError as error:
                SharedCache.away_until = time.monotonic() + RETRY_INTERVAL_S
                REDIS.fail("redis", error)
            else:
                REDIS.succeed()
                return result
        return getattr(caches["local"], name)(*args, **kwargs)

    return method


class SharedCache(RedisCache):
    """Django's Redis cache with a fallback. It holds the counts of limits: losing a count allows a
    few more attempts, while an error would refuse all requests."""

    away_until = 0.0  # on the monotonic clock

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._place = server, tuple(params.get("OPTIONS", {}).items())

    @cached_property
    def _cache(self) -> RedisCacheClient:
        """The client, shared by all requests.

        Each request has a cache object of its own, since Django keeps these in context variables,
        and connecting costs 2 ms of CPU.
        """
        return _client(*self._place)

    add = _with_fallback("add")
    get = _with_fallback("get")
    set = _with_fallback("set")
    touch = _with_fallback("touch")
    delete = _with_fallback("delete")
    get_many = _with_fallback("get_many")
    has_key = _with_fallback("has_key")
    incr = _with_fallback("incr")
    set_many = _with_fallback("set_many")
    delete_many = _with_fallback("delete_many")

    def clear(self) -> bool:  # type: ignore[override] # the stubs say None; Django returns this
        """Delete the entries of this cache, and nothing else that Redis may hold."""
        caches["local"].clear()
        client = self._cache.get_client(None, write=True)
        keys = list(client.scan_iter(match=self.make_and_validate_key("*"), count=1_000))
        return bool(client.delete(*keys)) if keys else True
