"""Wrong passwords: which log-ins are refused, and which are not."""

import re
import threading
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts import account_service
from accounts.limits.rate_limits import TooOften, count, read_count, take_back
from accounts.login import known_devices, login_attempts
from accounts.login.login_attempts import begin_attempt
from accounts.models import User
from tests.support.page_visitors import text_of
from tests.support.sign_up_forms import NEW, PASSWORD, account, links_in, who

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
HOME, CAFE = "203.0.113.7", "198.51.100.1"
OTHER = "ten sharp arrows"
FIVE = range(5)


def at(network: str) -> Client:
    """A browser that nobody knows, in a network."""
    return Client(REMOTE_ADDR=network)


def sign_in(browser: Client, login: str = "ada", password: str = PASSWORD, **form: str):
    return browser.post("/log-in/", {"login": login, "password": password, **form})


def guess(network: str, login: str = "ada", times: int = 5) -> list[str]:
    """Send wrong passwords from one network; return the texts of the answers."""
    return [text_of(sign_in(at(network), login, "wrong")) for _ in range(times)]


def guess_all_day(login: str = "ada", times: int | None = None) -> None:
    """Send as many as a day allows, five from each of many networks."""
    for number in range(times or login_attempts.MAX_WRONG_A_DAY):
        guess(f"192.0.2.{number // 5}", login, 1)


@pytest.fixture
def _short_day(monkeypatch) -> None:
    """Ten wrong passwords in a day in the place of a hundred, to save time."""
    monkeypatch.setattr(login_attempts, "MAX_WRONG_A_DAY", 10)


def device_of(user: User, network: str = HOME) -> Client:
    """A browser in which the user has logged in and out again."""
    browser = at(network)
    assert sign_in(browser, user.username).status_code == 302
    browser.post("/log-out/")
    assert who(browser) is None
    return browser


def test_wrong_passwords_refuse_a_name_to_their_own_network_alone() -> None:
    user = account()
    assert not any("Too many failed attempts" in said for said in guess(CAFE))
    assert "Too many failed attempts" in text_of(sign_in(at(CAFE)))
    honest = at(HOME)
    assert sign_in(honest).status_code == 302
    assert who(honest) == user.pk


def test_a_network_that_is_refused_one_name_may_sign_in_under_another() -> None:
    account(), account("bob")
    guess(CAFE, "bob")
    assert sign_in(at(CAFE)).status_code == 302


def test_right_passwords_are_not_counted() -> None:
    account()
    assert {sign_in(at(HOME)).status_code for _ in range(12)} == {302}
    guess(HOME, times=4)
    assert sign_in(at(HOME)).status_code == 302


@pytest.mark.parametrize("spelling", ["ADA", " ada ", "Ada", "\uff21da", "ad\u0101"])
def test_another_spelling_of_a_name_gives_no_more_tries(spelling) -> None:
    account()
    guess(CAFE, spelling)
    assert "Too many failed attempts" in text_of(sign_in(at(CAFE)))


@pytest.mark.parametrize("name", ["nobody", "nobody@example.org"])
def test_names_that_nobody_has_are_refused_in_the_same_words(name) -> None:
    account("ada", "ada@example.org")
    known = "ada@example.org" if "@" in name else "ada"
    words = {login: [said.replace(login, "") for said in guess(CAFE, login, 7)]
             for login in (known, name)}  # fmt: skip
    assert words[known] == words[name]
    assert "Too many failed attempts" in words[name][-1]


def test_log_in_errors_do_not_tell_whether_a_name_and_an_address_belong_together() -> None:
    """A common count would tell: the address would be refused after five tries of the name."""
    account("ada", "ada@example.org")
    guess(CAFE, "ada")
    assert "Too many failed attempts" in text_of(sign_in(at(CAFE), "ada"))
    cache.delete_many([f"log-in:network:{CAFE}"])
    assert "Too many failed attempts" not in guess(CAFE, "ada@example.org", 1)[0]


@pytest.mark.django_db(transaction=True)
def test_attempts_at_the_same_moment_are_not_more_than_the_bound(monkeypatch) -> None:
    account()
    tried = []
    monkeypatch.setattr(User, "check_password", lambda user, word: bool(tried.append(word)))
    gate, one = threading.Barrier(12), 2  # each attempt asks two backends

    def press() -> None:
        gate.wait()
        try:
            sign_in(at(CAFE), password="wrong")
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0 < len(tried) <= 5 * one


def test_a_known_device_passes_while_its_network_is_refused() -> None:
    user = account()
    home = device_of(user)
    guess(HOME)
    assert "Too many failed attempts" in text_of(sign_in(at(HOME)))
    guess(HOME, "bob"), guess(HOME, "cy")  # the network itself has tried too many
    assert sign_in(home).status_code == 302
    assert who(home) == user.pk


def test_the_cookie_of_a_device_is_for_its_user_alone() -> None:
    home = device_of(account())
    bob = account("bob")
    guess(HOME, "bob")
    assert "Too many failed attempts" in text_of(sign_in(home, "bob"))
    assert who(home) != bob.pk


def test_a_known_device_has_a_budget_of_its_own() -> None:
    """The budget bounds the passwords that a thief of a cookie can try."""
    home = device_of(account())
    for _ in FIVE:
        assert "Too many failed attempts" not in text_of(sign_in(home, password="wrong"))
    assert "Too many failed attempts" in text_of(sign_in(home))
    assert sign_in(at(CAFE)).status_code == 302  # others are not refused for it


def test_a_device_whose_day_is_spent_is_known_no_more() -> None:
    user = account()
    home = device_of(user)
    for _ in range(10):
        cache.delete_many(keys_of(user, home, "device"))
        for _ in FIVE:
            sign_in(home, password="wrong")
    cache.delete_many(keys_of(user, home, "device"))
    guess(HOME)
    assert "Too many failed attempts" in text_of(sign_in(home))


def keys_of(user: User, browser: Client, kind: str) -> list[str]:
    """The key of a device's count; its deletion ends the five minutes."""
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    request.COOKIES = {name: cookie.value for name, cookie in browser.cookies.items()}
    return [f"log-in:{kind}:{known_devices.device_of(request, [user])}"]


@pytest.mark.parametrize("how", ["password", "by mail", "suspended"])
def test_a_device_is_forgotten_with_another_password_and_with_a_suspension(how) -> None:
    user = account("ada", "ada@example.org")
    lost, password = device_of(user), PASSWORD
    if how == "suspended":
        account_service.suspend(user.pk)
        account_service.restore(user.pk)
    else:
        password = change_password(user, how)
    guess(HOME)
    assert "Too many failed attempts" in text_of(sign_in(lost, password=password))


def change_password(user: User, how: str) -> str:
    """Another password by the settings or by a mail; that browser stays a known device."""
    elsewhere, new = at(CAFE), {"password1": OTHER, "password2": OTHER}
    if how == "password":
        sign_in(elsewhere)
        elsewhere.post("/password/", new | {"oldpassword": PASSWORD})
        elsewhere.post("/log-out/")
    else:
        elsewhere.post("/password/reset/", {"email": user.email})
        (link,) = (link for link in links_in(mail.outbox[-1].body) if "reset" in link)
        elsewhere.post(elsewhere.get(link).headers["Location"], new)
    guess(CAFE)
    assert sign_in(elsewhere, password=OTHER).status_code == 302
    return OTHER


@pytest.mark.usefixtures("_short_day")
def test_a_new_password_by_mail_ends_the_refusals() -> None:
    user = account("ada", "ada@example.org")
    guess_all_day()
    browser = at(CAFE)
    guess(CAFE)
    browser.post("/password/reset/", {"email": user.email})
    (link,) = (link for link in links_in(mail.outbox[-1].body) if "reset" in link)
    new = {"password1": OTHER, "password2": OTHER}
    browser.post(browser.get(link).headers["Location"], new)
    assert sign_in(at(CAFE), password=OTHER).status_code == 302


def test_a_browser_is_a_known_device_of_several_users_and_of_five_at_most() -> None:
    browser, people_ = at(HOME), [account(f"user-{n}") for n in range(known_devices.MAX_USERS + 1)]
    for user in people_:
        sign_in(browser, user.username)
        browser.post("/log-out/")
        cache.clear()
    for user in people_:
        guess(HOME, user.username)
        cache.delete_many([f"log-in:network:{HOME}"])
    codes = []
    for number in (0, 1, known_devices.MAX_USERS):
        codes.append(sign_in(browser, people_[number].username).status_code)
        browser.post("/log-out/")
    assert codes == [200, 302, 302]  # the oldest has gone
    assert len(browser.cookies["devices"].value) < 1_000


def test_a_forged_cookie_makes_no_known_device() -> None:
    user = account()
    home = device_of(user)
    real = home.cookies["devices"].value
    guess(HOME)
    for text in ("", "x", real[:-1], real.replace(":", "", 1), f"x{real}", "W10:a:b", "é"):
        browser = at(HOME)
        browser.cookies["devices"] = text
        assert "Too many failed attempts" in text_of(sign_in(browser)), text


def test_the_cookie_of_a_device_is_seen_by_no_script_and_names_nobody(settings) -> None:
    settings.SESSION_COOKIE_SECURE = True
    user = account("ada", "ada@example.org")
    User.objects.filter(pk=user.pk).update(date_joined=timezone.now() - timedelta(days=9))
    browser = at(HOME)
    sign_in(browser)
    cookie = browser.cookies["devices"]
    about = (cookie["httponly"], cookie["samesite"], cookie["secure"], cookie["path"])
    assert about == (True, "Lax", True, "/")
    assert cookie["max-age"] == 365 * 24 * 3600
    (entry,) = known_devices.signing.loads(cookie.value, salt=known_devices.SALT)
    assert [len(part) for part in entry] == [22, 32]  # a random id and a keyed hash


def test_a_new_account_is_at_home_in_the_browser_that_made_it() -> None:
    browser = at(HOME)
    browser.post("/sign-up/", NEW)
    browser.post("/log-out/")
    guess(HOME, "magnus")
    assert sign_in(browser, "magnus").status_code == 302


def test_the_form_of_a_sign_up_sent_again_is_no_way_to_try_passwords() -> None:
    at(CAFE).post("/sign-up/", NEW)
    for _ in FIVE:
        at(HOME).post("/sign-up/", NEW | {"password1": OTHER, "password2": OTHER})
    thief = at(HOME)
    assert "That name is taken." in text_of(thief.post("/sign-up/", NEW))
    assert who(thief) is None
    assert "Too many failed attempts" in text_of(sign_in(at(HOME), "magnus"))


@pytest.mark.parametrize("page", ["/password/", "/log-in/again/"])
def test_a_session_has_five_tries_of_the_password_on_all_its_pages(page) -> None:
    user = account()
    inside, new = at(HOME), {"password1": OTHER, "password2": OTHER}
    inside.force_login(user)
    wrong, right = ({"password": word, "oldpassword": word, **new} for word in ("x", PASSWORD))
    for other in ("/password/", "/log-in/again/", "/password/", "/log-in/again/", "/password/"):
        assert re.search(r"Wrong (current )?password\.", text_of(inside.post(other, wrong)))
    refused = inside.post(page, right)
    assert (refused.status_code, "Too many failed attempts" in text_of(refused)) == (200, True)
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    assert sign_in(at(HOME)).status_code == 302  # the session alone is refused


@pytest.mark.parametrize("page", ["/password/", "/log-in/again/"])
def test_wrong_passwords_of_others_do_not_disturb_who_is_inside(page) -> None:
    inside = at(HOME)
    inside.force_login(account())
    guess(HOME)
    new = {"password1": OTHER, "password2": OTHER}
    done = inside.post(page, {"password": PASSWORD, "oldpassword": PASSWORD, **new})
    assert done.status_code == 302


@pytest.mark.usefixtures("_short_day")
def test_after_very_many_in_a_day_a_name_is_slow_for_strangers_and_open_for_its_owner() -> None:
    user = account()  # without an address: nobody can mail a code
    home = device_of(user)
    guess_all_day()
    answers = guess(CAFE, times=4)
    assert ["today" in said for said in answers] == [False, False, False, True]
    new = at("198.51.100.9")
    assert sign_in(new).status_code == 302  # still three tries from each network
    assert who(new) == user.pk
    guess(HOME, times=4)
    assert sign_in(home).status_code == 302


@pytest.mark.usefixtures("_short_day")
def test_very_many_in_a_day_show_in_the_same_way_for_names_that_nobody_has() -> None:
    account("ada", "ada@example.org")
    EmailAddress.objects.create(user=User.objects.get(), email="ada@example.org", verified=True)
    for login in ("ada", "nobody"):
        guess_all_day(login)
    one, other = ([s.replace(login, "") for s in guess(CAFE, login, 4)]
                  for login in ("ada", "nobody"))  # fmt: skip
    assert one == other
    assert "today" in one[-1]


def test_refused_log_ins_are_logged_without_name_and_address(caplog) -> None:
    user = account()
    guess(CAFE, times=6)
    refused = [r for r in caplog.records if getattr(r, "event", "") == "login_refused"]
    assert [record.user for record in refused] == [user.pk]
    assert not any(word in record.getMessage() for record in refused for word in ("ada", CAFE))


def test_the_cache_holds_neither_names_nor_addresses(settings) -> None:
    keys: list[str] = []
    settings.CACHES = {
        name: {**about, "KEY_FUNCTION": lambda key, *_: keys.append(key) or key}
        for name, about in settings.CACHES.items()
    }
    account("ada", "ada@example.org")
    guess(CAFE, "ada@example.org", 1)
    assert any(key.startswith("log-in:") for key in keys)
    assert not any("ada" in key for key in keys if key.startswith("log-in:"))


def test_a_counted_attempt_can_be_refunded_and_never_below_zero() -> None:
    assert [count("k", 60), count("k", 60)] == [1, 2]
    for _ in range(4):
        take_back("k")
    assert (read_count("k"), read_count("never")) == (0, 0)
    assert count("k", 60) == 1


def test_the_device_of_one_account_is_none_of_another_with_the_same_address() -> None:
    """Anybody may sign up with ada's address; that must not let them guess as a device of hers."""
    ada = account("ada", "ada@example.org")
    decoy = at(CAFE)
    decoy.post("/sign-up/", NEW | {"username": "eve", "email": "ada@example.org"})
    decoy.post("/log-out/")
    said = [text_of(sign_in(decoy, "ada@example.org", "wrong")) for _ in range(5)]
    assert not any("Too many failed attempts" in text for text in said)
    assert read_count(f"log-in:user-day:{ada.pk}") == 5
    assert "Too many failed attempts" in text_of(sign_in(at(CAFE), "ada@example.org", "wrong"))


def test_a_class_behind_one_address_may_log_in_at_the_same_moment() -> None:
    """Right passwords count until they have been checked."""
    request = RequestFactory(REMOTE_ADDR=CAFE).post("/log-in/")
    request.user = AnonymousUser()
    for number in range(40):
        begin_attempt(request, f"pupil-{number}", [])
    with pytest.raises(TooOften):
        begin_attempt(request, "pupil-40", [])


def test_a_reset_forgets_nothing_for_an_address_that_is_not_confirmed() -> None:
    """Eve names ada's address as her new one; a reset of her own password must not help her."""
    account("ada", "ada@example.org")
    eve = account("eve", "eve@example.org")
    EmailAddress.objects.create(user=eve, email="eve@example.org", verified=True, primary=True)
    EmailAddress.objects.create(user=eve, email="ada@example.org", verified=False)
    guess(CAFE, "ada@example.org")
    browser = at(CAFE)
    browser.post("/password/reset/", {"email": "eve@example.org"})
    form = browser.get(links_in(mail.outbox[-1].body)[0]).headers["Location"]
    assert browser.post(form, {"password1": OTHER, "password2": OTHER}).status_code == 302
    assert "Too many failed attempts" in text_of(sign_in(at(CAFE), "ada@example.org"))
