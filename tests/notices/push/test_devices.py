"""Push devices: adding, limits, names, and their end with the session."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.account_service import delete_user, suspend
from accounts.login.revocations import log_out_everybody, log_out_user
from accounts.models import Session
from notices.models import Kind, Notice, Post, PushDevice
from notices.push import devices, keys, vapid
from notices.push.browser_names import clean_name, name_of_browser
from tests.support.servers.push_server import browser_keys

URL = "/notifications/push/"
ANDROID = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


def subscription(path: str = "one", **changes) -> str:
    """The push subscription of a browser as JSON."""
    p256dh, auth, _ = browser_keys()
    own = {"p256dh": p256dh, "auth": auth, **changes.pop("keys", {})}
    endpoint = f"https://fcm.googleapis.com/fcm/send/{path}"
    return json.dumps({"endpoint": endpoint, "expirationTime": None, "keys": own, **changes})


@pytest.fixture
def client_of(db):
    def make(user) -> Client:
        client = Client(headers={"user-agent": ANDROID})
        client.force_login(user, "django.contrib.auth.backends.ModelBackend")
        return client

    return make


def add(client: Client, path: str = "one", **form) -> dict:
    answer = client.post(URL, {"subscription": subscription(path), **form})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_browser_is_added_with_a_name_from_its_user_agent(ada, client_of) -> None:
    found = PushDevice.objects.get(pk=add(client_of(ada))["id"])
    assert (found.user_id, found.name, found.language) == (ada.pk, "Chrome on Android", "en")
    assert Session.objects.get(pk=found.session).user == ada.pk


def test_a_page_may_name_its_device(ada, client_of) -> None:
    found = PushDevice.objects.get(pk=add(client_of(ada), name="  My\nphone \x00")["id"])
    assert found.name == "My phone"


def test_the_same_browser_again_is_the_same_device(ada, client_of) -> None:
    client = client_of(ada)
    assert add(client) == add(client)
    assert PushDevice.objects.count() == 1


def test_strangers_have_no_devices(db) -> None:
    answer = Client().post(URL, {"subscription": subscription()})
    assert answer.status_code == 403
    assert answer.json()["refused"]["say"]


def test_guests_may_subscribe(ada, client_of) -> None:
    ada.is_guest = True
    ada.save()
    assert add(client_of(ada))["id"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{",
        "x" * 5_000,
        json.dumps({"endpoint": "https://fcm.googleapis.com/x"}),
        subscription(keys={"p256dh": ""}),
        subscription(keys={"p256dh": keys.encode_base64url(b"\x04" + b"\x01" * 64)}),
        subscription(keys={"p256dh": keys.encode_base64url(b"\x02" + b"\x01" * 32)}),
        subscription(keys={"auth": keys.encode_base64url(b"a" * 15)}),
        subscription(keys={"auth": "é" * 22}),
        subscription(keys={"auth": 7}),
        '{"more":' + "[" * 3_900,
        subscription(keys={"auth": keys.encode_base64url(b"a" * 16) + "=" * 90}),
        subscription(endpoint="https://evil.example%2f.notify.windows.com/x"),
        subscription(endpoint=f"https://{'x' * 64}.notify.windows.com/x"),
        subscription(endpoint="http://fcm.googleapis.com/x"),
        subscription(endpoint="https://127.0.0.1/x"),
        subscription(endpoint="https://[::1]/x"),
        subscription(endpoint="https://localhost/x"),
        subscription(endpoint="https://evil.example.org/x"),
        subscription(endpoint="https://a:b@fcm.googleapis.com/x"),
        subscription(endpoint="https://fcm.googleapis.com/" + "x" * 1_000),
    ],
)
def test_a_malformed_subscription_is_refused_and_nothing_stored(ada, client_of, text) -> None:
    answer = client_of(ada).post(URL, {"subscription": text})
    assert answer.status_code == 400
    assert answer.json()["refused"]["say"]
    assert not PushDevice.objects.exists()


def test_a_ninth_device_is_refused(ada, client_of) -> None:
    client = client_of(ada)
    for number in range(8):
        add(client, f"d{number}")
    answer = client.post(URL, {"subscription": subscription("d8")})
    assert answer.status_code == 400
    assert "8 devices" in answer.json()["refused"]["say"]
    assert PushDevice.objects.count() == 8
    add(client, "d3")  # one of the eight may be renewed


def test_devices_of_lost_sessions_do_not_count(ada, client_of) -> None:
    client = client_of(ada)
    for number in range(8):
        add(client, f"d{number}")
    PushDevice.objects.exclude(endpoint__endswith="d0").update(session="0" * 64)
    add(client, "d8")
    assert PushDevice.objects.count() == 2


def test_a_subscription_of_another_user_moves_without_the_posts_of_the_first(
    ada, bob, client_of
) -> None:
    first = add(client_of(ada))["id"]
    notice = Notice.objects.create(user=ada, kind=Kind.ENDED, subject="abc")
    Post.objects.create(notice=notice, channel="push", device_id=first, due=0, expires=1)
    second = add(client_of(bob))["id"]
    found = PushDevice.objects.get()
    assert (found.pk, found.user_id) == (second, bob.pk)
    assert not Post.objects.exists()


def test_a_device_of_somebody_else_can_be_neither_removed_nor_tested(ada, bob, client_of) -> None:
    key, other = add(client_of(ada))["id"], client_of(bob)
    assert other.post(f"{URL}{key}/remove/").status_code == 404
    assert other.post(f"{URL}{key}/test/").status_code == 404
    assert PushDevice.objects.get().test_asked is None


def test_a_device_is_tested_and_removed(ada, client_of) -> None:
    client = client_of(ada)
    key = add(client)["id"]
    assert client.post(f"{URL}{key}/test/").json() == {"id": key}
    assert PushDevice.objects.get().test_asked
    assert client.post(f"{URL}{key}/remove/").json() == {"id": key}
    assert not PushDevice.objects.exists()


def test_a_flood_of_requests_is_refused(ada, client_of) -> None:
    client = client_of(ada)
    codes = [client.post(f"{URL}7/test/").status_code for _ in range(41)]
    assert codes[-1] == 429
    assert 429 not in codes[:40]


def test_reading_the_address_changes_nothing(ada, client_of) -> None:
    assert client_of(ada).get(URL).url == "/notifications/"


def test_the_addresses_take_a_csrf_token(ada) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada, "django.contrib.auth.backends.ModelBackend")
    assert client.post(URL, {"subscription": subscription()}).status_code == 403
    assert not PushDevice.objects.exists()


def test_logging_out_drops_the_device_of_that_session_alone(ada, client_of) -> None:
    here, there = client_of(ada), client_of(ada)
    add(here, "here")
    kept = add(there, "there")["id"]
    here.post("/log-out/")
    assert [device.pk for device in PushDevice.objects.all()] == [kept]


@pytest.mark.parametrize(
    "end",
    [
        lambda user: log_out_user(user.pk),
        lambda user: suspend(user.pk),
        lambda user: delete_user(user.pk),
    ],
)
def test_the_end_of_all_sessions_drops_all_devices(ada, client_of, end) -> None:
    add(client_of(ada), "one")
    add(client_of(ada), "two")
    end(ada)
    assert not PushDevice.objects.exists()


def test_a_session_that_moves_takes_its_device_along(ada, client_of) -> None:
    add(client_of(ada))
    old = PushDevice.objects.get().session
    devices.DeviceObserver().session_moved(old, "f" * 64)
    assert PushDevice.objects.get().session == "f" * 64


def test_a_device_whose_session_was_ended_elsewhere_is_left_out_and_cleaned_up(
    ada, client_of
) -> None:
    add(client_of(ada))
    log_out_everybody()
    assert PushDevice.objects.exists()
    assert not devices.with_session(PushDevice.objects.all()).exists()
    devices.drop_orphans()
    assert not PushDevice.objects.exists()


def test_a_session_that_has_run_out_counts_as_ended(ada, client_of) -> None:
    add(client_of(ada))
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert not devices.with_session(PushDevice.objects.all()).exists()


def test_the_copy_of_the_data_has_no_secret_of_a_device(ada, client_of) -> None:
    add(client_of(ada), "secret-path")
    [found] = devices.export_devices(ada.pk)
    assert found["service"] == "fcm.googleapis.com"
    assert "secret-path" not in json.dumps(found)


@pytest.mark.parametrize(
    "agent, name",
    [
        (ANDROID, "Chrome on Android"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", None),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) Version/17.0 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X) Version/17.0 Safari/605.1", "Safari on Mac"),
        ("", "A browser"),
        ("curl/8", "A browser"),
    ],
)
def test_browsers_have_names(agent, name) -> None:
    assert name_of_browser(agent) == (name or "Firefox on Linux")


def test_a_name_is_cut_and_cleaned() -> None:
    assert clean_name("a" * 999) == "a" * 60
    assert clean_name("\u202ea\tb") == "a b"


def test_without_the_extra_push_is_off_and_pages_say_so(ada, client_of, monkeypatch) -> None:
    monkeypatch.setattr(vapid, "HAS_LIBRARY", False)
    vapid.forget_public_key()
    assert vapid.public_key() == ""
    answer = client_of(ada).post(URL, {"subscription": subscription()})
    assert (answer.status_code, PushDevice.objects.count()) == (400, 0)
