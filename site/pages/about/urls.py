"""URL routes of the pages about the site."""

from django.urls import path

from pages.about.views import PAGES, about_page

urlpatterns = [path(f"{name}/", about_page, {"name": name}, name=name) for name in PAGES]
