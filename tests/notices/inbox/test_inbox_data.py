"""Export and deletion of notices, preferences and devices."""

import json

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from accounts.account_service import delete_user
from accounts.models import User
from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from lobby.models import Lobby
from notices.derive import polls
from notices.inbox.inbox import newest_of
from notices.models import Inbox, Kind, Notice, Post, Preferences, PushDevice
from notices.records import Batch, Draft, write
from pages.deletion_tasks import finish_deletions
from play.domain.clocks import DAY_MS, now
from play.models import Holiday
from play.time_controls import NO_CLOCK
from tests.support.loop_runtime import runtime
from tests.support.notice_games import record_notice
from tests.support.page_visitors import game_of, has_word, someone
from tests.support.sign_up_forms import PASSWORD, account

pytestmark = pytest.mark.django_db
SECRETS = {"endpoint": "https://push.example/secret-endpoint", "p256dh": "secret-key",
           "auth": "secret-auth"}  # fmt: skip


def turn(user: User, subject: str, opponent: str, kind: Kind = Kind.TURN, **more: object) -> None:
    data = {"rules": "pincer", "opponent": opponent, "deadline": None, "is_first": False, **more}
    assert record_notice(user.pk, kind, subject, data=data)


def with_everything(user: User) -> None:
    turn(user, "a", "bob")
    Preferences.objects.create(user=user, time_zone="Asia/Kathmandu")
    device = PushDevice.objects.create(
        user=user, endpoint_digest="d" * 64, name="Chrome on Android", language="en", **SECRETS
    )
    Post.objects.create(
        notice=Notice.objects.get(user=user), channel="push", device=device, due=1, expires=2
    )
    Holiday.objects.create(user=user, start=1, until=1 + DAY_MS)


def test_the_copy_holds_what_was_told_and_no_key_of_a_device() -> None:
    ada, browser = account("ada"), Client()
    browser.force_login(ada)
    with_everything(ada)
    turn(someone("bob"), "b", "carol-of-another")
    body = browser.post("/settings/export/", {"password": PASSWORD}).content.decode()
    whole = json.loads(body)
    copy = whole["notifications"]
    assert [notice["data"]["opponent"] for notice in copy["notices"]] == ["bob"]
    assert copy["preferences"]["time_zone"] == "Asia/Kathmandu"
    assert [device["name"] for device in copy["devices"]] == ["Chrome on Android"]
    assert whole["holidays"] == [{"start": 1, "until": 1 + DAY_MS}]
    for secret in (*SECRETS.values(), "carol-of-another", "d" * 64):
        assert secret not in body


def test_the_copy_of_somebody_who_was_told_nothing_is_empty() -> None:
    ada, browser = account("ada"), Client()
    browser.force_login(ada)
    copy = browser.post("/settings/export/", {"password": PASSWORD}).json()["notifications"]
    assert copy == {"notices": [], "preferences": None, "devices": []}


async def test_deletion_leaves_nothing_that_tells_the_user(at_work) -> None:
    def begin() -> User:
        ada = account("ada")
        with_everything(ada)
        turn(someone("bob"), "b", "cy")
        delete_user(ada.pk)
        return ada

    ada = await sync_to_async(begin)()
    await finish_deletions(runtime())

    def left() -> list[int]:
        models = (Notice, Preferences, PushDevice, Inbox, Holiday)
        return [model.objects.filter(user=ada.pk).count() for model in models]

    assert await sync_to_async(left)() == [0, 0, 0, 0, 0]
    assert await sync_to_async(Post.objects.count)() == 0
    assert await sync_to_async(Notice.objects.count)() >= 1  # bob's


async def test_notices_of_others_no_longer_name_a_deleted_user(at_work) -> None:
    def begin() -> tuple[User, User]:
        ada, bob, cy = account("ada"), someone("bob"), someone("cy")
        one, other = game_of(ada, bob), game_of(bob, cy)
        turn(bob, one.slug, "ada")
        turn(bob, other.slug, "cy")
        turn(cy, one.slug, "bob", Kind.PLAYS, name="ada")
        delete_user(ada.pk)
        return bob, cy

    bob, cy = await sync_to_async(begin)()
    await finish_deletions(runtime())

    def titles(user: User) -> set[str]:
        shown = newest_of(user.pk, now(), 20)
        return {part for notice in shown for part in (notice.text.title, notice.text.body)}

    told = await sync_to_async(titles)(bob)
    assert {"Your turn against a deleted user", "Your turn against cy"} <= told
    told = await sync_to_async(titles)(cy)
    assert {"A deleted user is playing now", "Pincer against bob"} <= told
    data = await sync_to_async(lambda: list(Notice.objects.values_list("data", flat=True)))()
    assert not has_word(json.dumps(data), "ada")


async def test_a_deleted_user_is_forgotten_where_the_lobby_is_gone_too(at_work) -> None:
    def begin() -> None:
        ada, bob = account("ada"), someone("bob")
        options = Options("pincer", NO_CLOCK, "white", public=False)
        code = lobby_service.create(ada, options).code
        Lobby.objects.filter(code=code).update(invited=bob)
        batch = polls.poll_challenges(now())
        Lobby.objects.all().delete()
        joined = {"rules": "pincer", "name": "ada", "game": ""}
        draft = Draft(bob.pk, Kind.JOINED, "gone", ada.pk, joined, now(), now())
        write(Batch([*batch.drafts, draft]), now())
        delete_user(ada.pk)

    await sync_to_async(begin)()
    await finish_deletions(runtime())
    data = await sync_to_async(lambda: list(Notice.objects.values_list("data", flat=True)))()
    assert len(data) == 2
    assert not has_word(json.dumps(data), "ada")
