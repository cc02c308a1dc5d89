"""URL routes of studies."""

from django.urls import path

from studies import embedded_views, views, write_views

urlpatterns = [
    path("studies/", views.own_studies, name="studies"),
    path("studies/new", write_views.create, name="study-create"),
    path("studies/start", write_views.start, name="study-start"),
    path("studies/import", write_views.import_file, name="study-import"),
    path("studies/<slug:key>/", views.public_studies, name="studies-public"),
    path("studies/<str:study_slug>/embed/", embedded_views.embedded_study, name="study-embed"),
    path(
        "studies/<str:study_slug>/embed/line",
        embedded_views.embedded_line,
        name="study-embed-line",
    ),
    path("u/<str:name>/studies/", views.studies_of_person, name="studies-of"),
    path("study/<str:study_slug>.json", views.study_json_file, name="study-json"),
    path("study/<str:study_slug>.txt", views.study_text_file, name="study-text"),
    path("study/<str:study_slug>/", views.study, name="study"),
    path("study/<str:study_slug>/save", write_views.save, name="study-save"),
    path("study/<str:study_slug>/copy", write_views.copy, name="study-copy"),
    path("study/<str:study_slug>/delete/", write_views.delete, name="study-delete"),
]
