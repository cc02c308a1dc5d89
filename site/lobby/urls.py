"""URL routes of lobbies."""

from django.urls import path

from lobby import new_game_views, views
from lobby.standing import views as standing

urlpatterns = [
    path("new/", new_game_views.new, name="lobby-new"),
    path("play/friend/", new_game_views.friend, name="play-friend"),
    path("u/<str:name>/challenge/", new_game_views.challenge, name="challenge"),
    path("lobbies/", new_game_views.create, name="lobby-create"),
    path("open-games/", standing.open_games, name="open-games"),
    path("open-games/<int:pk>/", standing.change, name="open-game-change"),
    path("open-games/<int:pk>/remove/", standing.remove, name="open-game-remove"),
    path("l/<str:code>/", views.lobby, name="lobby"),
    path("l/<str:code>/<slug:verb>/", views.act, name="lobby-act"),
]
