"""The wiring of the site, as an app: its checks and its commands."""

from django.apps import AppConfig


class WiringConfig(AppConfig):
    """Has the settings checked before anything runs."""

    name = "config"

    def ready(self) -> None:
        """Names the checks."""
        from django.core.checks import register

        from config import checks

        register(checks.settings_fit)
        register(checks.admin_path_fits)
