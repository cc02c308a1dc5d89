"""URL route of the public file of ratings."""

from django.urls import path

from ratings import views

urlpatterns = [path("ratings.jsonl", views.ratings_file, name="ratings-file")]
