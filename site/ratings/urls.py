"""URL routes of the public file of ratings, of one game's ratings, and of a reader's own."""

from django.urls import path

from ratings import views

urlpatterns = [
    path("ratings.jsonl", views.ratings_file, name="ratings-file"),
    path("ratings/own.json", views.own_ratings, name="own-ratings"),
    path("g/<str:slug>/rating.json", views.game_rating, name="game-rating"),
]
