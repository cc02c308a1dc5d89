"""Undocumented names of other packages exist, and pyproject.toml bounds their versions.

A new release may drop or change such a name without notice. So each package is bounded below its
next release series; these tests show at a raised bound which names must still exist.
"""

import ast
import importlib
import inspect
import re
import tomllib
from collections.abc import Iterator
from enum import EnumType
from functools import cache
from importlib.metadata import packages_distributions, version
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.checks.project_files import ROOT, files_below, text_of

SOURCES = [
    path
    for folder in ("site", "games", "tests")
    for path in files_below(ROOT / folder, ".py")
    if "migrations" not in path.parts
]

# Distribution → how many numbers of a version name one of its release series, and its names as
# `module:Class.attribute`. An attribute of objects has to be set by its class or by a base of that.
USED: dict[str, tuple[int, list[str]]] = {
    "daphne": (
        2,
        [
            "daphne.http_protocol:WebRequest",
            "daphne.http_protocol:WebRequest.basic_error",
            "daphne.server:Server.connections",
            "daphne.server:Server.create_application",
            "daphne.server:Server.kill_all_applications",
        ],
    ),
    "twisted": (
        2,
        [
            "twisted.web.http:HTTPChannel._respondToBadRequestAndDisconnect",
            "twisted.web.http:HTTPChannel.allHeadersReceived",
            "twisted.web.http:HTTPChannel.length",
            "twisted.web.http:HTTPChannel.requests",
        ],
    ),
    "autobahn": (
        1,
        [
            "autobahn.websocket.protocol:WebSocketProtocol.sendCloseFrame",
            "autobahn.websocket.protocol:WebSocketProtocol.sendData",
        ],
    ),
    "django": (
        2,
        [
            "django.contrib.admin.sites:AdminSite._registry",
            "django.contrib.auth.base_user:AbstractBaseUser._get_session_auth_hash",
            "django.core.cache.backends.redis:RedisCache._cache",
            "django.core.cache.backends.redis:RedisCacheClient.get_client",
            "django.db.backends.base.base:BaseDatabaseWrapper._commit",
            "django.db.backends.base.base:BaseDatabaseWrapper._rollback",
            "django.db.backends.sqlite3.base:DatabaseWrapper._start_transaction_under_autocommit",
            "django.contrib.sessions.backends.base:SessionBase._session_key",
            "django.core.handlers.base:BaseHandler.get_response_async",
            "django.core.handlers.base:BaseHandler.load_middleware",
            "django.http.request:split_domain_port",
        ],
    ),
    "django-allauth": (
        2,
        [
            "allauth.account.auth_backends:AuthenticationBackend._authenticate_by_email",
            "allauth.account.auth_backends:AuthenticationBackend._check_password",
            "allauth.account.internal.flows.login:perform_login",
            "allauth.account.internal.userkit:filter_users_by_email",
            "allauth.account.stages:LoginStage.handle",
            "allauth.account.stages:LoginStageController.enter",
            "allauth.core.context:request",
            "allauth.mfa.totp.internal.auth:SECRET_SESSION_KEY",
        ],
    ),
}
NAMES = [name for _, names in USED.values() for name in names]
# Documented in spite of their underscore: Django's Model._meta, Model._default_manager and
# Storage._open; namedtuple's _asdict, _fields, _make and _replace; os._exit; Enum._value_.
DOCUMENTED = {
    "_asdict", "_default_manager", "_exit", "_fields", "_make", "_meta", "_open", "_replace",
    "_value_",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_name_exists(name) -> None:
    module, path = name.split(":")
    value: Any = importlib.import_module(module)
    *parents, last = path.split(".")
    for parent in parents:
        value = getattr(value, parent)
    assert hasattr(value, last) or is_set_by(value, last), name


def is_set_by(kind: type, name: str) -> bool:
    """Whether a method of a class or of its bases sets an attribute of its object."""
    setting = re.compile(rf"\bself\.{name}\b[^=\n]*=[^=]")
    bases = [base for base in kind.__mro__ if base.__module__ != "builtins"]
    return any(setting.search(inspect.getsource(base)) for base in bases)


@pytest.mark.parametrize("distribution", USED)
def test_its_package_is_bounded_below_the_next_release_series(distribution) -> None:
    numbers, _ = USED[distribution]
    *series, last = Version(version(distribution)).release[:numbers]
    following = ".".join(map(str, [*series, last + 1]))
    bounds = declared().get(distribution)
    assert bounds, f"pyproject.toml does not name {distribution}"
    assert bounds.specifier.contains(version(distribution))
    assert not bounds.specifier.contains(following, prereleases=True), f"need <{following}"


@cache
def declared() -> dict[str, Requirement]:
    """The dependencies in pyproject.toml and in its extras."""
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    lines = chain(project["dependencies"], *project["optional-dependencies"].values())
    return {each.name.lower(): each for each in map(Requirement, lines)}


def test_every_private_name_in_our_sources_is_listed() -> None:
    """An attribute with an underscore that no source of ours defines is another package's."""
    known = {name.rpartition(".")[2] for name in NAMES} | DOCUMENTED
    used: dict[str, str] = {}  # name → where it is used
    for path in sources_with(r"\._[a-zA-Z]"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in known:
                used[node.attr] = f"{path.relative_to(ROOT)}:{node.lineno} {node.attr}"
    assert len(used) > 100  # else this test sees no attribute at all
    for path in [*PARSED, *SOURCES]:  # most names are defined where they are used
        words = set(re.findall(r"\b_\w+", text_of(path)))
        if words & used.keys():
            for name in defined(parsed(path)):
                used.pop(name, None)
    assert not used.values(), "list them in USED, with a bound in pyproject.toml"


PARSED: dict[Path, ast.Module] = {}


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a source file."""
    if path not in PARSED:
        PARSED[path] = ast.parse(text_of(path))
    return PARSED[path]


def sources_with(pattern: str) -> list[Path]:
    """The source files whose text a pattern finds something in: only those are parsed."""
    return [path for path in SOURCES if re.search(pattern, text_of(path), re.MULTILINE)]


def defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module gives to functions, classes and attributes of its objects."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                yield name
            case ast.Name(name, ast.Store()):
                yield name
            case ast.Attribute(ast.Name("self" | "cls"), name, ast.Store()):
                yield name


def is_private(name: str) -> bool:
    """Whether a name begins with one underscore."""
    return name.startswith("_") and not name.startswith("__") and name != "_"


# A module, or one of the names that are imported from it, begins with an underscore.
MAYBE_PRIVATE_IMPORT = (
    r"^\s*(?:from\s+\S*(?:\b_(?!_)|\binternal\b)"
    r"|(?:from\s+\S+\s+)?import\s+(?:\([^)]*|(?:\\\n|[^\n(\\])*)\b(?:_(?!_)|internal\b))"
)


def test_every_import_of_a_private_module_is_listed() -> None:
    foreign = packages_distributions()
    found = {
        f"{module}:{name}"
        for path in sources_with(MAYBE_PRIVATE_IMPORT)
        for module, name in imported(parsed(path))
        if module.split(".")[0] in foreign
        and any(is_private(part) or part == "internal" for part in (*module.split("."), name))
    }
    assert found <= set(NAMES), "list them in USED, with a bound in pyproject.toml"
    assert found  # else this test sees no import at all


def imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the imports of a module: (module, name), the name empty for a whole module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.filterwarnings("ignore:No directory at")  # no static files are collected
def test_every_private_method_that_is_overridden_is_listed() -> None:
    foreign, found = packages_distributions(), set()
    for kind in classes_of_the_site():
        if isinstance(kind, EnumType):
            continue  # it copies names such as `_new_member_` into each class by itself
        for name, value in vars(kind).items():
            if not is_private(name) or name.endswith("_") or not inspect.isfunction(value):
                continue
            for base in kind.__mro__[1:]:
                if base.__module__.split(".")[0] in foreign and name in vars(base):
                    found.add(f"{base.__module__}:{base.__qualname__}.{name}")
    found = {name for name in found if name.rpartition(".")[2] not in DOCUMENTED}
    assert found <= set(NAMES), "list them in USED, with a bound in pyproject.toml"
    assert found  # else this test sees no class at all


def classes_of_the_site() -> Iterator[type]:
    """Yield the classes that the modules of the site define. Imports only modules that have some:
    config.asgi has none, and checks the deployment when it is imported."""
    site = ROOT / "site"
    for path in SOURCES:
        names = re.findall(r"^class (\w+)", text_of(path), re.MULTILINE)
        if names and path.is_relative_to(site):
            module = ".".join(path.relative_to(site).with_suffix("").parts).removesuffix(
                ".__init__"
            )
            found = vars(importlib.import_module(module))
            yield from (found[name] for name in names if inspect.isclass(found.get(name)))
