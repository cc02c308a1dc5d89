"""Reasons for which studies refuse requests: words for programs, sentences for people."""

from collections.abc import Mapping
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Reason(StrEnum):
    """Wire words of refusals; `SENTENCES` has their texts for people."""

    NO_ACCOUNT = "no_account"
    NO_TITLE = "no_title"
    LONG_TITLE = "long_title"
    TOO_MANY = "too_many"
    TOO_LARGE = "too_large"
    WITHDRAWN = "withdrawn"
    HIDDEN = "hidden"
    MALFORMED = "malformed"
    ILLEGAL = "illegal"


SENTENCES: Mapping[Reason, str | Promise] = {
    Reason.NO_ACCOUNT: _("Sign in to an account to keep studies."),
    Reason.NO_TITLE: _("Give the study a title."),
    Reason.LONG_TITLE: _("Use at most 80 characters for the title."),
    Reason.TOO_MANY: _("You can keep at most 200 studies. Delete one first."),
    Reason.TOO_LARGE: _("A study has at most 5,000 moves and 256 KB. Nothing was changed."),
    Reason.WITHDRAWN: _("This game isn’t available any more."),
    Reason.HIDDEN: _("A moderator has hidden this study. It can’t be changed."),
    Reason.MALFORMED: _("That’s not a study. Nothing was changed."),
    Reason.ILLEGAL: _("There’s a move in it that isn’t legal. Nothing was changed."),
}
STATUSES: Mapping[Reason, int] = {
    Reason.NO_ACCOUNT: 403,
    Reason.HIDDEN: 403,
    Reason.TOO_MANY: 409,
    Reason.TOO_LARGE: 413,
    Reason.WITHDRAWN: 409,
}


class Refused(Exception):
    """A request changed nothing. `detail` describes the error in its content for programmers."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail

    @property
    def say(self) -> str:
        """The sentence for people, in the active language."""
        return str(SENTENCES[self.reason])

    @property
    def status(self) -> int:
        """The status of an HTTP answer."""
        return STATUSES.get(self.reason, 400)
