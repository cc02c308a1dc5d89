"""Read the site's environment variables: names, types, defaults and descriptions.

`manage.py env` prints the table in README.md. `server.requests.origins` checks hosts and origins
further, `config.backing_services` the URLs.

msgspec, which the site uses for its messages, checks types and bounds and holds the descriptions.
Two libraries for the same were tried with the wrong values of the tests. environs 15.2 (and with it
marshmallow and python-dotenv) reads " 8", "1_0", "+8" and digits of other scripts as numbers, and
has no place for descriptions. django-environ 0.14 does the same, and takes every word that it does
not know for False: QUIVER_TLS=tru would leave the cookies open.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from django.core.exceptions import ImproperlyConfigured
from msgspec import Meta, inspect

MAX_PORT: Final = 2**16 - 1
DIGITS: Final = re.compile(r"[0-9]{1,9}")
MAX_ADMIN_CHARS: Final = 100
# RFC 3986's unreserved characters between slashes, without dot segments; or `off`.
ADMIN_PATTERN: Final = r"\A(?:off|/(?:(?!\.{1,2}/)[A-Za-z0-9._~-]+/)+)\Z"
EMAIL_PATTERN: Final = r"\A[^@\s<>\"]+@[^@\s<>\"]+\Z"
WEB_PATTERN: Final = r"\Ahttps?://[^\s<>\"]+\Z"
FOREIGN_NAMES: Final = frozenset({"DATABASE_URL", "REDIS_URL", "NUMBA_CACHE_DIR"})


def variable_name(attribute: str) -> str:
    """Return the name of the variable that an attribute of `Environment` is read from."""
    name = attribute.upper()
    return name if name in FOREIGN_NAMES else f"QUIVER_{name}"


def about(description: str, *, default: str = "", expected: str = "", **bounds: Any) -> Meta:
    """Return the metadata of a variable.

    `default` describes a computed default, `expected` the right values in an error. `bounds` are
    msgspec's, and among them `title` is the type in words.
    """
    extra = {"default": default, "expected": expected}
    return Meta(description=description, extra=extra, **bounds)


class Environment(msgspec.Struct, frozen=True, kw_only=True, rename=variable_name):
    """The environment variables of the site, in the order of README's table."""

    data: Annotated[
        str,
        about(
            "The folder of the database, the secret, the collected static files and the compiled "
            "computer players; only the site's user may enter it.",
            title="folder",
            default="`.data`",
        ),
    ] = ""
    static: Annotated[
        str,
        about(
            "The folder of the collected static files, readable for a proxy.",
            title="folder",
            default="`static` in `QUIVER_DATA`",
        ),
    ] = ""
    database_url: Annotated[
        str,
        about(
            "The PostgreSQL database, such as `postgres://user:password@host/name`; of several "
            "hosts, separated by commas, the one that takes writes is used.",
            title="URL",
            default="SQLite in `QUIVER_DATA`",
        ),
    ] = ""
    pool: Annotated[int, about("Connections to PostgreSQL that a process may open.", ge=4)] = 12
    game_cache: Annotated[
        int, about("MiB of games that a process keeps in memory while nobody uses them.", ge=1)
    ] = 32
    redis_url: Annotated[
        str,
        about(
            "Redis, such as `redis://:password@host:6379/0`, by which several web processes hear "
            "of each other and share the counts of rate limits.",
            title="URL",
            default="one process",
        ),
    ] = ""
    secret: Annotated[
        str,
        about(
            "Django's secret key, at least 32 characters; required with `DATABASE_URL`.",
            default="made once, kept in `QUIVER_DATA`",
        ),
    ] = ""
    secret_fallbacks: Annotated[
        tuple[str, ...],
        about(
            "Former values of `QUIVER_SECRET`, the newest first: what they have signed or "
            "encrypted is still read.",
            title="texts, separated by commas",
        ),
    ] = ()
    hosts: Annotated[
        tuple[str, ...],
        about(
            "The host names that are answered; requests for others, localhost among them, get 400.",
            title="hosts, separated by commas",
            default="this machine",
        ),
    ] = ()
    origin: Annotated[
        str,
        about(
            "Scheme, host and port of every absolute link, in mails and invitations, such as "
            "`https://play.example.org`.",
            title="origin",
            default="the first of `QUIVER_ORIGINS` that is answered, else made of `QUIVER_TLS`, "
            "the first of `QUIVER_HOSTS` and `QUIVER_PORT`",
        ),
    ] = ""
    origins: Annotated[
        tuple[str, ...],
        about(
            "Further origins of the site: their pages may open a websocket, and a Host header may "
            "name their ports.",
            title="origins, separated by commas",
        ),
    ] = ()
    port: Annotated[
        int, about("The port of `serve`, and of the default origins.", ge=1, le=MAX_PORT)
    ] = 8000
    tls: Annotated[
        bool,
        about("1 behind a proxy that ends TLS and sets `X-Forwarded-Proto` and `X-Forwarded-For`."),
    ] = False
    proxies: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        about(
            "The number of your proxies before the server, whose `X-Forwarded-For` counts.",
            default="1 with `QUIVER_TLS`, else 0",
        ),
    ] = None
    bots: Annotated[
        int, about("Processes that `serve` starts to think for the computer players.", ge=0)
    ] = 1
    notices: Annotated[
        int,
        about(
            "Processes that `serve` starts to tell people of their games by push and mail.",
            ge=0,
            le=1,
        ),
    ] = 1
    vapid: Annotated[
        str,
        about(
            "The private key of push notifications: a P-256 key in PEM, or its 32 bytes in "
            "base64url. Another one ends all push subscriptions.",
            title="key",
            default="made once, kept in the database",
        ),
    ] = ""
    push_hosts: Annotated[
        tuple[str, ...],
        about(
            "Further hosts that pushes may be sent to, besides those of Chrome, Firefox, Safari "
            "and Edge; `*.example.org` stands for all names below it.",
            title="hosts, separated by commas",
        ),
    ] = ()
    exhibition: Annotated[
        bool, about("0 for no games between computer players when nobody plays.")
    ] = True
    ponder: Annotated[
        bool, about("0 for a highest level that does not think on its opponent's time.")
    ] = True
    talk: Annotated[bool, about("0 for no talk in lobbies and games.")] = True
    admin: Annotated[
        str,
        about(
            "The path of the admin, such as `/keepers-7f3a/`; `off` for a site without one.",
            title="path or `off`",
            expected="a path that begins and ends with a slash, of letters, digits and -._~ "
            "between them, such as /keepers-7f3a/, or off",
            pattern=ADMIN_PATTERN,
            max_length=MAX_ADMIN_CHARS,
        ),
    ] = "/admin/"
    mail_url: Annotated[
        str,
        about(
            "How mail is sent: `smtps://user:password@host` (TLS), `smtp+tls://…` (STARTTLS) or "
            "`smtp://…`; `off` sends none; `console` prints it, which is refused with "
            "`QUIVER_TLS` or `QUIVER_HOSTS`.",
            title="URL, `off` or `console`",
            default="`console`",
        ),
    ] = ""
    mail_from: Annotated[str, about("The address that mail comes from.")] = (
        "Quiver <noreply@localhost>"
    )
    operator_name: Annotated[
        str,
        about("Who runs this site, for its pages; a person or an organisation.", max_length=200),
    ] = ""
    operator_email: Annotated[
        str,
        about(
            "The operator's e-mail address, for the pages Contact and Privacy.",
            title="e-mail address",
            expected="an e-mail address, such as contact@example.org",
            pattern=EMAIL_PATTERN,
            max_length=254,
        ),
    ] = ""
    operator_address: Annotated[
        str,
        about(
            "The operator's postal address, its lines separated by semicolons.",
            max_length=400,
        ),
    ] = ""
    source_url: Annotated[
        str,
        about(
            "Where the source code of this site can be had, for the page Source.",
            title="URL",
            expected="an address that begins with https:// or http://",
            pattern=WEB_PATTERN,
            max_length=500,
        ),
    ] = ""
    log: Annotated[
        Literal["line", "json"],
        about("`line` logs lines for people, `json` one JSON object a line."),
    ] = "line"
    access_log: Annotated[
        bool, about("0 for no log line on each request and each closed websocket.")
    ] = True
    metrics: Annotated[
        int,
        about(
            "The port of 127.0.0.1 on which Prometheus finds the metrics of this process, another "
            "one for each process; those that `serve` starts have the ports above; 0 for none.",
            ge=0,
            le=MAX_PORT,
        ),
    ] = 0
    debug: Annotated[
        bool, about("1 for Django's debug pages; refused with `QUIVER_TLS` or `QUIVER_HOSTS`.")
    ] = False
    numba_cache_dir: Annotated[
        str,
        about(
            "The folder of the compiled computer players; numba's own variable.",
            title="folder",
            default="`numba` in `QUIVER_DATA`",
        ),
    ] = ""

    def __repr__(self) -> str:
        """Show no value: some are secrets."""
        return "Environment(…)"


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable, with the data for parsing and documentation.

    `default` is empty where the variable has none; `expected` completes "NAME is …".
    """

    name: str
    attribute: str
    annotation: Any
    kind: inspect.Type
    type_words: str
    default: str
    expected: str
    description: str

    def parse(self, text: str) -> Any:
        """Return the value of a text that is not empty. Raises ImproperlyConfigured."""
        try:
            return msgspec.convert(_to_python(text, self.kind), self.annotation)
        except msgspec.ValidationError:
            sentence = f"{self.name} is {self.expected}; it is {text!r}"
            raise ImproperlyConfigured(sentence) from None


def variables() -> Iterator[Variable]:
    """Yield all environment variables of the site."""
    for field in msgspec.structs.fields(Environment):
        info = inspect.type_info(field.type)
        assert isinstance(info, inspect.Metadata)
        schema, extra = info.extra_json_schema or {}, info.extra or {}
        kind = _without_none(info.type)
        type_words = _type_words(kind)
        yield Variable(
            name=field.encode_name,
            attribute=field.name,
            annotation=field.type,
            kind=kind,
            type_words=schema.get("title", type_words),
            default=extra.get("default") or _default_words(field.default),
            expected=extra.get("expected") or type_words,
            description=schema["description"],
        )


def read_environment(environment: Mapping[str, str]) -> Environment:
    """Return the typed environment; an empty variable counts as one that is not set.

    Raises ImproperlyConfigured with a sentence for each wrong value.
    """
    values, wrong = {}, []
    for variable in variables():
        text = environment.get(variable.name, "")
        if not text:
            continue
        try:
            values[variable.attribute] = variable.parse(text)
        except ImproperlyConfigured as error:
            wrong.append(str(error))
    if wrong:
        raise ImproperlyConfigured("\n".join(wrong))
    return Environment(**values)


def markdown_table() -> str:
    """Return README's table of the environment variables."""
    rows = [("variable", "type", "default", "meaning"), ("---",) * 4]
    for each in variables():
        rows.append((f"`{each.name}`", each.type_words, each.default, each.description))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _to_python(text: str, kind: inspect.Type) -> Any:
    """Return the value of a text as a Python type, or the text itself if it is malformed.

    Only 1 and 0 are booleans: a misspelt word must not switch a protection off.
    """
    match kind:
        case inspect.BoolType():
            return {"0": False, "1": True}.get(text, text)
        case inspect.IntType():
            return int(text) if DIGITS.fullmatch(text) else text
        case inspect.VarTupleType():
            return [part.strip() for part in text.split(",") if part.strip()]
    return text


def _without_none(kind: inspect.Type) -> inspect.Type:
    if isinstance(kind, inspect.UnionType):
        [kind] = (each for each in kind.types if not isinstance(each, inspect.NoneType))
    return kind


def _type_words(kind: inspect.Type) -> str:
    match kind:
        case inspect.BoolType():
            return "1 or 0"
        case inspect.IntType(ge=least, le=most):
            bounds = f"at least {least}" if most is None else f"from {least} to {most}"
            return f"a whole number, {bounds}"
        case inspect.LiteralType(values=words):
            return " or ".join(map(str, words))
        case inspect.VarTupleType():
            return "list, separated by commas"
    return "text"


def _default_words(default: Any) -> str:
    match default:
        case bool() | int():
            return str(int(default))
        case str() if default:
            return f"`{default}`"
    return ""
