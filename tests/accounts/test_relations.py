"""Follows and blocks: permissions, ends, limits, data export and account deletion."""

import pytest

from accounts.account_service import delete_user, export_profile
from accounts.models import Block, Follow, User
from accounts.people import relations
from accounts.people.blocks import blocked_ids, is_blocked
from accounts.people.computer_users import computer
from accounts.people.relations import RelationReason, block, follow, followed_by, unblock, unfollow
from accounts.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(db) -> User:
    return User.objects.create(username="shy-owl-11", is_guest=True)


def refusal(deed, *args) -> RelationReason:
    """The reason for which a deed is refused; nothing may have changed."""
    before = [list(table.objects.order_by("pk").values()) for table in (Follow, Block)]
    with pytest.raises(Refused) as refused:
        deed(*args)
    assert [list(table.objects.order_by("pk").values()) for table in (Follow, Block)] == before
    assert refused.value.say
    return refused.value.reason


def test_an_account_follows_another_under_any_spelling_once(ada, bob) -> None:
    assert follow(ada, "BOB") == follow(ada, "bob") == bob
    assert followed_by(ada.pk) == [bob]
    assert followed_by(bob.pk) == []
    unfollow(ada, "bob")
    unfollow(ada, "bob")
    assert not Follow.objects.exists()


@pytest.mark.parametrize("name", ["", "nobody-here", "bo\0b", "b" * 10_000, "ada or 1=1"])
@pytest.mark.parametrize("deed", [follow, unfollow, block, unblock])
def test_nobody_has_an_impossible_name(ada, deed, name: str) -> None:
    assert refusal(deed, ada, name) is RelationReason.NOBODY


def test_nobody_follows_or_blocks_themselves_a_guest_or_a_computer(ada, bob, guest) -> None:
    level_one = computer(1).username
    assert refusal(follow, ada, "ada") is refusal(block, ada, "ada") is RelationReason.YOURSELF
    assert (
        refusal(follow, ada, guest.username)
        is refusal(follow, guest, "bob")
        is RelationReason.GUEST
    )
    assert (
        refusal(follow, ada, level_one) is refusal(block, ada, level_one) is RelationReason.COMPUTER
    )


def test_a_guest_blocks_and_is_blocked(ada, guest) -> None:
    block(guest, "ada")
    block(ada, guest.username)
    assert is_blocked(ada.pk, guest.pk)
    unblock(ada, guest.username)
    assert is_blocked(ada.pk, guest.pk)
    unblock(guest, "ada")
    assert not is_blocked(guest.pk, ada.pk)


def test_a_block_ends_follows_in_both_directions_and_is_refused_like_a_suspension(ada, bob) -> None:
    follow(ada, "bob")
    follow(bob, "ada")
    block(ada, "bob")
    block(ada, "bob")
    assert not Follow.objects.exists()
    assert refusal(follow, bob, "ada") is refusal(follow, ada, "bob") is RelationReason.UNAVAILABLE
    unblock(ada, "bob")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert refusal(follow, bob, "ada") is RelationReason.UNAVAILABLE


def test_lists_have_a_bound(ada, bob, monkeypatch) -> None:
    monkeypatch.setattr(relations, "MAX_FOLLOWED_USERS", 1)
    monkeypatch.setattr(relations, "MAX_BLOCKED_USERS", 1)
    User.objects.create(username="cy")
    User.objects.create(username="dee")
    follow(ada, "bob")
    follow(ada, "bob")
    assert refusal(follow, ada, "dee") is RelationReason.TOO_MANY
    block(ada, "dee")
    assert refusal(block, ada, "bob") is RelationReason.TOO_MANY


def test_the_copy_names_both_lists_and_deletion_clears_both_sides(ada, bob) -> None:
    cy = User.objects.create(username="cyn")
    follow(ada, "bob")
    follow(cy, "ada")
    block(ada, "cyn")
    follow(bob, "ada")
    copy = export_profile(ada)
    assert (copy["following"], copy["blocked"]) == (["bob"], ["cyn"])
    assert "ada" not in str(export_profile(cy)["blocked"])
    delete_user(ada.pk)
    assert not Follow.objects.exists()
    assert not Block.objects.exists()
    assert blocked_ids(cy.pk) == set()
