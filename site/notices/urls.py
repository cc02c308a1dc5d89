"""Addresses of notices."""

from django.urls import URLPattern, URLResolver, include, path

from notices.inbox import views as inbox
from notices.mail import views as mail_views
from notices.preferences import views as preferences

urlpatterns: list[URLPattern | URLResolver] = [
    path("notifications/", inbox.notifications, name="notifications"),
    path("notifications/newest.json", inbox.newest, name="notifications-newest"),
    path("notifications/read/", inbox.mark_read, name="notifications-read"),
    path(
        "settings/notifications/", preferences.notification_settings, name="notification-settings"
    ),
    path("notifications/mail/open/<str:token>/", mail_views.open_link, name="mail-open"),
    path(
        "notifications/mail/off/<str:token>/", mail_views.unsubscribe_link, name="mail-unsubscribe"
    ),
    path("notifications/mail/resume/", mail_views.resume, name="mail-resume"),
    path("", include("notices.push.urls")),
]
