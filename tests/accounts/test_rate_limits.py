"""Rate limits by user and address; a school class behind one address can play."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings
from hypothesis import given
from hypothesis import strategies as st

from accounts.limits import networks, rate_limits
from accounts.limits.networks import UNREADABLE, network, of_scope, parse_address
from accounts.limits.rate_limits import GUESTS, Limit, Rate, TooOften, spend
from accounts.login.backends import MAX_CONCURRENT_HASHES, BoundedArgon2
from accounts.models import User
from lobby.lobbies.lobby_service import create
from lobby.lobby_options import Options
from lobby.models import Lobby
from play.sockets.consumers import POLICY
from play.time_controls import NO_CLOCK
from server.connection_limits import SocketLimitMiddleware
from server.quota import Quota
from tests.support.page_visitors import at_home, game_of, someone, text_of
from tests.support.sign_up_forms import LOBBY, PASSWORD, account

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FEW = Limit("few", 2, 5)
SCHOOL = "203.0.113.7"
ROOT = Path(__file__).parents[2]
# Fifty at once, and what the process has ever held in memory (KiB) before and after.
FIFTY = """
import resource, threading, django
django.setup()
from accounts.login.backends import BoundedArgon2
hasher = BoundedArgon2()
kept = hasher.encode("seven dull archers", "saltsaltsalt")
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
guests = [threading.Thread(target=hasher.verify, args=("wrong", kept)) for _ in range(50)]
[guest.start() for guest in guests]
[guest.join() for guest in guests]
print(before, peak())
"""


def from_school() -> Client:
    """A stranger's browser behind an address of many."""
    return Client(REMOTE_ADDR=SCHOOL)


def test_a_user_above_a_limit_is_refused_and_others_are_not() -> None:
    for _ in range(FEW.by_user):
        spend(FEW, 1, "")
    with pytest.raises(TooOften) as refused:
        spend(FEW, 1, "")
    assert 0 < refused.value.wait <= 600
    spend(FEW, 2, "")


def test_an_address_is_counted_over_all_its_users() -> None:
    for user in range(FEW.by_address):
        spend(FEW, user, SCHOOL)
    with pytest.raises(TooOften):
        spend(FEW, 99, SCHOOL)
    spend(FEW, 99, "198.51.100.1")


def test_a_rate_counts_apart_for_each_and_takes_back() -> None:
    quota = Rate("pairs", 2, 60).of("ada", SCHOOL)
    assert [quota.take() for _ in range(3)] == [True, True, False]
    assert quota.is_used_up() and quota.read_count() == 3  # a refused one is counted as well
    assert Rate("pairs", 2, 60).of("bob", SCHOOL).take()
    quota.give_back()
    quota.give_back()
    assert not quota.is_used_up() and quota.take()


def test_an_aligned_rate_begins_anew_with_each_window(monkeypatch) -> None:
    aligned, rolling = Rate("aligned", 1, 60, is_aligned=True), Rate("rolling", 1, 60)
    monkeypatch.setattr(rate_limits, "now_s", lambda: 119)
    assert aligned.of("ada").take() and not aligned.of("ada").take()
    assert rolling.of("ada").take()
    monkeypatch.setattr(rate_limits, "now_s", lambda: 120)
    assert aligned.of("ada").take()
    assert aligned.of("ada").key != aligned.of("bob").key
    assert rolling.of("ada").key == "rolling:ada"


def test_threads_that_count_together_lose_no_count() -> None:
    refused = []

    def press() -> None:
        try:
            spend(Limit("together", 30, 30), 1, "")
        except TooOften as error:
            refused.append(error)

    threads = [threading.Thread(target=press) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 20


def test_without_its_cache_nothing_is_limited_and_that_is_logged(settings, caplog) -> None:
    settings.CACHES = {"default": {"BACKEND": "nowhere.at.All"}}
    for _ in range(FEW.by_user + 1):
        spend(FEW, 1, "")
    assert "nothing is limited" in caplog.text


@pytest.mark.parametrize(
    ("remote", "forwarded", "proxies", "counted"),
    [
        ("203.0.113.7", "", 0, "203.0.113.7"),
        ("203.0.113.7", "1.2.3.4", 0, "203.0.113.7"),  # nobody is believed
        ("127.0.0.1", "1.2.3.4", 1, "1.2.3.4"),
        ("127.0.0.1", "6.6.6.6, 1.2.3.4", 1, "1.2.3.4"),  # the first is the visitor's own word
        ("127.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.9", 2, "1.2.3.4"),
        ("203.0.113.7", "1.2.3.4", 2, "203.0.113.7"),  # it did not come through both
        ("2001:db8:1:2:3:4:5:6", "", 0, "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "", 0, "2001:db8:1:2::"),
        ("::ffff:203.0.113.7", "", 0, "203.0.113.7"),
        ("127.0.0.1", "", 0, ""),
        ("::1", "", 0, ""),
        ("::ffff:127.0.0.1", "", 0, ""),
        ("", "", 0, ""),
        ("::1%lo", "", 0, ""),
        ("fe80::1:2:3:4%eth0", "", 0, "fe80::"),
        ("nonsense", "", 0, UNREADABLE),
        # As some proxies write it: with a port, and in brackets.
        ("127.0.0.1", "6.6.6.6, 1.2.3.4:567", 1, "1.2.3.4"),
        ("127.0.0.1", "[2001:db8::1]:567", 1, "2001:db8::"),
        ("127.0.0.1", "[2001:db8::1]", 1, "2001:db8::"),
        ("127.0.0.1", "[::ffff:1.2.3.4]:567", 1, "1.2.3.4"),
        ("127.0.0.1", "[2001:db8::1%eth0]:567", 1, "2001:db8::"),
        # The part of our proxy is missing or unreadable: counted, and not as the visitor says.
        ("127.0.0.1", "6.6.6.6, ", 1, UNREADABLE),
        ("127.0.0.1", "6.6.6.6,,", 1, UNREADABLE),
        ("127.0.0.1", "6.6.6.6, unix:", 1, UNREADABLE),
        ("127.0.0.1", "6.6.6.6, unknown", 1, UNREADABLE),
        ("127.0.0.1", "1.2.3.4:567:8", 1, UNREADABLE),
        ("127.0.0.1", "1.2.3.4:", 1, UNREADABLE),
        ("127.0.0.1", "", 1, UNREADABLE),
        ("127.0.0.1", "1.2.3.4", 2, UNREADABLE),
        (None, "nonsense", 1, UNREADABLE),
        (None, "", 1, UNREADABLE),
        (None, "1.2.3.4", 1, "1.2.3.4"),  # from the proxy through a unix socket
    ],
)
def test_a_visitor_is_counted_by_network(settings, remote, forwarded, proxies, counted) -> None:
    settings.PROXIES = proxies
    assert network(remote, forwarded) == counted


ADDRESSES = st.ip_addresses()
SEPARATORS = st.sampled_from([",", ", ", " ,\t"])


@given(st.text(max_size=60), ADDRESSES, st.integers(0, 65_535), SEPARATORS, st.booleans())
def test_no_header_of_a_visitor_changes_the_network_that_is_counted(
    said, address, port, separator, has_port
) -> None:
    """The proxy adds the address after whatever the visitor sent."""
    written = f"[{address}]" if address.version == 6 else str(address)
    added = f"{written}:{port}" if has_port else str(address)
    with override_settings(PROXIES=0):
        expected = network(str(address), said)
    with override_settings(PROXIES=1):
        assert network("127.0.0.1", f"{said}{separator}{added}") == expected
        assert network("127.0.0.1", added) == expected


@given(st.one_of(st.none(), st.text(max_size=60)), st.text(max_size=60), st.integers(1, 3))
def test_behind_proxies_everybody_from_elsewhere_is_counted(remote, forwarded, proxies) -> None:
    parts = forwarded.split(",")
    with override_settings(PROXIES=proxies):
        counted = network(remote, forwarded)
        named = [parse_address(text.strip()) for text in (*parts, remote or "")]
        assert counted or any(address and address.is_loopback for address in named)


def test_without_proxies_a_missing_address_is_not_counted_and_logged_once(caplog) -> None:
    networks._warn_of_missing_address.cache_clear()
    assert [network(None, ""), network("", "1.2.3.4")] == ["", ""]
    events = [record.event for record in caplog.records]
    assert events.count("no_remote_address") == 1
    # The first record of a minute may bring summaries of what earlier tests have logged too often.
    assert set(events) <= {"no_remote_address", "log_limit"}


def test_a_socket_is_counted_by_the_same_network(settings) -> None:
    settings.PROXIES = 1
    headers = [(b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"1.2.3.4")]
    assert of_scope({"client": ["127.0.0.1", 5], "headers": headers}) == "1.2.3.4"
    headers = [(b"x-forwarded-for", b"1.2.3.4"), (b"x-forwarded-for", b"unix:")]
    assert of_scope({"client": ["127.0.0.1", 5], "headers": headers}) == UNREADABLE
    assert of_scope({}) == UNREADABLE
    settings.PROXIES = 0
    assert of_scope({}) == ""


@pytest.mark.parametrize("forwarded", ["203.0.113.7:4711", "unix:", ""])
def test_a_port_or_an_unreadable_part_switches_no_limit_off(settings, forwarded) -> None:
    settings.PROXIES = 1
    for _ in range(GUESTS.by_address):
        spend(GUESTS, None, network("127.0.0.1", forwarded))
    stranger = Client(headers={"x-forwarded-for": forwarded} if forwarded else {})
    assert stranger.post("/lobbies/", LOBBY).status_code == 429
    assert User.objects.count() == 0


def test_four_classes_sit_down_behind_one_address_and_then_it_is_enough() -> None:
    hosts = [someone(f"host-{n}") for n in range(3)]
    lobbies = [create(host, Options("pincer", NO_CLOCK, "white", True)) for host in hosts]
    for _ in range(GUESTS.by_address - 2):
        spend(GUESTS, None, SCHOOL)
    answers = [from_school().post(f"{lobby.get_absolute_url()}sit/") for lobby in lobbies]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert "too often" in text_of(answers[2])
    assert 0 < int(answers[2]["Retry-After"]) <= 600
    assert User.objects.filter(is_guest=True).count() == 2


def test_a_class_of_thirty_opens_lobbies_behind_one_address() -> None:
    pupils = [from_school() for _ in range(30)]
    assert {pupil.post("/lobbies/", LOBBY).status_code for pupil in pupils} == {302}
    assert Lobby.objects.count() == 30


def test_a_script_is_told_in_the_words_of_a_lobby() -> None:
    _, browser = at_home("ada")
    lobby = create(someone("bob"), Options("pincer", NO_CLOCK, "white", True))
    address = f"{lobby.get_absolute_url()}leave/"
    json = {"headers": {"accept": "application/json"}}
    answers = [browser.post(address, **json) for _ in range(121)]
    assert {answer.status_code for answer in answers[:-1]} == {409}
    assert answers[-1].status_code == 429
    told = answers[-1].json()
    assert (told["next"], told["you"], told["refused"]["reason"]) == (None, "ada", "too_often")


def test_get_requests_do_not_count_towards_limits_of_posts() -> None:
    _, browser = at_home("ada")
    lobby = create(someone("bob"), Options("pincer", NO_CLOCK, "white", True))
    for _ in range(121):
        assert browser.get(lobby.get_absolute_url()).status_code == 200
    assert browser.post(f"{lobby.get_absolute_url()}sit/").status_code == 302


@pytest.mark.parametrize(
    ("what", "limit"),
    [("", rate_limits.PAGES), ("picture.png", rate_limits.PICTURES)],
    ids=["page", "picture"],
)
def test_requests_that_replay_or_draw_a_game_are_limited_by_address(
    monkeypatch, what, limit
) -> None:
    game = game_of(someone("ada"), someone("bob"))
    monkeypatch.setattr(rate_limits, "WINDOW_S", 10**10)  # seconds: all counts fall into one
    assert limit.by_address <= 3_000
    for _ in range(limit.by_address - 1):
        spend(limit, None, SCHOOL)
    url = f"{game.get_absolute_url()}{what}"
    assert [from_school().get(url).status_code for _ in range(2)] == [200, 429]
    assert Client(REMOTE_ADDR="198.51.100.1").get(url).status_code == 200


@pytest.mark.parametrize("url", ["/", "/watch/", "/learn/", "/learn/pincer/"])
def test_other_pages_are_limited_by_address(monkeypatch, url) -> None:
    monkeypatch.setattr(rate_limits, "WINDOW_S", 10**10)
    for _ in range(rate_limits.VIEWS.by_address - 1):
        spend(rate_limits.VIEWS, None, SCHOOL)
    assert [from_school().get(url).status_code for _ in range(2)] == [200, 429]
    assert Client(REMOTE_ADDR="198.51.100.1").get(url).status_code == 200


def test_a_log_in_tried_too_often_from_one_address_is_refused_in_words() -> None:
    account("ada")
    thief = from_school()
    for number in range(41):
        form = {"login": f"nobody-{number}", "password": PASSWORD}
        answer = thief.post("/log-in/", form)
    assert "Too many failed attempts" in text_of(answer)
    honest = Client(REMOTE_ADDR="198.51.100.1")
    form = {"login": "ada", "password": PASSWORD}
    assert honest.post("/log-in/", form).status_code == 302


def test_a_class_of_forty_signs_in_behind_one_address() -> None:
    names = [f"pupil-{number}" for number in range(40)]
    for name in names:
        account(name)
    forms = [{"login": name, "password": PASSWORD} for name in names]
    assert {from_school().post("/log-in/", form).status_code for form in forms} == {302}


def test_a_proxy_that_says_too_little_shuts_nobody_out(settings) -> None:
    settings.PROXIES = 2
    account("ada")
    form = {"login": "ada", "password": PASSWORD}
    answer = from_school().post("/log-in/", form, headers={"x-forwarded-for": "1.2.3.4"})
    assert answer.status_code == 302


def test_log_ins_are_counted_by_who_the_proxy_passed_on(settings) -> None:
    settings.PROXIES = 1
    for number in range(41):
        answer = Client().post(
            "/log-in/",
            {"login": f"nobody-{number}", "password": PASSWORD},
            headers={"x-forwarded-for": f"6.6.6.{number}, 203.0.113.7"},
        )
    assert "Too many failed attempts" in text_of(answer)


def test_an_old_password_is_kept_anew_at_lower_cost(settings) -> None:
    settings.PASSWORD_HASHERS = ["accounts.login.backends.BoundedArgon2"]
    user = someone("ada")
    user.password = (  # made with Django's own costs
        "argon2$argon2id$v=19$m=102400,t=2,p=8$c2FsdHNhbHRzYWx0$"
        "5LUdUdqR2GHZWMT1m4sV1VKqhKzaTnC9J0Lq2FJQd3A"
    )
    assert BoundedArgon2().must_update(user.password)
    user.set_password(PASSWORD)
    assert "m=47104,t=2,p=1" in user.password
    assert user.check_password(PASSWORD)
    assert not BoundedArgon2().must_update(user.password)


@pytest.mark.processes
@pytest.mark.nightly
def test_fifty_log_ins_at_once_take_the_memory_of_three(tmp_path) -> None:
    environment = {
        "QUIVER_DATA": str(tmp_path),
        "PYTHONPATH": f"{ROOT / 'site'}:{ROOT}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", FIFTY], env=environment, capture_output=True, text=True, timeout=120
    )
    before, after = map(int, done.stdout.split())
    assert after - before < (MAX_CONCURRENT_HASHES + 1) * BoundedArgon2.memory_cost


class Held:
    """Sockets of one visitor through the bound, each open until told."""

    def __init__(self, most: int, in_all: int = 99) -> None:
        self.sent: list[dict] = []
        self.may_end = asyncio.Event()
        self.bounded = SocketLimitMiddleware(self._stay, lambda scope: scope["who"], most)
        self.bounded.quota = Quota(most, in_all)

    async def _stay(self, scope, receive, send) -> None:
        await self.may_end.wait()

    async def open(self, who: str) -> None:
        """Opens one more."""

        async def receive():
            return {"type": "websocket.connect"}

        async def send(event):
            self.sent.append(event)

        await self.bounded({"who": who}, receive, send)


async def test_a_visitor_holds_so_many_sockets_and_no_more() -> None:
    held = Held(2)
    first = [asyncio.create_task(held.open("ada")) for _ in range(2)]
    await asyncio.sleep(0)
    await held.open("ada")
    assert [event["type"] for event in held.sent] == [
        "websocket.accept", "websocket.send", "websocket.close",
    ]  # fmt: skip
    assert "slow_down" in held.sent[1]["text"]
    assert held.sent[2]["code"] == POLICY
    others = [asyncio.create_task(held.open(name)) for name in ("bob", "", "")]
    held.may_end.set()
    await asyncio.gather(*first, *others)
    assert len(held.sent) == 3
    await held.open("ada")
    assert len(held.sent) == 3


async def test_sockets_are_bounded_in_all() -> None:
    held = Held(2, in_all=2)
    first = [asyncio.create_task(held.open(name)) for name in ("ada", "")]
    await asyncio.sleep(0)
    await held.open("bob")
    assert [event["type"] for event in held.sent][-1] == "websocket.close"
    held.may_end.set()
    await asyncio.gather(*first)


PATHS = ["/ladder/", "/ratings/", "/", "/nowhere/", "/blotto-lab/", "/log-in/"]


@pytest.mark.parametrize("path", PATHS)
def test_every_page_is_charged_to_the_network_that_asks_for_it(path) -> None:
    charged = rate_limits.CPU_TIME.of(SCHOOL)
    before = charged.read_count()
    from_school().get(path)
    assert charged.read_count() > before


@pytest.mark.parametrize("path", PATHS)
def test_a_network_that_has_used_up_its_cpu_time_is_refused_and_others_are_not(path) -> None:
    rate_limits.CPU_TIME.of(SCHOOL).add(rate_limits.CPU_TIME.most)
    answer = from_school().get(path, headers={"accept-language": "tr"})
    assert answer.status_code == 429 and 0 < int(answer["Retry-After"]) <= 600
    assert 'lang="tr"' in answer.content.decode() and answer["Content-Security-Policy"]
    told = from_school().post(path, headers={"accept": "application/json"})
    assert told.status_code == 429 and told.json()["refused"]["reason"] == "too_often"
    assert Client(REMOTE_ADDR="198.51.100.1").get(path).status_code != 429
    assert Client().get(path).status_code != 429  # this machine is not counted


def test_a_refusal_for_cpu_time_asks_no_database(django_assert_num_queries) -> None:
    _, browser = at_home("ada")
    rate_limits.CPU_TIME.of(SCHOOL).add(rate_limits.CPU_TIME.most)
    with django_assert_num_queries(0):
        assert browser.get("/", REMOTE_ADDR=SCHOOL).status_code == 429


def test_static_files_are_served_to_a_network_without_cpu_time() -> None:
    names = [name.rpartition(".")[2] for name in settings.MIDDLEWARE]
    assert names.index("StaticFilesMiddleware") < names.index("limit_cpu_time")
