"""URL routes of the general pages."""

from django.urls import path

from pages import account_data, views
from pages.learn import views as learn
from pages.profile import profile

urlpatterns = [
    path("", views.home, name="home"),
    path("watch/", views.watch, name="watch"),
    path("learn/", learn.index, name="learn"),
    path("learn/<slug:key>/", learn.one, name="learn-one"),
    path("learn/<slug:key>/<int:number>/try", learn.attempt, name="learn-try"),
    path("u/<str:name>/", profile, name="profile"),
    path("settings/export/", account_data.export, name="account-export"),
    path("settings/delete/", account_data.delete, name="account-delete"),
    path("favicon.ico", views.icon, name="icon"),
    path("robots.txt", views.robots, name="robots"),
]
