"""The payload of a push, which the service worker of the pages shows. It names no position."""

import json
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from notices.delivery import policy
from notices.inbox.texts import notice_text
from notices.models import TURN_KINDS, Notice

VERSION = 1
MAX_PAYLOAD_BYTES = 3_000  # push services take 4,096 with the encryption
MAX_TITLE_CHARS = 120
MAX_BODY_CHARS = 400
MAX_URL_CHARS = 300
COUNT_TAG = policy.tag_of("count", "")
TEST_TAG = policy.tag_of("test", "")


def of_notice(notice: Notice, language: str, waiting: int) -> bytes:
    """Return the payload of one notice; `waiting` is the number of games that wait for the user."""
    with override(language):
        text = notice_text(notice)
        tag = policy.tag_of(notice.kind, notice.subject)
        return _encode(tag, str(text.title), str(text.body), str(text.url), waiting)


def of_count(notices: list[Notice], language: str, waiting: int) -> bytes:
    """Return the payload that stands for several held notices."""
    number = len({(each.subject, each.kind in TURN_KINDS) for each in notices})
    with override(language):
        if all(each.kind in TURN_KINDS for each in notices):
            title = ngettext(
                "%(count)s more game waits for you", "%(count)s more games wait for you", number
            )
        else:
            title = ngettext("%(count)s more notification", "%(count)s more notifications", number)
        body = _("You have had six notifications within an hour, so the rest comes as one.")
        return _encode(COUNT_TAG, title % {"count": number}, body, reverse("home"), waiting)


def of_test(language: str, waiting: int) -> bytes:
    """Return the payload of a test push."""
    with override(language):
        body = _("Notifications reach this device.")
        return _encode(TEST_TAG, "Quiver", body, reverse("settings"), waiting)


def _encode(tag: str, title: str, body: str, url: str, waiting: int) -> bytes:
    """Return the JSON, with the body cut until it fits."""
    message: dict[str, Any] = {
        "v": VERSION,
        "tag": tag,
        "title": title[:MAX_TITLE_CHARS],
        "body": body[:MAX_BODY_CHARS],
        "url": url if len(url) <= MAX_URL_CHARS else reverse("home"),
        "waiting": waiting,
        "icon": None,
    }
    data = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    while len(data) > MAX_PAYLOAD_BYTES:
        message["body"] = message["body"][: len(message["body"]) // 2]
        data = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    return data
