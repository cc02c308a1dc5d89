"""The queue of pushes: planning, claims, ends of tries, several processes, steps of the clock."""

import json

import pytest

from accounts.account_service import suspend
from accounts.models import Session
from notices.delivery import payload, planning, policy, push_queue
from notices.mail.schedule import MAIL_DELAY_MS
from notices.models import Kind, Notice, Post, Preferences, PushDevice
from play.domain.clocks import HOUR_MS, now
from play.models import Game, Seat
from tests.support.page_visitors import game_of


def notice(user, subject: str = "abc", kind: str = Kind.CHALLENGE, **columns) -> Notice:
    at = columns.pop("at", now() - 60_000)
    data = {
        Kind.CHALLENGE: {"rules": "pincer", "host": "bob"},
        Kind.TURN: {"rules": "pincer", "opponent": "bob", "deadline": None, "is_first": False},
        Kind.LAST: {"rules": "pincer", "opponent": "bob", "deadline": at, "is_first": False},
    }[Kind(kind)]
    columns = {"due": at, "created": at, "data": data, **columns}
    return Notice.objects.create(user=user, kind=kind, subject=subject, **columns)


def posted(at: int | None = None) -> list[push_queue.PushRequest]:
    """Plan and claim what is due."""
    at = now() if at is None else at
    planning.plan(at, True)
    return push_queue.claim(at, 100)


def answered(requests, status: int, at: int | None = None, **more) -> None:
    """Store the same answer for all."""
    push_queue.store(
        [push_queue.Outcome(request, status, **more) for request in requests],
        at or now(),
        chance=0.5,
    )


def state() -> tuple[str, str]:
    post = Post.objects.get()
    return post.state, post.error


def test_a_notice_becomes_a_push_for_each_device_20_seconds_later(ada, device_of) -> None:
    device_of(ada, "one")
    device_of(ada, "two")
    row = notice(ada, at=now())
    assert posted() == []
    assert set(Post.objects.values_list("due", flat=True)) == {row.due + 20_000}
    requests = posted(row.due + 20_000)
    assert len(requests) == 2
    assert requests[0].topic == policy.tag_of(Kind.CHALLENGE, "abc")


def test_planning_twice_makes_no_second_post(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    planning.plan(now(), True)
    Notice.objects.update(is_planned=False)  # as after a process that died before its commit
    planning.plan(now(), True)
    assert Post.objects.count() == 1


def test_without_push_nothing_but_mail_is_planned(ada, device_of) -> None:
    device_of(ada)
    ada.email = "ada@example.org"
    ada.save()
    Preferences.objects.create(user=ada, mail="digest")
    row = notice(ada)
    planning.plan(now(), False)
    post = Post.objects.get()
    assert (post.channel, post.due) == ("mail", row.due + MAIL_DELAY_MS)


def test_no_mail_is_planned_for_who_has_no_address_or_wants_none(ada) -> None:
    notice(ada)
    planning.plan(now(), True)
    ada.email = "ada@example.org"
    ada.save()
    notice(ada, "unasked")
    planning.plan(now(), True)
    Preferences.objects.create(user=ada, mail="off")
    notice(ada, "other")
    planning.plan(now(), True)
    assert not Post.objects.exists()


def test_a_push_says_what_the_notice_says_in_the_language_of_the_device(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    [request] = posted()
    message = json.loads(request.payload)
    assert message["title"] == "Bob challenges you" or "bob" in message["title"].lower()
    assert message["url"].startswith("/")
    assert message["tag"] == request.topic
    assert (message["v"], message["waiting"], message["icon"]) == (1, 0, None)
    assert len(request.payload) <= payload.MAX_PAYLOAD_BYTES
    assert 0 < request.ttl_s <= policy.MAX_TTL_S


def test_long_names_are_cut_to_what_a_service_takes(ada, device_of) -> None:
    device_of(ada)
    row = notice(ada)
    Notice.objects.filter(pk=row.pk).update(data={"rules": "pincer", "host": "😀" * 5_000})
    [request] = posted()
    assert len(request.payload) <= payload.MAX_PAYLOAD_BYTES
    json.loads(request.payload)


def test_the_badge_counts_the_games_that_wait(ada, bob, device_of) -> None:
    device_of(ada)
    slugs = [game_of(ada, bob).slug for _ in range(3)]
    for slug in slugs:
        notice(ada, slug, Kind.TURN)
    Notice.objects.filter(subject=slugs[2]).update(closed=1)
    assert {json.loads(request.payload)["waiting"] for request in posted()} == {2}


def test_an_accepted_push_is_sent_and_the_device_knows(ada, device_of) -> None:
    device = device_of(ada)
    notice(ada)
    answered(posted(), 201)
    device.refresh_from_db()
    assert state() == ("sent", "")
    assert device.last_success
    assert posted(now() + HOUR_MS) == []


def test_two_processes_claim_a_push_once(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    at = now()
    assert len(posted(at)) == 1
    assert push_queue.claim(at, 100) == []


def test_a_worker_that_dies_in_the_middle_of_a_batch_loses_nothing(ada, device_of) -> None:
    device_of(ada)
    notice(ada, "one")
    notice(ada, "two")
    at = now()
    first = posted(at)
    answered(first[:1], 201)  # and the process dies before the other is stored
    assert posted(at + push_queue.CLAIM_MS - 1) == []
    [again] = posted(at + push_queue.CLAIM_MS)
    assert again.topic == first[1].topic
    assert again.tries == 2
    answered(first[1:], 500)  # answers of the dead one come too late
    answered([again], 201)
    assert set(Post.objects.values_list("state", flat=True)) == {"sent"}


def test_a_process_that_ends_gives_its_claims_back(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    at = now()
    push_queue.release(posted(at), at)
    assert len(posted(at)) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_deleted_with_its_posts(ada, device_of, status) -> None:
    device_of(ada)
    notice(ada)
    answered(posted(), status)
    assert not PushDevice.objects.exists()
    assert not Post.objects.exists()


@pytest.mark.parametrize("status", [0, 429, 500, 502, 503])
def test_a_service_that_fails_is_asked_again(ada, device_of, status) -> None:
    device_of(ada)
    notice(ada)
    at = now()
    answered(posted(at), status, at)
    assert state()[0] == "waiting"
    assert Post.objects.get().due == at + 1_000
    assert len(posted(at + 1_000)) == 1


def test_a_service_may_ask_to_wait(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    at = now()
    answered(posted(at), 429, at, retry_after_s=90.0)
    assert Post.objects.get().due == at + 90_000


def test_after_eight_tries_a_push_is_given_up(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    at = now()
    for tries in range(1, 9):
        [request] = posted(at)
        assert request.tries == tries
        answered([request], 503, at)
        at = Post.objects.get().due
    assert state() == ("given_up", "HTTP 503")


@pytest.mark.parametrize("status", [300, 307, 400, 403, 413])
def test_a_push_that_is_refused_is_given_up_at_once(ada, device_of, status) -> None:
    device_of(ada)
    notice(ada)
    answered(posted(), status)
    assert state() == ("given_up", f"HTTP {status}")


def test_a_host_with_a_private_address_is_never_asked_again(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    answered(posted(), 0, is_private=True)
    assert state() == ("given_up", "private address")


def test_a_turn_taken_back_after_its_post_withdraws_it(ada, bob, device_of) -> None:
    device_of(ada)
    row = notice(ada, game_of(ada, bob).slug, Kind.TURN)
    planning.plan(now(), True)
    Notice.objects.filter(pk=row.pk).update(closed=now())
    assert posted() == []
    assert state() == ("withdrawn", "closed")


def test_a_notice_that_was_read_is_not_pushed(ada, device_of) -> None:
    device_of(ada)
    row = notice(ada)
    planning.plan(now(), True)
    Notice.objects.filter(pk=row.pk).update(read=now())
    assert posted() == []
    assert state() == ("withdrawn", "read")


def test_a_suspended_user_gets_nothing(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    planning.plan(now(), True)
    suspend(ada.pk)
    assert posted() == []
    assert not Post.objects.exists()  # with the device


def test_a_device_whose_session_has_ended_gets_nothing(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    planning.plan(now(), True)
    Session.objects.all().delete()
    assert posted() == []
    assert state() == ("withdrawn", "user")


def test_a_deleted_game_is_not_pushed(ada, bob, device_of) -> None:
    device_of(ada)
    game = game_of(ada, bob)
    notice(ada, game.slug, Kind.TURN)
    planning.plan(now(), True)
    Seat.objects.filter(game=game).delete()
    Game.objects.filter(pk=game.pk).delete()
    assert posted() == []
    assert state() == ("withdrawn", "game")


def test_who_looks_at_the_game_gets_no_push(ada, bob, device_of) -> None:
    device_of(ada)
    game = game_of(ada, bob)
    notice(ada, game.slug, Kind.TURN)
    Seat.objects.filter(game=game, user=ada).update(visible=now() - 1_000)
    assert posted() == []
    assert state() == ("withdrawn", "seen")


def test_an_open_page_that_is_hidden_does_not_hinder_a_push(ada, bob, device_of) -> None:
    device_of(ada)
    game = game_of(ada, bob)
    notice(ada, game.slug, Kind.TURN)
    Seat.objects.filter(game=game, user=ada).update(seen=now(), visible=now() - 60_000)
    assert len(posted()) == 1


def test_a_kind_that_was_switched_off_meanwhile_is_not_pushed(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    planning.plan(now(), True)
    Preferences.objects.create(user=ada, channels={"challenge": ["bell"]})
    assert posted() == []
    assert state() == ("withdrawn", "unwanted")


def test_a_push_of_a_turn_that_is_over_is_given_up(ada, bob, device_of) -> None:
    device_of(ada)
    notice(ada, game_of(ada, bob).slug, Kind.TURN, expires=now() + HOUR_MS)
    planning.plan(now(), True)
    assert (
        push_queue.claim(now() + 2 * HOUR_MS, 9) == []
    )  # the clock stepped forward, or it was off
    assert state() == ("given_up", "expired")


def quiet_now(user, hours: float = 2) -> int:
    """Quiet hours that have begun an hour ago; the moment of their end."""
    minute = now() // 60_000 % 1440
    begin, end = int(minute - 60) % 1440, int(minute + 60 * hours) % 1440
    Preferences.objects.create(user=user, quiet_from=begin, quiet_until=end)
    return (now() // 60_000 + int(60 * hours)) * 60_000


def test_quiet_hours_postpone_a_push(ada, device_of) -> None:
    device_of(ada)
    end = quiet_now(ada)
    notice(ada)
    assert posted() == []
    assert Post.objects.get().due == end
    assert len(posted(end)) == 1


def test_quiet_hours_set_after_planning_count_as_well(ada, device_of) -> None:
    device_of(ada)
    notice(ada)
    planning.plan(now(), True)
    end = quiet_now(ada)
    assert posted() == []
    assert Post.objects.get().due == end


def test_a_turn_that_ends_before_the_quiet_hours_is_pushed_in_them(ada, bob, device_of) -> None:
    device_of(ada)
    quiet_now(ada)
    notice(ada, game_of(ada, bob).slug, Kind.TURN, expires=now() + HOUR_MS)
    assert len(posted()) == 1


def test_a_last_warning_comes_before_the_quiet_hours_of_the_night(ada, bob, device_of) -> None:
    device_of(ada)
    at = now() // 60_000 * 60_000
    minute = at // 60_000 % 1440
    Preferences.objects.create(
        user=ada, quiet_from=(minute + 10) % 1440, quiet_until=(minute + 490) % 1440
    )
    slug = game_of(ada, bob).slug
    notice(ada, slug, Kind.LAST, at=at - HOUR_MS, due=at + 6 * HOUR_MS, expires=at + 7 * HOUR_MS)
    assert posted(at) == []
    assert planning.plan_early(at, True) == 1
    assert len(push_queue.claim(at + policy.PUSH_WAIT_MS, 9)) == 1
    assert planning.plan_early(at, True) == 0


def test_after_six_pushes_the_rest_of_an_hour_comes_as_one(ada, device_of) -> None:
    device_of(ada)
    for number in range(9):
        notice(ada, f"n{number}")
    at = now()
    first = posted(at)
    assert len(first) == 6
    answered(first, 201, at)
    assert push_queue.claim(at + HOUR_MS - 1, 100) == []
    [counting] = push_queue.claim(at + HOUR_MS, 100)
    message = json.loads(counting.payload)
    assert message["title"] == "3 more notifications"
    assert message["tag"] == payload.COUNT_TAG == counting.topic
    answered([counting], 503, at + HOUR_MS)
    [again] = push_queue.claim(at + HOUR_MS + 2_000, 100)
    assert json.loads(again.payload)["title"] == "3 more notifications"
    answered([again], 201, at + HOUR_MS)
    states = list(Post.objects.values_list("state", flat=True))
    assert (states.count("sent"), states.count("withdrawn")) == (7, 2)
    assert not Post.objects.waiting().exists()


def test_games_that_wait_are_counted_as_games(ada, bob, device_of) -> None:
    device_of(ada)
    for _ in range(8):
        notice(ada, game_of(ada, bob).slug, Kind.TURN)
    at = now()
    answered(posted(at), 201, at)
    [counting] = push_queue.claim(at + HOUR_MS, 100)
    assert json.loads(counting.payload)["title"] == "2 more games wait for you"


def test_a_clock_that_stepped_back_holds_nothing_for_an_hour(ada, device_of) -> None:
    device_of(ada)
    at = now()
    for number in range(6):
        notice(ada, f"n{number}")
    answered(posted(at), 201, at)
    Post.objects.update(first_try=at + 10 * HOUR_MS)  # by the clock before the step
    notice(ada, "late")
    assert len(posted(at)) == 1


def test_a_busy_service_does_not_stop_others(ada, bob, device_of) -> None:
    device_of(ada, host="slow.example.org")
    device_of(bob, host="quick.example.org")
    for number in range(3):
        notice(ada, f"a{number}")
        notice(bob, f"b{number}")
    planning.plan(now(), True)
    requests = push_queue.claim(now(), 100, ["slow.example.org"])
    assert {request.host for request in requests} == {"quick.example.org"}
    assert len(requests) == 3


def test_a_test_push_is_sent_once_and_needs_no_post(ada, device_of) -> None:
    device = device_of(ada)
    PushDevice.objects.update(test_asked=now())
    [request] = push_queue.claim_tests(now())
    assert push_queue.claim_tests(now()) == []
    assert json.loads(request.payload)["title"] == "Quiver"
    answered([request], 500)
    answered([request], 201)
    device.refresh_from_db()
    assert device.last_success
