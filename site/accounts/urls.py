"""Addresses of the people part."""

from django.urls import path

from accounts import views

urlpatterns = [path("log-out/", views.log_out, name="log-out")]
