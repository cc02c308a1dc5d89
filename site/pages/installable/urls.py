"""URL routes of the installable app."""

from django.urls import path

from pages.installable import views

urlpatterns = [
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("sw.js", views.service_worker, name="service-worker"),
    path("offline/", views.offline, name="offline"),
    path("form-token/", views.form_token, name="form-token"),
]
