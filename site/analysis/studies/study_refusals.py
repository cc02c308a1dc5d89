"""Reasons for which studies refuse requests: words for programs, sentences for people."""

from django.utils.translation import gettext_lazy as _

from accounts.refusals import RefusalReason


class StudyReason(RefusalReason):
    """Why a study refused a request."""

    NO_ACCOUNT = "no_account", _("Sign in to an account to keep studies."), 403
    NO_TITLE = "no_title", _("Give the study a title."), 400
    LONG_TITLE = "long_title", _("Use at most 80 characters for the title."), 400
    TOO_MANY = "too_many", _("You can keep at most 200 studies. Delete one first.")
    TOO_LARGE = (
        "too_large",
        _("A study has at most 5,000 moves and 256 KB. Nothing was changed."),
        413,
    )
    WITHDRAWN = "withdrawn", _("This game isn’t available any more.")
    HIDDEN = "hidden", _("A moderator has hidden this study. It can’t be changed."), 403
    MALFORMED = "malformed", _("That’s not a study. Nothing was changed."), 400
    ILLEGAL = "illegal", _("There’s a move in it that isn’t legal. Nothing was changed."), 400
