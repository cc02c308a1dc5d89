"""URL routes of ratings: leaderboards, the ladder, histories, statistics, the public file."""

from django.urls import path, re_path

from ratings import views
from ratings.fair_play.views import rated_play
from ratings.history.views import rating_history
from ratings.ladder.views import ladder
from ratings.leaderboards import views as leaderboards
from ratings.statistics.views import statistics

urlpatterns = [
    path("ratings.jsonl", views.ratings_file, name="ratings-file"),
    path("ratings/own.json", views.own_ratings, name="own-ratings"),
    path("ratings/", leaderboards.overview, name="leaderboards"),
    path("ratings/combined/", leaderboards.combined, name="leaderboard-combined"),
    path("ratings/<slug:rules>/<slug:speed>/", leaderboards.leaderboard, name="leaderboard"),
    path("g/<str:slug>/rating.json", views.game_rating, name="game-rating"),
    path("ladder/", ladder, name="ladder"),
    re_path(
        r"^u/(?P<name>[^/]+)/ratings/(?P<rules>[a-z0-9-]+)/(?P<speed>live|days)/$",
        rating_history,
        name="rating-history",
    ),
    path("u/<str:name>/statistics/", statistics, name="statistics-of"),
    re_path(
        r"^u/(?P<name>[^/]+)/statistics/(?P<rules>[a-z0-9-]+)/(?P<speed>live|days)/$",
        statistics,
        name="statistics",
    ),
    path("settings/rated-play/", rated_play, name="rated-play"),
]
