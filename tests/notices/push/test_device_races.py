"""Devices added by many requests at once: never more than eight, one user for one browser."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client

from accounts.account_service import suspend
from notices.models import PushDevice
from notices.push import devices
from tests.support.servers.push_server import browser_keys

pytestmark = pytest.mark.django_db
URL = "/notifications/push/"
THREADS = 8


def subscription(path: str) -> str:
    p256dh, auth, _ = browser_keys()
    endpoint = f"https://fcm.googleapis.com/fcm/send/{path}"
    return json.dumps({"endpoint": endpoint, "keys": {"p256dh": p256dh, "auth": auth}})


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def at_once(requests) -> list[int]:
    """Send requests from several threads; the statuses."""

    def send(each) -> int:
        client, text = each
        try:
            return client.post(URL, {"subscription": text}).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(send, requests))


@pytest.mark.django_db(transaction=True)
def test_requests_at_once_add_no_ninth_device(ada) -> None:
    client = signed_in(ada)
    client.get("/")
    requests = []
    for number in range(16):
        own = Client()
        own.cookies = client.cookies
        requests.append((own, subscription(f"d{number}")))
    codes = at_once(requests)
    assert (codes.count(200), codes.count(400)) == (devices.MAX_DEVICES, 8)
    assert PushDevice.objects.filter(user=ada).count() == devices.MAX_DEVICES


@pytest.mark.django_db(transaction=True)
def test_one_browser_of_two_users_at_once_belongs_to_one_of_them(ada, bob) -> None:
    text = subscription("same")
    requests = [(signed_in(user), text) for user in (ada, bob) * 6]
    codes = at_once(requests)
    assert set(codes) == {200}
    found = PushDevice.objects.get()
    assert found.user_id in (ada.pk, bob.pk)


def test_a_suspended_user_adds_nothing(ada) -> None:
    client = signed_in(ada)
    suspend(ada.pk)
    answer = client.post(URL, {"subscription": subscription("late")})
    assert answer.status_code != 200
    assert not PushDevice.objects.exists()
