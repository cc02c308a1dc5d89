"""Send the mails that are due: bounded batches, one connection each, waits after failures.

A mail is claimed, sent, and noted as sent, in this order. A process that dies leaves its claimed
mails to the next one after `mail_queue.CLAIM_MS`. So each mail is sent at least once; only the one
that was on its way at that moment may be sent twice, with the same Message-ID.
"""

import logging
import smtplib
import time
from collections.abc import Sequence

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend

from notices.mail import mail_queue
from notices.mail.bounces import note_bounce
from notices.mail.mail_queue import QueuedMail
from notices.mail.message import build_message, message_id

MAX_MAILS = 150  # of a call
MIN_INTERVAL_S = 0.03  # between two mails: digests are due together, and play goes on meanwhile
SEND_S = 60  # longest time of one mail: some steps of `EMAIL_TIMEOUT` each
log = logging.getLogger("quiver.notices")


class _Unreachable(Exception):
    """The mail server takes nothing now; the rest of the batch waits."""


def send_due(process: str, at: int) -> int:
    """Send mails that are due at `at` (epoch ms); return how many the mail server took.

    Blocks for about `MAX_MAILS` × `MIN_INTERVAL_S`. On a site without mail the posts are withdrawn.
    """
    if not settings.SENDS_MAIL:
        mail_queue.withdraw_all()
        return 0
    mails = mail_queue.claim_due(at, MAX_MAILS)
    return _send_all(process, mails, at) if mails else 0


def _send_all(process: str, mails: Sequence[QueuedMail], at: int) -> int:
    connection = get_connection()
    begin = time.monotonic()
    sent = number = 0
    try:
        for number, mail in enumerate(mails):
            passed_s = time.monotonic() - begin
            if passed_s > mail_queue.CLAIM_MS / 1000 - SEND_S:
                break  # the claim may end before this mail is noted
            time.sleep(max(0.0, number * MIN_INTERVAL_S - passed_s))
            sent += _send_one(connection, mail, at + round(passed_s * 1000))
        else:
            number = len(mails)
    except _Unreachable as error:
        number += 1
        log.error(
            "the mail server cannot be reached: mails wait (%s); check QUIVER_MAIL_URL",
            error,
            extra={"event": "mail_unreachable", "worker": process},
        )
    finally:
        _close(connection)
    mail_queue.release(mails[number:], at)
    return sent


def _send_one(connection: BaseEmailBackend, mail: QueuedMail, at: int) -> int:
    """Send one mail and note the outcome; return 1 if the server took it, else 0.

    Raises `_Unreachable` for failures that concern the server and not this mail.
    """
    user_id = mail.to.prefs.user_id
    try:
        notices = [post.notice for post in mail.shown]
        message = build_message(mail.to, notices, at, message_id(mail.first_post), connection)
        message.message()
    except Exception:
        # One notice whose text cannot be made must not stop the mails of everybody.
        log.exception("a mail could not be built", extra={"event": "mail_broken", "user": user_id})
        mail_queue.note_given_up(mail, "it could not be built")
        return 0
    try:
        connection.open()
        connection.send_messages([message])
    except (smtplib.SMTPException, OSError) as error:
        _note_failure(connection, mail, at, error)
        return 0
    mail_queue.note_sent(mail, at)
    return 1


def _note_failure(
    connection: BaseEmailBackend, mail: QueuedMail, at: int, error: Exception
) -> None:
    """Note a refusal or failure of the mail server.

    Raises `_Unreachable` if it concerns all mails. The error's text may name the receiver: it is
    neither logged nor stored.
    """
    code, concerns_receiver = classify(error)
    text = f"{type(error).__name__} {code or ''}".strip()
    if concerns_receiver and (code is None or code >= 500):
        mail_queue.note_given_up(mail, text)
        note_bounce(mail.to.prefs.user_id, at)
        return
    mail_queue.note_failed(mail, at, text)
    if not concerns_receiver:
        _close(connection)
        raise _Unreachable(text)


def classify(error: Exception) -> tuple[int | None, bool]:
    """Return the reply code of a failure, if any, and whether it concerns this receiver alone.

    Refusals of the receiver or the text do. Those of the sender or the log-in, broken connections
    and timeouts concern all mails.
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _ in error.recipients.values()]
        return max(codes), max(codes) != 421
    if isinstance(error, smtplib.SMTPSenderRefused | smtplib.SMTPAuthenticationError):
        return error.smtp_code, False
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code, error.smtp_code != 421
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return None, True  # an address of letters that the server cannot write to
    if isinstance(error, smtplib.SMTPResponseException):
        return error.smtp_code, False
    return None, False


def _close(connection: BaseEmailBackend) -> None:
    """Close a connection that may be broken; a mail that was sent stays sent."""
    try:
        connection.close()
    except (smtplib.SMTPException, OSError) as error:
        log.info("the mail server hung up: %s", type(error).__name__)
