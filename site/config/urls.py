"""URL configuration of the site."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from accounts.views import staff_entrance
from config.languages import choose_language

handler500 = "config.server_errors.handle_server_error"

# Django tries them in this order, some 130 patterns; pages of games are requested most.
SITE_ROUTES: list[URLPattern | URLResolver] = [
    path("", include("play.urls")),
    path("", include("pages.urls")),
    path("", include("puzzles.urls")),
    path("", include("analysis.urls")),
    path("", include("notices.urls")),
    path("", include("accounts.urls")),
    path("", include("lobby.urls")),
    path("", include("bots.urls")),
    path("", include("ratings.urls")),
    path("", include("pictures.urls")),
    path("", include("chat.urls")),
    path("language/setlang/", choose_language, name="set_language"),
]

ADMIN_ROUTES: list[URLPattern | URLResolver] = []
if settings.ADMIN_PATH:
    ADMIN = settings.ADMIN_PATH.removeprefix("/")
    change_password = RedirectView.as_view(pattern_name="account_change_password")
    ADMIN_ROUTES = [
        path(f"{ADMIN}login/", staff_entrance),
        path(f"{ADMIN}password_change/", change_password),
        path(ADMIN, admin.site.urls),
    ]
urlpatterns = [*SITE_ROUTES, *ADMIN_ROUTES]
