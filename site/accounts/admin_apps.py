"""The admin as an app, with this site's rules for entering it."""

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    """Django's admin with `StaffSite` as its site."""

    default_site = "accounts.admin_site.StaffSite"
