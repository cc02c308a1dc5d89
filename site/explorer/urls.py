"""URL route of the opening explorer."""

from django.urls import path

from explorer import views

urlpatterns = [path("explorer/<slug:key>.json", views.explorer, name="explorer")]
