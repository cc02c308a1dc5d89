"""A site with QUIVER_MAIL_URL=off offers no feature that needs e-mail, and says so."""

import pytest
from django.core import mail

from accounts.models import User
from tests.support.page_visitors import text_of
from tests.support.sign_up_forms import NEW, PASSWORD, account

pytestmark = pytest.mark.django_db
SAYS = "doesn’t send email"


@pytest.fixture(autouse=True)
def _off(settings) -> None:
    settings.SENDS_MAIL = False


@pytest.mark.parametrize("path", ["/password/reset/", "/password/reset/sent/"])
def test_there_is_no_page_to_reset_a_password(client, path) -> None:
    account("ada", "ada@example.org")
    for answer in (client.get(path), client.post(path, {"email": "ada@example.org"})):
        assert answer.status_code == 404
        assert SAYS in text_of(answer)
    assert mail.outbox == []


def test_no_page_links_to_password_reset(client) -> None:
    assert "/password/reset/" not in client.get("/log-in/").content.decode()
    client.force_login(account())
    assert "/password/reset/" not in client.get("/password/").content.decode()


def test_a_used_link_offers_no_other_one(client) -> None:
    page = client.get("/password/reset/1-abc/").content.decode()
    assert "Get a new link" not in page and "no longer works" in page
    assert 'href="/">To the games' in page


def test_sign_up_has_no_email_field(client) -> None:
    assert 'name="email"' not in client.get("/sign-up/").content.decode()
    client.post("/sign-up/", NEW | {"email": "magnus@example.org"})
    assert User.objects.get().email == ""
    assert mail.outbox == []


def test_an_address_can_be_removed_but_not_added(client) -> None:
    user = account()
    client.force_login(user)
    user.emailaddress_set.create(email="ada@example.org", verified=True, primary=True)
    page = client.get("/e-mail/")
    assert SAYS in text_of(page)
    assert "action_add" not in page.content.decode()
    for deeds in ({"action_add": ""}, {"action_send": ""}, {"action_add": "", "action_remove": ""}):
        answer = client.post("/e-mail/", {"email": "new@example.org", **deeds})
        assert (answer.status_code, SAYS in text_of(answer)) == (404, True)
    assert [a.email for a in user.emailaddress_set.all()] == ["ada@example.org"]
    asked = client.post("/e-mail/", {"email": "ada@example.org", "action_remove": ""})
    client.post(asked.headers["Location"], {"password": PASSWORD})
    assert not user.emailaddress_set.exists()
    assert mail.outbox == []


def test_an_unconfirmed_address_is_not_offered_another_mail(client) -> None:
    user = account()
    client.force_login(user)
    user.emailaddress_set.create(email="ada@example.org", verified=False, primary=True)
    page = client.get("/e-mail/").content.decode()
    assert "action_send" not in page and "action_remove" in page
