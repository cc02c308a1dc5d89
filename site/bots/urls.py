"""Routes of the pages for playing the computer."""

from django.urls import path

from bots import views

urlpatterns = [
    path("computer/", views.computer, name="computer"),
    path("computer/state/", views.state, name="computer-state"),
    path("g/<str:slug>/thoughts/", views.thoughts, name="thoughts"),
]
