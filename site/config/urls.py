"""Every address of the site."""

from django.urls import include, path

urlpatterns = [
    path("", include("pages.urls")),
    path("", include("accounts.urls")),
    path("", include("lobby.urls")),
    path("", include("play.urls")),
]
