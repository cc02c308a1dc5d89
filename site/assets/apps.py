"""App of Django's static files, with patterns of files that are not collected."""

from django.contrib.staticfiles.apps import StaticFilesConfig


class AssetsConfig(StaticFilesConfig):
    """Ignores files that no browser requests, in `manage.py collectstatic` as well."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "node_modules",
        "*.json",
        "README.md",
        "*.ts",
        # Files that Django's admin loads only with DEBUG.
        "jquery.js",
        "select2.full.js",
        "xregexp.js",
    ]
