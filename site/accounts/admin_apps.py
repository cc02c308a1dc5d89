"""App of Django's admin, with this site's admin site."""

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    """Django's admin with `StaffSite` as its site."""

    default_site = "accounts.login.staff_access.StaffSite"
