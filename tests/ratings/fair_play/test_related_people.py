"""Related people: a shared device, or a shared network on two days; digests alone are stored."""

import json
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.http import HttpRequest
from django.test import Client, override_settings

from accounts.account_service import delete_user
from accounts.login.known_devices import SALT as COOKIE_SALT
from accounts.models import User
from accounts.refusals import Refused
from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.pairing import search_service
from lobby.pairing.models import RefusedPair, Search
from lobby.pairing.pairing_round import run_round
from lobby.pairing.search_presence import note_seen
from play.domain.clocks import DAY_MS, now
from play.models import Game
from play.time_controls import fischer_clock
from ratings.fair_play import sightings
from ratings.fair_play.models import Sighting
from ratings.fair_play.rulings import counted_games, make_ruling
from ratings.fair_play.sightings import (
    KEPT_DAYS,
    MAX_A_DAY,
    SightingBuffer,
    are_related,
    delete_old_sightings,
    delete_sightings_of,
    export_sightings,
)
from ratings.models import RatingEntry
from tests.support.page_visitors import browser_of
from tests.support.rated_games import apply_all, create_accounts, rated_game
from tests.support.sign_up_forms import PASSWORD

pytestmark = pytest.mark.django_db
RATED = Options("pincer", fischer_clock(5, 3), "white", False, rated=True)
NOON = 20_000 * DAY_MS + DAY_MS // 2
HERE, ELSEWHERE = "203.0.113.7", "198.51.100.9"


@pytest.fixture
def pair(db) -> list[User]:
    """Two people who have played a rated game."""
    ada, bob = create_accounts("ada", "bob")
    for user in (ada, bob):
        user.date_joined = datetime(2020, 1, 1, tzinfo=UTC)
        user.save()
    rated_game(ada, bob)
    apply_all()
    return [ada, bob]


def request_from(address: str = "127.0.0.1", *devices: str, **headers: str) -> HttpRequest:
    request = HttpRequest()
    request.META.update(REMOTE_ADDR=address, **headers)
    request.user = AnonymousUser()
    if devices:
        text = signing.dumps([(id, "proof") for id in devices], salt=COOKIE_SALT)
        request.COOKIES["devices"] = text
    return request


def seen(user: User, request: HttpRequest, at: int = NOON) -> None:
    """A process notes a request at a time and writes it."""
    buffer = SightingBuffer()
    buffer.note(request, user.pk, at)
    buffer.write()


def test_a_shared_device_relates_two_people(pair) -> None:
    ada, bob = pair
    seen(ada, request_from(HERE, "one", "two"))
    seen(bob, request_from(ELSEWHERE, "three"), NOON + DAY_MS)
    assert not are_related(ada.pk, bob.pk, NOON + DAY_MS)
    seen(bob, request_from(ELSEWHERE, "two", "three"), NOON + 2 * DAY_MS)
    assert are_related(ada.pk, bob.pk, NOON + 2 * DAY_MS)
    assert are_related(bob.pk, ada.pk, NOON + 2 * DAY_MS)
    assert not are_related(ada.pk, bob.pk, NOON + KEPT_DAYS * DAY_MS)


def test_a_shared_network_relates_two_people_on_the_second_day(pair) -> None:
    ada, bob = pair
    for user in pair:
        seen(user, request_from(HERE))
        seen(user, request_from(ELSEWHERE))
    assert not are_related(ada.pk, bob.pk, NOON)  # two networks, one day
    seen(ada, request_from(HERE), NOON + DAY_MS)
    assert not are_related(ada.pk, bob.pk, NOON + DAY_MS)
    seen(bob, request_from(HERE), NOON + DAY_MS)
    assert are_related(ada.pk, bob.pk, NOON + DAY_MS)


def test_addresses_of_one_household_are_one_network(pair) -> None:
    ada, bob = pair
    for day in range(2):
        seen(ada, request_from("2001:db8:1:2::5"), NOON + day * DAY_MS)
        seen(bob, request_from("2001:db8:1:2:9999::1"), NOON + day * DAY_MS)
    assert are_related(ada.pk, bob.pk, NOON + DAY_MS)


def test_neighbours_are_two_networks(pair) -> None:
    ada, bob = pair
    for day in range(2):
        seen(ada, request_from("203.0.113.7"), NOON + day * DAY_MS)
        seen(bob, request_from("203.0.113.8"), NOON + day * DAY_MS)
    assert not are_related(ada.pk, bob.pk, NOON + DAY_MS)


@override_settings(PROXIES=0)
def test_a_header_that_no_proxy_of_ours_wrote_is_not_believed(pair) -> None:
    ada, bob = pair
    for day in range(2):
        seen(ada, request_from(HERE), NOON + day * DAY_MS)
        seen(bob, request_from(ELSEWHERE, HTTP_X_FORWARDED_FOR=HERE), NOON + day * DAY_MS)
    assert not are_related(ada.pk, bob.pk, NOON + DAY_MS)


def test_a_forged_cookie_is_no_device(pair) -> None:
    ada, _ = pair
    request = request_from("127.0.0.1", "one")
    request.COOKIES["devices"] += "x"
    seen(ada, request)
    assert not Sighting.objects.exists()


def test_requests_from_this_machine_or_from_nowhere_have_no_network(pair) -> None:
    for address in ("127.0.0.1", "::1", "", "nonsense"):
        seen(pair[0], request_from(address))
    assert not Sighting.objects.exists()


def test_only_digests_are_stored(pair) -> None:
    seen(pair[0], request_from(HERE, "an-id-of-a-device"))
    rows = json.dumps(list(Sighting.objects.values()))
    assert Sighting.objects.count() == 2
    assert HERE not in rows
    assert "an-id-of-a-device" not in rows
    network = [*Sighting.objects.filter(kind="network").values_list("digest", flat=True)]
    seen(pair[0], request_from(HERE), NOON + DAY_MS)
    assert Sighting.objects.filter(kind="network", digest__in=network).count() == 1


def test_nobody_is_noted_who_does_not_play_rated(pair) -> None:
    [cy] = create_accounts("cy")
    seen(cy, request_from(HERE, "one"))
    assert not Sighting.objects.filter(user=cy).exists()


def test_each_sighting_is_written_once_a_day_and_few_are(pair) -> None:
    buffer, ada = SightingBuffer(), pair[0]
    for _ in range(3):
        buffer.note(request_from(HERE), ada.pk, NOON)
        buffer.write()
    assert Sighting.objects.count() == 1
    for number in range(2 * MAX_A_DAY):
        buffer.note(request_from(f"203.0.113.{number}"), ada.pk, NOON)
        buffer.write()
    assert Sighting.objects.count() == MAX_A_DAY


def test_what_is_older_than_30_days_is_deleted(pair) -> None:
    today = now()
    for days in (0, KEPT_DAYS - 1, KEPT_DAYS, 2 * KEPT_DAYS):
        seen(pair[0], request_from(HERE), today - days * DAY_MS)
    assert delete_old_sightings() == 2
    assert delete_old_sightings() == 0
    assert len(export_sightings(pair[0].pk)) == 2


def test_a_deleted_account_leaves_no_sighting(pair) -> None:
    ada, buffer = pair[0], SightingBuffer()
    seen(ada, request_from(HERE))
    buffer.note(request_from(ELSEWHERE), ada.pk, NOON)
    delete_user(ada.pk)
    delete_sightings_of(ada.pk)  # as the task of deletions does
    buffer.write()
    assert not Sighting.objects.exists()


def test_a_copy_of_ones_data_has_the_sightings_and_the_rulings(pair) -> None:
    ada, bob = pair
    seen(ada, request_from(HERE))
    make_ruling(counted_games(ada.pk), True, "A test.", bob, ada)
    ada.set_password(PASSWORD)
    ada.save()
    answer = browser_of(ada).post("/settings/export/", {"password": PASSWORD})
    data = answer.json()
    assert [row["kind"] for row in data["sightings"]] == ["network"]
    assert [row["reason"] for row in data["rulings"]] == ["A test."]


def relate(one: User, two: User) -> None:
    for user in (one, two):
        seen(user, request_from(HERE, "their-device"), now())


def test_related_people_start_no_rated_game_and_read_only_that_it_is_casual(pair) -> None:
    ada, bob = pair
    relate(ada, bob)
    games = Game.objects.count()
    lobby = lobby_service.create(ada, RATED)
    with pytest.raises(Refused) as error:
        lobby_service.sit(lobby.code, bob)
    assert (error.value.reason, error.value.say) == (
        LobbyReason.CASUAL_PAIR,
        "This pairing is casual.",
    )
    assert Game.objects.count() == games


def test_related_people_who_search_for_rated_games_are_not_asked(pair) -> None:
    relate(*pair)
    for user in pair:
        search_service.start(user, [("pincer", "fischer:180:2")], is_rated=True)
        note_seen([user.pk], now())
    run_round("test")
    assert set(Search.objects.values_list("state", flat=True)) == {Search.State.LOOKING}
    assert RefusedPair.objects.count() == 1


def test_a_game_of_people_who_turned_out_related_does_not_count(pair) -> None:
    ada, bob = pair
    game, short = rated_game(ada, bob), rated_game(ada, bob, turns=1)
    relate(ada, bob)
    apply_all()
    assert RatingEntry.objects.get(game=game.game).not_rated == "related"
    assert RatingEntry.objects.get(game=short.game).not_rated == "no_turn"  # the facts come first
    answer = Client().get(f"/g/{game.slug}/rating.json").json()
    assert answer["sentence"] == "Not rated: this pairing is casual."


def test_requests_of_accounts_are_noted_and_of_others_are_not(pair, monkeypatch) -> None:
    buffer = SightingBuffer()
    monkeypatch.setattr("ratings.fair_play.sighting_middleware.BUFFER", buffer)
    monkeypatch.setattr(sightings, "BUFFER", buffer)
    guest = User.objects.create(username="passer-by", is_guest=True)
    for browser in (Client(), browser_of(guest), browser_of(pair[0])):
        assert browser.get("/settings/", REMOTE_ADDR=HERE).status_code == 200
    buffer.write()
    assert [row.user_id for row in Sighting.objects.all()] == [pair[0].pk]
