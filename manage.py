#!/usr/bin/env python3
"""Run Django's commands with the source root `site/` on the path."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Run a management command.

    Exit with a hint if Django or a setting is missing, or if the tables are of another release.
    """
    sys.path[:0] = [str(HERE / "site"), str(HERE)]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.umask(0o077)  # config.private_files.PRIVATE_UMASK, before anything of the site is imported
    from games.text import escape_unencodable_output

    escape_unencodable_output()
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed for this Python: run the command in README.md instead.")
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured

    try:
        _ = settings.DEBUG  # the first access loads the settings
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    if sys.argv[1:2] == ["serve"]:  # only supervises: Django would load all apps for it
        from config.management.commands.serve import Command

        return Command().run_from_argv(sys.argv)
    from django.db import DatabaseError

    from server import migration_state

    try:
        execute_from_command_line(sys.argv)
    except DatabaseError as error:
        reason = migration_state.explain(error)
        if not reason:
            raise
        sys.stderr.write(f"{reason}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
