"""Bio and country of people: saved by themselves, shown on their profile, removed by staff."""

from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from accounts.models import PublicProfile, User
from accounts.public_profile.countries import country_names, flag_of


@dataclass(frozen=True, slots=True)
class Details:
    """Texts of a person about themselves; both may be empty."""

    bio: str = ""
    country: str = ""  # code of ISO 3166-1

    @property
    def country_name(self) -> str:
        """The name of the country in the active language; empty without one."""
        return country_names().get(self.country, "")

    @property
    def flag(self) -> str:
        """The flag of the country as an emoji; empty without one."""
        return flag_of(self.country) if self.country_name else ""


NO_DETAILS: Final = Details()


def read_details(user_id: int) -> Details:
    """Return a user's bio and country; one query."""
    row = PublicProfile.objects.filter(user=user_id).values_list("bio", "country").first()
    return Details(*row) if row else NO_DETAILS


def visible_details(person: User, *, is_blocked: bool) -> Details:
    """Return the details of a person that a reader may see.

    Empty for guests, computer players, suspended and deleted users, and for a person whom the
    reader has blocked.
    """
    is_shown = person.is_account and person.is_active and not is_blocked
    return read_details(person.pk) if is_shown else NO_DETAILS


def save_details(user_id: int, details: Details) -> bool:
    """Store a user's bio and country; return False if the user may not, as after deletion.

    The caller has checked both texts.
    """
    with transaction.atomic():
        # Locked, so that a deletion of the account at the same time leaves nothing behind.
        users = User.objects.select_for_update(no_key=True)
        account = users.filter(pk=user_id, is_active=True, is_guest=False, is_bot=False)
        if account.first() is None:
            return False
        if details == NO_DETAILS:
            delete_details(user_id)
        else:
            values = {"bio": details.bio, "country": details.country}
            PublicProfile.objects.update_or_create(user_id=user_id, defaults=values)
    return True


def delete_details(user_id: int) -> None:
    """Delete a user's bio and country."""
    PublicProfile.objects.filter(user=user_id).delete()


def export_details(user_id: int) -> dict[str, Any]:
    """Return a user's bio and country, JSON-ready."""
    details = read_details(user_id)
    return {"bio": details.bio, "country": details.country}
