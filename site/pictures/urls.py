"""URL routes of the pictures of games."""

from django.urls import path

from pictures.views import picture, qr_code

urlpatterns = [
    path("g/<str:slug>/picture.png", picture, name="game-picture"),
    path("g/<str:slug>/qr.svg", qr_code, name="game-qr"),
]
