"""What several web processes share besides the database: the bus of hints and the counts of the
rate limits, in Redis by `REDIS_URL`; without it both are of one process."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

SCHEMES = ("redis", "rediss", "unix")
CAPACITY = 5_000  # messages that wait for one process; what is over is lost, and healed by the tail
EXPIRY = 60  # seconds after which a message is worth nothing any more
GONE = 300  # seconds after which a process that does not say that it is there is sent nothing
CONNECTING = 2  # seconds
ANSWER = 0.5  # seconds in which Redis has to answer the cache; else it is done without


def channel_layers(environment: Mapping[str, str]) -> dict[str, Any]:
    """Django Channels' settings. Raises ImproperlyConfigured."""
    url = redis_url(environment)
    if not url:
        return {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    host = {
        "address": url,
        # Of redis-py 8 on, 5 s are the default: just as long as the layer waits for a message,
        # so every silence would be an error.
        "socket_timeout": None,
        "socket_connect_timeout": CONNECTING,
        "socket_keepalive": True,
    }
    config = {
        "hosts": [host],
        "prefix": "quiver",
        "capacity": CAPACITY,
        "expiry": EXPIRY,
        "group_expiry": GONE,
    }
    return {"default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": config}}


def caches(environment: Mapping[str, str]) -> dict[str, Any]:
    """Django's settings of the cache, which holds the counts of the rate limits.

    Raises ImproperlyConfigured.
    """
    url = redis_url(environment)
    local = {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
    if not url:
        return {"default": local}
    shared = {
        "BACKEND": "config.cache.SharedCache",
        "LOCATION": url,
        "KEY_PREFIX": "quiver",
        "VERSION": 2,  # the first one's values were pickled
        "OPTIONS": {
            "serializer": "config.cache.JsonSerializer",
            "socket_timeout": ANSWER,
            "socket_connect_timeout": ANSWER,
        },
    }
    return {"default": shared, "local": local}


def redis_url(environment: Mapping[str, str]) -> str:
    """REDIS_URL, empty if there is none. Raises ImproperlyConfigured for one that is no address of
    Redis; it is not repeated, since it may hold a password."""
    url = environment.get("REDIS_URL", "")
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        has_place = bool(parts.path if parts.scheme == "unix" else parts.hostname)
        is_whole = parts.scheme in SCHEMES and has_place and (parts.port is None or parts.port > 0)
    except ValueError:
        is_whole = False
    if find_spec("channels_redis") is None:
        needed = "REDIS_URL needs channels_redis: pip install -r requirements.txt"
        raise ImproperlyConfigured(needed)
    if not is_whole:
        raise ImproperlyConfigured("REDIS_URL is like redis://:password@host:6379/0")
    return url
