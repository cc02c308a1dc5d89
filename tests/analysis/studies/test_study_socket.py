"""The topic of a study: readers hear of changes, and are cut off when they may not read it."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from accounts.models import User
from analysis.studies import study_service
from analysis.studies.models import Study
from analysis.studies.study_service import Change
from tests.support.page_visitors import Watcher, someone

pytestmark = pytest.mark.django_db


def make_study(name: str = "ada", visibility: str = "public") -> tuple[User, Study]:
    owner = someone(name)
    study = study_service.create(owner, "pincer", "Ideas", [])
    return owner, study_service.save(owner, study.slug, 1, Change(visibility=visibility))


@sync_to_async
def save(owner, study, rev, **change) -> None:
    study_service.save(owner, study.slug, rev, Change(**change))


async def test_readers_and_the_owners_other_tab_hear_of_a_save(at_work) -> None:
    owner, study = await sync_to_async(make_study)()
    topic = f"study:{study.slug}"
    async with Watcher(topic) as reader, Watcher(topic, owner) as tab:
        for page in (reader, tab):
            assert (await page.next("study"))["version"] == 2
        await save(owner, study, 2, title="Better ideas")
        for page in (reader, tab):
            frame = await page.next("study", lambda frame: frame["version"] == 3)
            assert (frame["title"], frame["state"]) == ("Better ideas", "open")


async def test_a_study_made_private_is_closed_to_readers_only(at_work) -> None:
    owner, study = await sync_to_async(make_study)()
    topic = f"study:{study.slug}"
    async with Watcher(topic) as reader, Watcher(topic, owner) as tab:
        await reader.next("study")
        await tab.next("study")
        await save(owner, study, 2, visibility="private", title="Secret")
        frame = await reader.next("study", lambda frame: frame["rev"] == "3")
        assert frame["state"] == "closed" and "Secret" not in str(frame)
        assert (frame["title"], frame["version"]) == ("", 0)
        assert await tab.next("study", lambda frame: frame["title"] == "Secret")
        await save(owner, study, 3, title="More secret")
        frame = await reader.next("study", lambda frame: frame["rev"] == "4")
        assert frame["state"] == "closed" and "secret" not in str(frame)


async def test_private_hidden_and_missing_studies_have_no_topic(at_work) -> None:
    owner, study = await sync_to_async(make_study)(visibility="private")
    stranger = await sync_to_async(someone)("bob")
    for topic, user in (
        (f"study:{study.slug}", None),
        (f"study:{study.slug}", stranger),
        ("study:nothing", owner),
    ):
        async with Watcher(topic, user) as page:
            assert (await page.next("ended"))["reason"] == "gone"
    await save(owner, study, 2 if study.rev == 2 else 1, visibility="public")
    async with Watcher(f"study:{study.slug}", stranger) as page:
        await page.next("study")
        await sync_to_async(study_service.hide)(await Study.objects.aget(pk=study.pk), True)
        assert await page.next("study", lambda frame: frame["state"] == "closed")


async def test_a_deleted_study_says_so_to_everyone(at_work) -> None:
    owner, study = await sync_to_async(make_study)()
    topic = f"study:{study.slug}"
    async with Watcher(topic) as reader, Watcher(topic, owner) as tab:
        await reader.next("study")
        await tab.next("study")
        await sync_to_async(study_service.delete)(owner, study.slug)
        for page in (reader, tab):
            assert await page.next("study", lambda frame: frame["state"] == "deleted")


@pytest.mark.django_db(transaction=True)
async def test_two_saves_at_once_are_one_save_and_one_conflict(at_work) -> None:
    owner, study = await sync_to_async(make_study)()

    def try_save(title: str) -> str:
        try:
            return study_service.save(owner, study.slug, 2, Change(title=title)).title
        except study_service.Conflict as conflict:
            return f"conflict with {conflict.study.title}"

    run = sync_to_async(try_save, thread_sensitive=False)
    found = sorted(await asyncio.gather(run("One"), run("Two")))
    assert found in (["One", "conflict with One"], ["Two", "conflict with Two"])


def test_the_page_of_a_study_names_its_topic_for_no_stranger(db) -> None:
    _, study = make_study(visibility="private")
    assert Client().get(f"/study/{study.slug}/").status_code == 404
