"""Routes of the pages for playing the computer."""

from django.urls import path

from bots import placement_views, views

urlpatterns = [
    path("computer/", views.computer, name="computer"),
    path("computer/state/", views.state, name="computer-state"),
    path(
        "ratings/<slug:rules>/<slug:speed>/placement/",
        placement_views.placement,
        name="placement",
    ),
    path("g/<str:slug>/thoughts/", views.thoughts, name="thoughts"),
]
