"""Published reviews of ended games: parsed strictly, stored by compare-and-swap, shown to all.

A reader's own engine computes a review. Before it is stored, everything that needs no search is
verified; `analysis.reviews.review_checker` recomputes some of its values afterwards.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final

import msgspec
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _
from msgspec import Meta

from accounts.refusals import RefusalReason, Refused
from analysis.board.game_positions import searched_positions
from analysis.reviews.models import Review
from games.core import BadAction, IllegalAction, Rules
from games.reviews import RUNGS, SEED, first_turn
from games.text import MAX_ACTION_CHARS
from games.wasm.artefacts import read_record
from play.domain.game_state import GameState

MAX_BYTES: Final = 16_384  # of a submission, and so of the stored values
# The engines of the pages by the keys of the rule sets that they search.
ENGINES: Final[Mapping[str, str]] = {
    "amazons": "amazons",
    "amazons-8x8": "amazons",
    "amazons-10x10": "amazons",
    "pincer": "pincer",
}


class ReviewReason(RefusalReason):
    """Why a review was not published."""

    TOO_LONG = "too_long", _("This game is too long for a published review."), 413
    MALFORMED = "malformed", _("This review doesn’t fit the game. Nothing was published."), 400
    OTHER_ENGINE = (
        "other_engine",
        _("The engine has changed. Reload this page and review the game again."),
    )
    NOT_DEEPER = "not_deeper", _("An equally deep review is already published. Reload this page.")
    GUEST = "guest", _("Only accounts can publish reviews. Sign up first."), 403


class JudgedPosition(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The verdict on one position, as `games.reviews.Verdict` has it."""

    value: Annotated[float, Meta(ge=-1, le=1)]
    best: Annotated[
        tuple[Annotated[str, Meta(max_length=MAX_ACTION_CHARS)], ...], Meta(max_length=3)
    ]
    is_proved: bool


class Submission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A review as a page sends it."""

    digest: Annotated[str, Meta(max_length=16)]
    nodes: int
    seed: int
    values: tuple[JudgedPosition, ...]


DECODER: Final = msgspec.json.Decoder(Submission, strict=True)


@cache
def digest_of(key: str) -> str:
    """Return the digest of the engine that searches a rule set; raise KeyError without one."""
    return str(read_record()[ENGINES[key]]["digest"])


def parse(body: bytes) -> Submission:
    """Return a submission whose numbers are in range. Raise Refused."""
    if len(body) > MAX_BYTES:
        raise Refused(ReviewReason.TOO_LONG)
    try:
        submission = DECODER.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(ReviewReason.MALFORMED) from error
    if submission.nodes not in RUNGS or submission.seed != SEED:
        raise Refused(ReviewReason.MALFORMED)
    return submission


def verify(rules: Rules[Any], states: Sequence[Any], submission: Submission) -> None:
    """Raise Refused unless a submission has one verdict that can be true for each state."""
    if submission.digest != digest_of(rules.key):
        raise Refused(ReviewReason.OTHER_ENGINE)
    if len(submission.values) != len(states):
        raise Refused(ReviewReason.MALFORMED)
    for state, judged in zip(states, submission.values, strict=True):
        if not _can_be_true(rules, state, judged):
            raise Refused(ReviewReason.MALFORMED)


def _can_be_true(rules: Rules[Any], state: Any, judged: JudgedPosition) -> bool:
    """Return whether the best turn is legal; without a turn the other fields must be empty."""
    if not judged.best:
        return judged.value == 0 and not judged.is_proved
    try:
        is_canonical = all(str(rules.parse(text)) == text for text in judged.best)
        return is_canonical and first_turn(rules, state, judged.best) == judged.best
    except (BadAction, IllegalAction):
        return False


def publish(game: GameState, submission: Submission, user: int, at: int) -> None:
    """Store a review of an ended game at `at` (epoch ms). Raise Refused.

    Only a review with more nodes replaces one of the same build: of several that are sent at once
    the deepest stays.
    """
    verify(game.rules, searched_positions(game), submission)
    columns = {
        "nodes": submission.nodes,
        "seed": submission.seed,
        "values": msgspec.to_builtins(submission.values),
        "user_id": user,
        "created": at,
        "checked": "",
        "worker": "",
        "until": 0,
        "tries": 0,
    }
    if _replace(game.id, submission, columns):
        return
    try:
        with transaction.atomic():
            Review.objects.create(game_id=game.id, digest=submission.digest, **columns)
    except IntegrityError as error:  # a review exists; it may be a shallower one stored just now
        if not _replace(game.id, submission, columns):
            raise Refused(ReviewReason.NOT_DEEPER) from error


def _replace(game: int, submission: Submission, columns: Mapping[str, Any]) -> bool:
    """Replace a review of the same build with fewer nodes; return whether there was one."""
    rows = Review.objects.filter(game=game, digest=submission.digest)
    return bool(rows.filter(nodes__lt=submission.nodes).update(**columns))


def published_review(game: GameState) -> dict[str, Any] | None:
    """Return the review of a game that its page shows, JSON-ready; None without one. One query.

    That of the present engine comes first. Of an earlier engine only a checked one is shown, for
    it cannot be checked any more.
    """
    rows = Review.objects.filter(game=game.id).select_related("user").order_by("-nodes", "-pk")
    present = digest_of(game.rules.key) if game.rules.key in ENGINES else ""
    shown = [row for row in rows if row.digest == present or row.checked]
    row = min(shown, key=lambda row: row.digest != present, default=None)
    if row is None:
        return None
    is_known = row.user is not None and row.user.is_active and row.user.is_account
    return {
        "by": row.user.get_username() if row.user is not None and is_known else None,
        "nodes": row.nodes,
        "isPresent": row.digest == present,
        "checked": len(row.checked_positions),
        "values": row.values,
    }


def export_reviews(user: int) -> list[dict[str, Any]]:
    """Return a user's published reviews as plain JSON, for the copy of one's data."""
    return [
        {
            "game": row.game.slug,
            "engine": row.digest,
            "nodes": row.nodes,
            "seed": row.seed,
            "published": row.created,
            "checked": row.checked_positions,
            "values": row.values,
        }
        for row in Review.objects.filter(user=user).select_related("game").order_by("pk")
    ]


def forget_reviewer(user: int) -> None:
    """Remove a deleted user's name from the reviews, which stay: they hold no personal data."""
    Review.objects.filter(user=user).update(user=None)
