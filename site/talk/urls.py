"""Addresses of talk."""

from django.urls import path

from talk import views

urlpatterns = [path("talk/guest/", views.become_guest, name="talk-guest")]
