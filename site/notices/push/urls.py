"""Addresses of push devices."""

from django.urls import path

from notices.push import views

urlpatterns = [
    path("notifications/push/", views.add_device, name="push-add"),
    path("notifications/push/<int:pk>/remove/", views.remove_device, name="push-remove"),
    path("notifications/push/<int:pk>/test/", views.test_device, name="push-test"),
]
