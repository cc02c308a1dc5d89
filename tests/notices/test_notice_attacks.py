"""Requests about notifications by others: foreign ids, forms of other sites, hostile names."""

import json

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver

from notices import urls
from notices.models import Kind, Notice, Preferences, PushDevice
from play.domain.clocks import now
from tests.support.mail_people import DATA, mailed_person

pytestmark = pytest.mark.django_db
SCRIPT = "<script>alert(1)</script>"
ARGUMENTS = {"<int:pk>": "1", "<str:token>": "x"}
BY_TOKEN = "notifications/mail/off/x/"  # mail programs have no page: the link is signed


def notice(user, kind: Kind = Kind.TURN, subject: str = "abc", **data) -> Notice:
    at = now() - 1_000
    about = {**DATA[kind], **data}
    return Notice.objects.create(
        user=user, kind=kind, subject=subject, data=about, created=at, due=at
    )


def paths_of(patterns, prefix: str = "") -> list[str]:
    """All paths of the app, with some arguments."""
    found = []
    for each in patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            found += paths_of(each.url_patterns, route)
        else:
            assert isinstance(each, URLPattern)
            for argument, value in ARGUMENTS.items():
                route = route.replace(argument, value)
            found.append(route)
    return found


@pytest.mark.parametrize("path", paths_of(urls.urlpatterns))
def test_no_address_takes_a_form_of_another_site(path) -> None:
    ada = mailed_person()
    row = notice(ada)
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada, "django.contrib.auth.backends.ModelBackend")
    before = Preferences.objects.values().get(user=ada)
    form = {"all": "1", "mail": "off", "subscription": "{}", "id": str(row.pk)}
    foreign = {"Origin": "https://evil.example", "Referer": "https://evil.example/"}
    answer = client.post(f"/{path}", form, headers=foreign)
    assert answer.status_code in ((404,) if path == BY_TOKEN else (403, 405)), path
    assert Preferences.objects.values().get(user=ada) == before
    assert Notice.objects.get(pk=row.pk).read is None
    assert not PushDevice.objects.exists()


def test_nobody_reads_or_marks_the_notifications_of_others() -> None:
    ada, eve = mailed_person(), mailed_person("eve")
    row = notice(ada, subject="secret-game")
    client = Client()
    client.force_login(eve, "django.contrib.auth.backends.ModelBackend")
    assert client.get("/notifications/newest.json").json() == {"rows": []}
    assert "secret-game" not in client.get("/notifications/").content.decode()
    for form in ({"id": row.pk}, {"subject": "secret-game"}, {"all": "1"}, {"user": ada.pk}):
        client.post("/notifications/read/", form)
    assert Notice.objects.get(pk=row.pk).read is None


@pytest.mark.parametrize("kind", list(Kind))
def test_a_name_is_text_wherever_it_is_told(kind) -> None:
    ada = mailed_person()
    fields = ("opponent", "name", "host", "rules")
    notice(ada, kind, **{key: SCRIPT for key in DATA[kind] if key in fields})
    client = Client()
    client.force_login(ada, "django.contrib.auth.backends.ModelBackend")
    page = client.get("/notifications/").content.decode()
    assert "<script>alert" not in page
    answer = client.get("/notifications/newest.json")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert len(json.loads(answer.content)["rows"]) == 1


@pytest.mark.parametrize("path", ["/sw.js", "/manifest.webmanifest", "/form-token/", "/offline/"])
def test_what_the_app_loads_is_for_pages_of_the_site_alone(path) -> None:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
