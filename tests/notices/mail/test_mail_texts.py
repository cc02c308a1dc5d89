"""Mails in both languages: text and HTML of every kind, small and loading nothing."""

import re
from email.message import EmailMessage
from html.parser import HTMLParser

import pytest
from django.core import mail

from notices.mail import sender
from notices.models import Kind
from tests.support.mail_people import HOUR, NOON, mail_post, mailed_person, wants

pytestmark = pytest.mark.django_db
MAX_BYTES = 12_000


class Page(HTMLParser):
    """The tags of an HTML text, in order; fails for one that is not closed."""

    VOID = frozenset({"meta", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def mail_about(*kinds: Kind, name: str = "ada", mode: str = "at_once", **data: object):
    ada = mailed_person(name, mail=mode, language=data.pop("language", "en"))
    wants(ada, *kinds)
    for kind in kinds:
        deadline = NOON + 30 * HOUR if kind in ("turn", "half", "last") else None
        mail_post(ada, kind, deadline=deadline, **data)
    at = NOON if mode == "at_once" else NOON + 6 * HOUR
    assert sender.send_due("test", at) == 1
    return mail.outbox[-1]


def html_of(message) -> str:
    return message.alternatives[0][0]


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_text_and_html_in_both_languages(kind, language) -> None:
    message = mail_about(kind, language=language)
    raw = message.message()
    assert isinstance(raw, EmailMessage) or raw.get_content_type() == "multipart/alternative"
    assert message.subject.startswith("Quiver: ") and "\n" not in message.subject
    html = html_of(message)
    page = Page(html)
    assert ("html", {"lang": language}) in page.seen
    for part in (message.body, html):
        assert "{" not in part.replace("{}", "") and "None" not in part
        assert "/notifications/mail/open/" in part and "/notifications/mail/off/" in part
    assert len(raw.as_bytes()) < MAX_BYTES


def test_a_mail_loads_nothing_and_runs_nothing() -> None:
    page = Page(html_of(mail_about(Kind.TURN, Kind.CHALLENGE)))
    assert not {tag for tag, _ in page.seen} & {"img", "script", "link", "style", "iframe", "form"}
    for _, attrs in page.seen:
        assert not attrs.keys() & {"src", "srcset", "background", "onclick"}
        assert "url(" not in (attrs.get("style") or "")


def test_names_are_escaped_in_html_alone() -> None:
    message = mail_about(Kind.TURN, opponent='<b>"x"&')
    assert '<b>"x"&' in message.body and '<b>"x"&' in message.subject
    assert "<b>" not in html_of(message)


def test_a_name_cannot_add_a_header() -> None:
    message = mail_about(Kind.TURN, opponent="x\r\nBcc: all@example.org")
    assert "Bcc" not in message.message()


def test_headers_keep_programs_from_answering() -> None:
    raw = mail_about(Kind.TURN).message()
    assert raw["Auto-Submitted"] == "auto-generated"
    assert raw["X-Auto-Response-Suppress"] == "All"
    assert re.fullmatch(r"<[0-9a-f]{32}@[\w.-]+>", raw["Message-ID"])
    assert re.fullmatch(r"<https?://\S+/notifications/mail/off/\S+/>", raw["List-Unsubscribe"])


def test_a_mail_says_why_it_came_and_who_runs_the_site(settings) -> None:
    settings.OPERATOR_NAME, settings.OPERATOR_EMAIL = "Ada Ltd", "ops@example.org"
    settings.OPERATOR_ADDRESS = ["1 High Street", ""]
    message = mail_about(Kind.TURN)
    digest = mail_about(Kind.TURN, name="bob", mode="digest")
    assert "your settings say an email at once" in message.body
    assert "your settings say one email a day" in digest.body
    for part in (message.body, html_of(message)):
        for line in ("Ada Ltd", "ops@example.org", "1 High Street"):
            assert line in part


def test_a_long_digest_is_cut_and_counts_the_rest() -> None:
    message = mail_about(*[Kind.TURN] * 34)
    assert "And 4 more" in message.body
    assert message.body.count("Play: ") == 30


def test_the_end_of_a_turn_is_told_in_the_users_zone() -> None:
    ada = mailed_person(time_zone="Europe/Istanbul")
    mail_post(ada, deadline=NOON + 30 * HOUR)
    sender.send_due("test", NOON)
    assert "21:00 +03" in mail.outbox[0].body


def test_an_unknown_zone_counts_as_utc() -> None:
    ada = mailed_person(time_zone="Mars/Olympus", mail="digest", digest_hour=18)
    mail_post(ada, deadline=NOON + 30 * HOUR)
    assert sender.send_due("test", NOON + 6 * HOUR - 1) == 0
    assert sender.send_due("test", NOON + 6 * HOUR) == 1
    assert "18:00 UTC" in mail.outbox[0].body
