"""Addresses of the general pages."""

from django.urls import path

from pages import views

urlpatterns = [
    path("", views.home, name="home"),
    path("watch/", views.watch, name="watch"),
    path("learn/", views.learn, name="learn"),
    path("learn/<slug:key>/", views.learn_one, name="learn-one"),
    path("robots.txt", views.robots, name="robots"),
]
