"""URL routes of chat."""

from django.urls import path

from chat import views

urlpatterns = [path("chat/guest/", views.become_guest, name="chat-guest")]
