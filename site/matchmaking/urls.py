"""URL routes of searches for an opponent."""

from django.urls import path

from matchmaking import views

urlpatterns = [
    path("play/online/", views.online, name="play-online"),
    path("play/online/stop/", views.stop, name="play-online-stop"),
    path("play/online/computer/", views.play_computer_meanwhile, name="play-online-computer"),
    path("play/online/casual/", views.accept_casual, name="play-online-casual"),
    path("play-now/", views.play_now, name="play-now"),
    path("l/<str:code>/search/", views.search_again, name="lobby-search"),
]
