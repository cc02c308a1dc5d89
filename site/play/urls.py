"""URL routes of games."""

from django.urls import path

from play import views

urlpatterns = [
    path("g/<str:slug>/", views.game, name="game"),
    path("g/<str:slug>/steps", views.steps, name="game-steps"),
    path("g/<str:slug>/standing", views.standing, name="game-standing"),
    path("g/<str:slug>/record.json", views.record, name="game-record"),
    path("g/<str:slug>/ledger/", views.ledger, name="game-ledger"),
    path("g/<str:slug>/ledger.json", views.ledger_json, name="game-ledger-json"),
]
