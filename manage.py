#!/usr/bin/env python3
"""Run Django's commands with the source root `site/` on the path."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Runs a management command; exits with a hint if Django or a setting is missing."""
    sys.path[:0] = [str(HERE / "site"), str(HERE)]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.umask(0o077)  # config.private_files.PRIVATE_UMASK, before anything of the site is imported
    from server import gc_tuning
    from server.processes import web_parent

    if web_parent.is_needed(sys.argv[1:], os.environ):
        sys.exit(web_parent.run(sys.argv[1:]))
    if sys.argv[1:2] == ["serve"]:
        gc_tuning.pause()
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
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
