"""`manage.py makemessages`: collect the texts to translate."""

from typing import Any

from django.core.management.commands import makemessages

# Django would write texts to the nearest folder named "locale" above them.
PLACES_WITHOUT_TEXTS = [".venv", ".data", "tests", "games", "locale", "node_modules"]


class Command(makemessages.Command):
    """Django's command for both domains at once, with the scripts' functions `t` and `tn`.

    Line numbers are left out, so that a text that only moved changes no file.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        """Rewrite the .po files of all offered languages but English."""
        options["locale"] = options["locale"] or ["tr"]
        options["ignore_patterns"] = [*options["ignore_patterns"], *PLACES_WITHOUT_TEXTS]
        options["add_location"] = options["add_location"] or "file"
        options["no_obsolete"] = True
        options["no_wrap"] = True
        self.xgettext_options = [*makemessages.Command.xgettext_options]
        super().handle(*args, **{**options, "domain": "django"})
        self.xgettext_options += ["--keyword=t", "--keyword=tn:1,2"]
        super().handle(*args, **{**options, "domain": "djangojs", "extensions": ["js"]})
