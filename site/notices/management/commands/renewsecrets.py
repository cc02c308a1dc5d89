"""`manage.py renewsecrets`: re-sign and re-encrypt data made under QUIVER_SECRET_FALLBACKS.

Sessions are renewed in place and keep their keys. Django gives a session of a former secret another
key at its first request, and a second tab that asks at the same moment would be logged out.
"""

from typing import Any

from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from accounts.login.sessions import SessionStore
from accounts.models import Session, User
from accounts.two_factor.adapter import PURPOSE as SECOND_FACTOR
from accounts.two_factor.encryption import make_cipher
from notices.models import VapidKey
from notices.push.vapid import PURPOSE as PUSH

ENCRYPTED_FIELDS = ("secret", "seed")  # of an authenticator's data: of an app, of recovery codes


class Command(BaseCommand):
    """Renews sessions, secrets of second factors and the key of push notifications.

    It may run while the site serves, and run again.
    """

    help = "Signs and encrypts with QUIVER_SECRET what was made under QUIVER_SECRET_FALLBACKS."

    def handle(self, *args: Any, **options: Any) -> None:
        sessions = renew_sessions()
        try:
            factors, keys = renew_second_factors(), renew_push_key()
        except InvalidToken:
            raise CommandError(
                "A secret in the database was encrypted under a secret key that is neither "
                "QUIVER_SECRET nor one of QUIVER_SECRET_FALLBACKS. Nothing of its kind was changed."
            ) from None
        counts = f"{sessions} sessions, {factors} second factors, {keys} push keys"
        self.stdout.write(f"Signed and encrypted with QUIVER_SECRET: {counts}.")


def renew_sessions() -> int:
    """Sign all readable sessions with the secret key; return how many.

    One that a request has changed meanwhile stays as that request has signed it.
    """
    store, count = SessionStore(), 0
    rows = Session.objects.filter(expire_date__gt=timezone.now())
    for digest in list(rows.values_list("pk", flat=True)):
        signed = rows.filter(pk=digest).values_list("session_data", flat=True).first()
        data = store.decode(signed) if signed else {}
        if not data:
            continue
        if SESSION_KEY in data:
            renew_auth_hash(data)
        renewed = {"session_data": store.encode(data)}
        count += Session.objects.filter(pk=digest, session_data=signed).update(**renewed)
    return count


def renew_auth_hash(data: dict[str, Any]) -> None:
    """Replace the user's hash in a session's data if it was made under a fallback."""
    user = User.objects.filter(pk=data[SESSION_KEY]).first()
    fallbacks = list(user.get_session_auth_fallback_hash()) if user else []
    if user and data.get(HASH_SESSION_KEY) in fallbacks:
        data[HASH_SESSION_KEY] = user.get_session_auth_hash()


def renew_second_factors() -> int:
    """Encrypt the secrets of all second factors with the secret key; return how many users' parts.

    Raises InvalidToken, and changes nothing, if one cannot be decrypted.
    """
    cipher, count = make_cipher(SECOND_FACTOR), 0
    with transaction.atomic():
        for each in Authenticator.objects.select_for_update():
            encrypted = {key: each.data[key] for key in ENCRYPTED_FIELDS if key in each.data}
            if encrypted:
                renewed = {key: cipher.rotate(text).decode() for key, text in encrypted.items()}
                each.data = {**each.data, **renewed}
                each.save(update_fields=["data"])
                count += 1
    return count


def renew_push_key() -> int:
    """Encrypt the key of push notifications with the secret key; return 1 if there is one, else 0.

    Raises InvalidToken if it cannot be decrypted.
    """
    cipher = make_cipher(PUSH)
    with transaction.atomic():
        for row in VapidKey.objects.select_for_update():
            row.private = cipher.rotate(row.private).decode("ascii")
            row.save(update_fields=["private"])
            return 1
    return 0
