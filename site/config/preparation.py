"""Prepare the site before it is served: database, static files, hosts, and the operator's text."""

from django.conf import settings
from django.core.management.base import CommandError, OutputWrapper
from django.db import DatabaseError, connection, connections

from accounts.people.computer_users import computers
from assets.collect import collect
from assets.esbuild import INSTALL_HINT, find_esbuild
from config.checks import refuse_bad_routes, refuse_bad_settings
from config.served_address import set_hosts
from games.catalogue import RULES
from games.players.levels import has_numba, is_available, levels_of
from server import migration_state


def prepare(port: int, lan: bool) -> list[str]:
    """Check the settings, migrate, collect static files, and set the hosts that are answered.

    Costs 0.3 s if nothing has to be done. Return this machine's hosts on its network, with `lan`.
    Raises SystemExit or CommandError with a message for the operator.
    """
    refuse_bad_settings()
    refuse_bad_routes()
    if not 0 < port < 2**16:
        raise CommandError("A port is a number from 1 to 65535")
    try:
        with migration_state.hold_lock():
            migration_state.migrate()
            collect()
            computers()
    except migration_state.OldDatabase as error:
        raise CommandError(str(error)) from None
    except DatabaseError as error:
        raise CommandError(f"The database cannot be reached: {error}") from error
    connections.close_all()
    return set_hosts(port, lan)


def print_address(stdout: OutputWrapper, hosts: list[str], port: int, lan: bool) -> None:
    """Tell the operator where the site is, and what is missing on this machine."""
    here = settings.ORIGIN if settings.NAMED_HOSTS else f"http://localhost:{port}"
    lines = ["", f"Quiver is ready. Open  {here}/  in your browser."]
    if hosts:
        lines.append(f"A friend on the same network opens  http://{hosts[0]}:{port}/")
        lines.append("(plain http: anyone on that network can read along)")
    elif lan:
        lines.append("No network address was found, so only this machine can play.")
    else:
        lines.append("To play against yourself, open it in a second browser as well.")
        lines.append("For a friend on the same network: serve --lan")
    if not has_numba():
        lines.append(f"numba is not installed, so these computer players are off: {off()}.")
    if find_esbuild() is None:
        lines.append(f"esbuild is not installed, so pages load slower: {INSTALL_HINT}.")
    where = f"in {settings.DATA_DIR}" if connection.vendor == "sqlite" else "by PostgreSQL"
    lines += [f"Games are kept {where}. Ctrl-C ends everything.", ""]
    stdout.write("\n".join(lines))
    stdout.flush()


def off() -> str:
    """Return the levels that this machine cannot play, by game, as text."""
    numbers = {
        rules.name: [each.number for each in levels_of(key) if not is_available(key, each.number)]
        for key, rules in RULES.items()
    }
    return ", ".join(f"{name} {min(n)} to {max(n)}" for name, n in numbers.items() if n) or "none"
