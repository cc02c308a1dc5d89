"""Build Django's settings of database, cache and mail from their URLs.

Each function raises ImproperlyConfigured for a URL that cannot be used. The message shows the
expected form and does not repeat the URL, because it may hold a password.

dj-database-url reads DATABASE_URL. Mail has a reader of its own: dj-email-url 1.0.6 takes `smtps`
for STARTTLS and answers an unknown scheme with settings that send mail to localhost.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from config.env import Environment

DATABASE_TIMEOUT_S: Final = 5  # for a connection, and for a locked row
DATABASE_FORM: Final = "like postgres://user:password@host:5432/name"
# Of several hosts, connections go to the one that takes writes: after a failover, to the replica
# that was promoted.
WRITABLE_HOST: Final = {"target_session_attrs": "read-write"}
# WAL with synchronous=FULL: a commit that was acknowledged survives a power cut.
# IMMEDIATE: two writers wait for each other instead of failing halfway.
SQLITE_OPTIONS: Final = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,  # s
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON;",
}
# A lost host is noticed within seconds. A process that is stopped in the middle of a transaction
# blocks others only until the server ends the idle transaction.
POSTGRES_OPTIONS: Final = {
    "connect_timeout": DATABASE_TIMEOUT_S,
    "keepalives_idle": 5,  # s
    "keepalives_interval": 2,  # s
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # ms
    "options": f"-c lock_timeout={DATABASE_TIMEOUT_S}s -c idle_in_transaction_session_timeout=10s",
}

POSTGRES_PORT: Final = 5432
REDIS_SCHEMES: Final = ("redis", "rediss", "unix")
CACHE_TIMEOUT_S: Final = 0.5  # for an answer of Redis; then this process's own memory is the cache
LAYER_CONNECT_TIMEOUT_S: Final = 2.0
LAYER_RETRY_DELAY_S: Final = 0.5
# Counts of networks and people; at the bound Django drops a third of them. A count takes some 300
# bytes. The library `limits` was tried for them: in memory it looks at all counts after each one,
# 2.8 ms of CPU among 100,000, where this cache takes 0.1.
MAX_LOCAL_ENTRIES: Final = 200_000
MAX_FRAGMENTS: Final = 500  # parts of pages, of up to some 30 KB

MAIL_PORTS: Final = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
MAIL_TIMEOUT_S: Final = 10
MAIL_FORM: Final = (
    "QUIVER_MAIL_URL is like smtps://user:password@mail.example.org:465, off or console"
)
NO_MAIL: Final = "off"
CONSOLE_BACKEND: Final = "django.core.mail.backends.console.EmailBackend"
MAIL_BACKENDS: Final = {
    "": CONSOLE_BACKEND,
    "console": CONSOLE_BACKEND,
    NO_MAIL: "django.core.mail.backends.dummy.EmailBackend",
}


def database(environment: Environment, data_dir: Path) -> dict[str, Any]:
    """Return the settings of the one database: SQLite in the data folder, or PostgreSQL."""
    url = environment.database_url
    if not url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": data_dir / "quiver.sqlite3",
            "OPTIONS": SQLITE_OPTIONS,
            # Opening one costs 1.5 ms of CPU. All threads that query live as long as the process.
            "CONN_MAX_AGE": None,
            "TEST": {"NAME": data_dir / "test.sqlite3"},
        }
    if not url.startswith(("postgres://", "postgresql://")):
        raise ImproperlyConfigured(f"DATABASE_URL is {DATABASE_FORM}")
    if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
        raise ImproperlyConfigured("DATABASE_URL needs psycopg: pip install -r requirements.txt")
    # A connection that outlives its thread would never be closed; so age 0, and a pool.
    try:
        first_url, hosts, ports = _split_hosts(url)
        settings: dict[str, Any] = dict(dj_database_url.parse(first_url, conn_max_age=0))
    except ValueError:
        raise ImproperlyConfigured(
            f"DATABASE_URL is {DATABASE_FORM}; other signs are %-encoded"
        ) from None
    if not settings["NAME"] and "service" not in settings.get("OPTIONS", {}):
        raise ImproperlyConfigured(f"DATABASE_URL names no database; it is {DATABASE_FORM}")
    settings["CONN_HEALTH_CHECKS"] = (
        True  # connections that a restart of PostgreSQL has cut are dropped
    )
    pool = {
        "min_size": 2,
        "max_size": environment.pool,
        "timeout": DATABASE_TIMEOUT_S,
        "reconnect_timeout": DATABASE_TIMEOUT_S,  # after that, the next query tries to connect
    }
    target: dict[str, Any] = {}
    if hosts:
        settings["HOST"], settings["PORT"], target = hosts, ports, WRITABLE_HOST
    given = settings.get("OPTIONS", {})
    settings["OPTIONS"] = {**POSTGRES_OPTIONS, **target, **given, "pool": pool}
    return settings


def _split_hosts(url: str) -> tuple[str, str, str]:
    """Return the URL with its first host alone, and all hosts and ports as libpq lists them.

    The lists are empty for a single host. dj-database-url 3.1 refuses the several hosts that
    libpq's URLs may name, like `host1:5432,host2:5432`. Raise ValueError for an invalid port.
    """
    parts = urlsplit(url)
    user, separator, places = parts.netloc.rpartition("@")
    if "," not in places:
        return url, "", ""
    each = [urlsplit(f"//{place}") for place in places.split(",")]
    if not all(place.hostname for place in each):
        raise ValueError("an empty host")
    hosts = ",".join(place.hostname or "" for place in each)
    ports = ",".join(str(place.port or POSTGRES_PORT) for place in each)
    first = f"{user}{separator}{places.split(',')[0]}"
    return parts._replace(netloc=first).geturl(), hosts, ports


def caches(redis_url: str) -> dict[str, Any]:
    """Return the settings of the caches: the counts of the rate limits, and parts of pages.

    Django's tag `cache` keeps its parts in `template_fragments`; these stay in the process, so that
    nobody who writes to Redis writes pages.
    """
    local = {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": MAX_LOCAL_ENTRIES},
    }
    fragments = {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "template_fragments",
        "OPTIONS": {"MAX_ENTRIES": MAX_FRAGMENTS},
    }
    if not redis_url:
        return {"default": local, "template_fragments": fragments}
    _check_redis_url(redis_url)
    shared = {
        "BACKEND": "config.cache.SharedCache",
        "LOCATION": redis_url,
        "KEY_PREFIX": "quiver",
        "VERSION": 2,  # the first one's values were pickled
        "OPTIONS": {
            "serializer": "config.cache.JsonSerializer",
            "socket_timeout": CACHE_TIMEOUT_S,
            "socket_connect_timeout": CACHE_TIMEOUT_S,
        },
    }
    return {"default": shared, "local": local, "template_fragments": fragments}


def channel_layers(redis_url: str) -> dict[str, Any]:
    """Return the setting of Channels' layer; none for one process, which has nobody to tell.

    The layer subscribes again by itself after an interruption. It tries to connect without end, so
    that no failed attempt is logged: who sends waits for a bounded time. Nothing is read with
    redis-py's own time-out, because the pub/sub layer reads for 0.1 s at a time.
    """
    if not redis_url:
        return {}
    _check_redis_url(redis_url)
    from redis.asyncio.retry import Retry
    from redis.backoff import ConstantBackoff
    from redis.connection import parse_url

    host = {
        "address": redis_url,
        "retry": Retry(ConstantBackoff(LAYER_RETRY_DELAY_S), -1),
        "socket_connect_timeout": LAYER_CONNECT_TIMEOUT_S,
        "socket_timeout": None,
        "socket_keepalive": True,  # finds a dead connection, on which messages may be rare
    }
    # Channels of Redis are not kept apart by the number of the database.
    database = parse_url(redis_url).get("db", 0)  # type: ignore[no-untyped-call]
    return {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [host], "prefix": f"quiver.{database}."},
        }
    }


def _check_redis_url(url: str) -> None:
    if find_spec("redis") is None:
        raise ImproperlyConfigured("REDIS_URL needs redis: pip install -r requirements.txt")
    try:
        parts = urlsplit(url)
        has_place = bool(parts.path if parts.scheme == "unix" else parts.hostname)
        is_valid = (
            parts.scheme in REDIS_SCHEMES and has_place and (parts.port is None or parts.port > 0)
        )
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ImproperlyConfigured("REDIS_URL is like redis://:password@host:6379/0")


def mail_settings(url: str, sender: str) -> dict[str, object]:
    """Return the settings of mail for QUIVER_MAIL_URL and QUIVER_MAIL_FROM.

    `smtp://` uses no TLS, `smtp+tls://` STARTTLS, `smtps://` TLS from the start; user and password
    are percent-encoded. With `off` no mail is sent. With `console`, or without a URL, it is
    printed; `checks.MAIL_IN_LOG` refuses that on a public site.
    """
    settings: dict[str, object] = {"DEFAULT_FROM_EMAIL": sender, "SERVER_EMAIL": sender}
    if url in MAIL_BACKENDS:
        return {**settings, "EMAIL_BACKEND": MAIL_BACKENDS[url]}
    parts, port = _split_mail_url(url)
    return {
        **settings,
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": MAIL_TIMEOUT_S,
    }


def _split_mail_url(url: str) -> tuple[SplitResult, int]:
    """Return the parts of the URL of a mail server and its port."""
    try:
        parts = urlsplit(url)
        port = parts.port or MAIL_PORTS[parts.scheme]
    except (KeyError, ValueError):
        raise ImproperlyConfigured(MAIL_FORM) from None
    if not parts.hostname or parts.scheme not in MAIL_PORTS:
        raise ImproperlyConfigured(MAIL_FORM)
    return parts, port
