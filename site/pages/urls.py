"""URL routes of the general pages."""

from django.urls import include, path

from pages import account_data, link_previews, views
from pages.abandoned import abandoned
from pages.engine_worker import engine_worker
from pages.learn import views as learn
from pages.people import views as people
from pages.profile import profile

urlpatterns = [
    path("", views.home, name="home"),
    path("watch/", views.watch, name="watch"),
    path("learn/", learn.index, name="learn"),
    path("learn/<slug:key>/", learn.one, name="learn-one"),
    path("learn/<slug:key>/<int:number>/try", learn.attempt, name="learn-try"),
    path("help/abandoned/", abandoned, name="abandoned"),
    path("", include("pages.about.urls")),
    path("", include("pages.installable.urls")),
    path("engine-worker.js", engine_worker, name="engine-worker"),
    path("preview/<slug:name>.png", link_previews.page_picture, name="preview"),
    path("u/<str:name>/picture.png", link_previews.profile_picture, name="profile-picture"),
    path("u/<str:name>/", profile, name="profile"),
    path("players/", people.players, name="players"),
    path("players/following/", people.following, name="players-following"),
    path("players/blocked/", people.blocked, name="players-blocked"),
    path("players/<slug:verb>/", people.act, name="player-act"),
    path("settings/export/", account_data.export, name="account-export"),
    path("settings/delete/", account_data.delete, name="account-delete"),
    path("favicon.ico", views.icon, name="icon"),
    path("robots.txt", views.robots, name="robots"),
]
