"""Collects the texts to translate; see `manage.py makemessages --help`."""

from typing import Any

from django.core.management.commands import makemessages

# A folder "locale" below the one that is read would get the texts around it for itself.
PLACES_WITHOUT_TEXTS = [".venv", ".data", "tests", "games", "locale"]


class Command(makemessages.Command):
    """Django's own command, which also knows the scripts' `t` and `tn`, for both domains at once.

    Line numbers are left out, so that a text that only moved changes no file.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        """Rewrites the .po files of all languages offered but English."""
        options["locale"] = options["locale"] or ["tr"]
        options["ignore_patterns"] = [*options["ignore_patterns"], *PLACES_WITHOUT_TEXTS]
        options["add_location"] = options["add_location"] or "file"
        options["no_obsolete"] = True
        options["no_wrap"] = True
        self.xgettext_options = [*makemessages.Command.xgettext_options]
        super().handle(*args, **{**options, "domain": "django"})
        self.xgettext_options += ["--keyword=t", "--keyword=tn:1,2"]
        super().handle(*args, **{**options, "domain": "djangojs", "extensions": ["js"]})
