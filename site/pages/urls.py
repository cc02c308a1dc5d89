"""Addresses of the general pages."""

from django.urls import path

from pages import views
from pages.profile import profile

urlpatterns = [
    path("", views.home, name="home"),
    path("watch/", views.watch, name="watch"),
    path("learn/", views.learn, name="learn"),
    path("learn/<slug:key>/", views.learn_one, name="learn-one"),
    path("u/<str:name>/", profile, name="profile"),
    path("robots.txt", views.robots, name="robots"),
]
