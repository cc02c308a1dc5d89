"""App of the site's wiring: its checks and its commands."""

from django.apps import AppConfig


class WiringConfig(AppConfig):
    """Registers the checks of the settings."""

    name = "config"

    def ready(self) -> None:
        """Register the checks."""
        from django.core.checks import Tags, register

        from config import checks
        from server import migration_state

        register(checks.settings_fit)
        register(checks.admin_path_fits)
        register(checks.operator_is_named, deploy=True)
        register(migration_state.check_database, Tags.database)
