"""URL routes of lobbies."""

from django.urls import path

from lobby import views

urlpatterns = [
    path("new/", views.new, name="lobby-new"),
    path("play-now/", views.quick, name="play-now"),
    path("lobbies/", views.create, name="lobby-create"),
    path("l/<str:code>/", views.lobby, name="lobby"),
    path("l/<str:code>/search/", views.search, name="lobby-search"),
    path("l/<str:code>/<slug:verb>/", views.act, name="lobby-act"),
]
