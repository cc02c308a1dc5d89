"""Bodies of requests about studies: JSON of bounded length, parsed strictly."""

from codecs import BOM_UTF8
from typing import Final, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from accounts.refusals import Refused
from analysis.studies.models import Study
from analysis.studies.study_refusals import StudyReason
from analysis.studies.study_service import Conflict
from analysis.studies.study_tree import MAX_TREE_BYTES, StudyNode

MAX_BODY_BYTES: Final = MAX_TREE_BYTES + 64 * 1024  # a tree with blanks, and the fields around it
T = TypeVar("T")


class NewStudy(msgspec.Struct, forbid_unknown_fields=True):
    """A tree that is to be kept; `game` is the slug of the ended game that it is about."""

    rules: str
    title: str
    nodes: list[StudyNode]
    game: str | None = None


class SaveStudy(msgspec.Struct, forbid_unknown_fields=True):
    """A change of the study that is at `rev`; omitted fields stay unchanged."""

    rev: int
    title: str | None = None
    visibility: str | None = None
    nodes: list[StudyNode] | None = None


NEW: Final = msgspec.json.Decoder(NewStudy)
SAVE: Final = msgspec.json.Decoder(SaveStudy)


def account_of(request: HttpRequest) -> User:
    """Return the account that makes a request. Raise Refused for guests and visitors."""
    user = request.user
    if not isinstance(user, User) or not user.is_account:
        raise Refused(StudyReason.NO_ACCOUNT)
    return user


def read_body(request: HttpRequest) -> bytes:
    """Return the body of a request without a byte order mark, which other programs write.

    Raise Refused for a long one, which is not read whole.
    """
    body = request.read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        raise Refused(
            StudyReason.TOO_LARGE, detail=f"the body has more than {MAX_BODY_BYTES} bytes"
        )
    return body.removeprefix(BOM_UTF8)


def parse_body(request: HttpRequest, decoder: msgspec.json.Decoder[T]) -> T:
    """Return the message in the body of a request. Raise Refused."""
    try:
        return decoder.decode(read_body(request))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Refused(StudyReason.MALFORMED, detail=str(error)) from error


def conflict_response(conflict: Conflict) -> HttpResponse:
    """Return the answer to a save on an older rev, with the current study."""
    body = msgspec.json.encode({"conflict": _current(conflict.study)})
    return HttpResponse(body, content_type="application/json", status=409)


def _current(study: Study) -> dict[str, object]:
    """Return the state of a study for the scripts of its page; its owner has made the change."""
    return {
        "rev": study.rev,
        "by": study.owner.get_username(),
        "at": study.updated,
        "title": study.title,
        "visibility": study.visibility,
        "nodes": msgspec.Raw(study.tree.encode()),
    }
