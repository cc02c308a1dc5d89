"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from accounts.views import staff_entrance

urlpatterns = [
    path("", include("pages.urls")),
    path("", include("accounts.urls")),
    path("", include("lobby.urls")),
    path("", include("bots.urls")),
    path("", include("play.urls")),
    path("", include("talk.urls")),
    path("language/", include("django.conf.urls.i18n")),
    path("admin/login/", staff_entrance),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
]
