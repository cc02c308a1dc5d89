"""Build the mail of a user's notices: plain text, HTML and headers.

A mail loads nothing and tracks nobody. Its Message-ID is the same at each try, so that mail
programs drop the duplicate sent after a crash between sending and recording.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from notices.inbox.texts import notice_text
from notices.mail.links import EVERYTHING, page_url, unsubscribe_url
from notices.models import TURN_KINDS, Notice, Preferences
from notices.preferences.preferences import zone_of

ID_SALT = "notices.mail.message_id"
ID_CHARS = 32  # hexadecimal; 128 bits
MAX_ITEMS = 30  # of one mail; the rest is counted


@dataclass(frozen=True, slots=True)
class Recipient:
    """A user who is mailed: name, confirmed address, preferences."""

    username: str
    address: str
    prefs: Preferences


@dataclass(frozen=True, slots=True)
class Item:
    """A notice as a mail shows it; `until` is the end of the turn in the user's time zone."""

    title: str
    body: str
    until: str
    url: str
    button: str


def own_addresses() -> frozenset[str]:
    """Return the addresses that this site sends from; a mail to one of them could come back."""
    names = (settings.DEFAULT_FROM_EMAIL, settings.SERVER_EMAIL)
    return frozenset(parseaddr(name)[1].lower() for name in names)


def message_id(first_post: int) -> str:
    """Return the Message-ID of the mail whose oldest post has that key."""
    value = salted_hmac(ID_SALT, str(first_post), algorithm="sha256").hexdigest()[:ID_CHARS]
    return f"<{value}@{urlsplit(settings.ORIGIN).hostname}>"


def build_message(
    to: Recipient,
    notices: Sequence[Notice],
    at: int,
    id: str,
    connection: BaseEmailBackend | None = None,
) -> EmailMultiAlternatives:
    """Return the mail of notices, most urgent first, in the user's language."""
    prefs = to.prefs
    with translation.override(_language_of(prefs)):
        items = [_item(notice, to, at) for notice in notices[:MAX_ITEMS]]
        everything = unsubscribe_url(prefs, to.address, EVERYTHING)
        context = {
            "username": to.username,
            "language": translation.get_language(),
            "items": items,
            "heading": _heading(notices, items),
            "more": len(notices) - len(items),
            "all_url": page_url(prefs.user_id, to.address, reverse("home")),
            "is_digest": prefs.mail == Preferences.MailMode.DIGEST,
            "is_warning": _is_early_warning(prefs, notices),
            "settings_url": page_url(prefs.user_id, to.address, reverse("notification-settings")),
            "unsubscribe_url": everything,
            "kind_url": _kind_url(to, notices),
            "site": urlsplit(settings.ORIGIN).netloc,
            "operator": [
                line
                for line in (
                    settings.OPERATOR_NAME,
                    settings.OPERATOR_EMAIL,
                    *settings.OPERATOR_ADDRESS,
                )
                if line
            ],
        }
        text = render_to_string("notices/mail/mail.txt", context)
        html = render_to_string("notices/mail/mail.html", context)
        subject = _("Quiver: %(heading)s") % {"heading": context["heading"]}
    message = EmailMultiAlternatives(
        " ".join(subject.split()),
        text.strip() + "\n",
        to=[to.address],
        headers=_headers(id, everything),
        connection=connection,
    )
    message.attach_alternative(html.strip() + "\n", "text/html")
    return message


def _headers(id: str, unsubscribe: str) -> dict[str, str]:
    return {
        "Message-ID": id,
        "List-Unsubscribe": f"<{unsubscribe}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",  # RFC 8058
        "Auto-Submitted": "auto-generated",  # RFC 3834: nothing answers it by itself
        "X-Auto-Response-Suppress": "All",  # the same for Exchange
    }


def _language_of(prefs: Preferences) -> str:
    known = dict(settings.LANGUAGES)
    return prefs.language if prefs.language in known else settings.LANGUAGE_CODE


def _item(notice: Notice, to: Recipient, at: int) -> Item:
    text = notice_text(notice, at)
    deadline = notice.data.get("deadline") if notice.kind in TURN_KINDS else None
    until = ""
    if deadline is not None:
        end = datetime.fromtimestamp(int(deadline) / 1000, zone_of(to.prefs))
        until = date_format(end, "j F, H:i") + f" {end.tzname()}"
    url = page_url(to.prefs.user_id, to.address, text.url)
    return Item(text.title, text.body, until, url, text.button)


def _heading(notices: Sequence[Notice], items: Sequence[Item]) -> str:
    if len(notices) == 1:
        return items[0].title
    turns = sum(notice.kind in TURN_KINDS for notice in notices)
    if turns:
        text = ngettext("your turn in %(count)s game", "your turn in %(count)s games", turns)
        return text % {"count": turns}
    count = len(notices)
    text = ngettext("%(count)s notification", "%(count)s notifications", count)
    return text % {"count": count}


def _is_early_warning(prefs: Preferences, notices: Sequence[Notice]) -> bool:
    is_digest = prefs.mail == Preferences.MailMode.DIGEST
    return is_digest and all(notice.kind == "last" for notice in notices)


def _kind_url(to: Recipient, notices: Sequence[Notice]) -> str:
    """Return the link that turns off the only kind of a mail; empty if there are several."""
    kinds = {notice.kind for notice in notices}
    return unsubscribe_url(to.prefs, to.address, kinds.pop()) if len(kinds) == 1 else ""
