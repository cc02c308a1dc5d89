"""Adapter of allauth's second factor: encryption at rest, names and messages."""

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import InvalidToken
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.qr_codes import qr_svg
from accounts.two_factor.encryption import make_cipher

PURPOSE = b"quiver: second factor"  # separates this key from other uses of Django's secret key


class TwoFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Encrypts the stored secrets; has error texts and QR codes of this site."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("That code is wrong or already used. Try another one."),
    }

    def encrypt(self, text: str) -> str:
        """Return a secret encrypted with a key derived from SECRET_KEY, so that a copy of the
        database alone yields no codes."""
        return make_cipher(PURPOSE).encrypt(text.encode()).decode("ascii")

    def decrypt(self, encrypted_text: str) -> str:
        """Return a stored secret. Raises ImproperlyConfigured if it was stored under another
        SECRET_KEY."""
        try:
            return make_cipher(PURPOSE).decrypt(encrypted_text).decode()
        except InvalidToken:
            raise ImproperlyConfigured(
                "A second factor cannot be decrypted: the site's secret key has changed since it "
                "was set up. Use the old QUIVER_SECRET, or run `manage.py resetmfa NAME`."
            ) from None

    def get_totp_label(self, user: User) -> str:
        """Return the name that the authenticator app shows; never the email address."""
        return user.get_username()

    def get_totp_issuer(self) -> str:
        """Return the site's name; allauth would take it from the request's Host header."""
        return "Quiver"

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as inline SVG: the content security policy allows no `data:`
        image."""
        return qr_svg(url)
