"""URL routes of the pages for studying games."""

from django.urls import path

from analysis.board import play_on_views
from analysis.board import views as board
from analysis.explorer import views as explorer
from analysis.lab import views as lab
from analysis.reviews import views as reviews
from analysis.studies import embedded_views, write_views
from analysis.studies import views as studies

urlpatterns = [
    path("g/<str:slug>/lab/", lab.game_lab, name="game-lab"),
    path("blotto-lab/", lab.own_lab, name="own-lab"),
    path("g/<str:slug>/analysis/", board.game_analysis, name="game-analysis"),
    path("g/<str:slug>/analysis/review", reviews.publish_review, name="game-review"),
    path("analysis/<slug:key>/", board.analysis, name="analysis"),
    path("analysis/<slug:key>/play", play_on_views.play_on, name="analysis-play"),
    path("analysis/<slug:key>/tree", board.tree, name="analysis-tree"),
    path("explorer/<slug:key>.json", explorer.explorer, name="explorer"),
    path("studies/", studies.own_studies, name="studies"),
    path("studies/new", write_views.create, name="study-create"),
    path("studies/start", write_views.start, name="study-start"),
    path("studies/import", write_views.import_file, name="study-import"),
    path("studies/<slug:key>/", studies.public_studies, name="studies-public"),
    path("studies/<str:study_slug>/embed/", embedded_views.embedded_study, name="study-embed"),
    path(
        "studies/<str:study_slug>/embed/line",
        embedded_views.embedded_line,
        name="study-embed-line",
    ),
    path("u/<str:name>/studies/", studies.studies_of_person, name="studies-of"),
    path("study/<str:study_slug>.json", studies.study_json_file, name="study-json"),
    path("study/<str:study_slug>.txt", studies.study_text_file, name="study-text"),
    path("study/<str:study_slug>/", studies.study, name="study"),
    path("study/<str:study_slug>/save", write_views.save, name="study-save"),
    path("study/<str:study_slug>/copy", write_views.copy, name="study-copy"),
    path("study/<str:study_slug>/delete/", write_views.delete, name="study-delete"),
]
