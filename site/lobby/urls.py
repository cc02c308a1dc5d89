"""URL routes of lobbies, standing offers and searches for an opponent."""

from django.urls import path

from lobby.lobbies import new_game_views
from lobby.lobbies import views as lobbies
from lobby.offers import views as offers
from lobby.pairing import views as pairing

urlpatterns = [
    path("play/online/", pairing.online, name="play-online"),
    path("play/online/stop/", pairing.stop, name="play-online-stop"),
    path("play/online/computer/", pairing.play_computer_meanwhile, name="play-online-computer"),
    path("play/online/casual/", pairing.accept_casual, name="play-online-casual"),
    path("play-now/", pairing.play_now, name="play-now"),
    path("new/", new_game_views.new, name="lobby-new"),
    path("play/friend/", new_game_views.friend, name="play-friend"),
    path("u/<str:name>/challenge/", new_game_views.challenge, name="challenge"),
    path("lobbies/", new_game_views.create, name="lobby-create"),
    path("open-games/", offers.open_games, name="open-games"),
    path("open-games/<int:pk>/", offers.change, name="open-game-change"),
    path("open-games/<int:pk>/remove/", offers.remove, name="open-game-remove"),
    path("l/<str:code>/", lobbies.lobby, name="lobby"),
    path("l/<str:code>/search/", pairing.search_again, name="lobby-search"),
    path("l/<str:code>/<slug:verb>/", lobbies.act, name="lobby-act"),
]
