"""URL routes of the pages for studying."""

from django.urls import path

from study import analysis_views, lab_views, play_on_views, review_views

urlpatterns = [
    path("g/<str:slug>/lab/", lab_views.game_lab, name="game-lab"),
    path("blotto-lab/", lab_views.own_lab, name="own-lab"),
    path("g/<str:slug>/analysis/", analysis_views.game_analysis, name="game-analysis"),
    path("g/<str:slug>/analysis/review", review_views.publish_review, name="game-review"),
    path("analysis/<slug:key>/", analysis_views.analysis, name="analysis"),
    path("analysis/<slug:key>/play", play_on_views.play_on, name="analysis-play"),
    path("analysis/<slug:key>/tree", analysis_views.tree, name="analysis-tree"),
]
