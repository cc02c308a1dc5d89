"""Users of the computer players: one for each level, for all games."""

from typing import Final

from django.db import IntegrityError, transaction

from accounts.models import User

# By level, weakest first; `accounts.people.names` keeps these names from people.
NAMES: Final = ("Wren", "Finch", "Jay", "Magpie", "Kestrel", "Harrier", "Falcon", "Eagle")


def computer(level: int) -> User:
    """Return the computer player of a level (1 to 8); the first call creates it."""
    found = User.objects.filter(level=level).first()
    if found:
        return found
    name = NAMES[level - 1]
    for spelling in (name, f"{name}-computer", f"{name}-computer-{level}"):
        user = User(username=spelling, is_bot=True, level=level)
        user.set_unusable_password()
        try:
            with transaction.atomic():  # a person may have had the name before it was reserved
                user.save(force_insert=True)
        except IntegrityError:
            if found := User.objects.filter(level=level).first():
                return found
        else:
            return user
    raise RuntimeError(f"no name is free for the computer player of level {level}")


def computers() -> list[User]:
    """Return all computer players, weakest first."""
    return [computer(level) for level in range(1, len(NAMES) + 1)]
