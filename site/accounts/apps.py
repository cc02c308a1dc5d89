"""People: guests, accounts, computer players."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Holds the user model."""

    name = "accounts"
