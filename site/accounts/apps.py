"""People: guests now, accounts with a password later."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Holds the user model."""

    name = "accounts"
