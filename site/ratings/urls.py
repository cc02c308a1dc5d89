"""URL routes of the public file of ratings and of one game's ratings."""

from django.urls import path

from ratings import views

urlpatterns = [
    path("ratings.jsonl", views.ratings_file, name="ratings-file"),
    path("g/<str:slug>/rating.json", views.game_rating, name="game-rating"),
]
