"""Argon2 within bounds: what a password costs in memory, and how many are weighed at once."""

import threading

from django.contrib.auth.hashers import Argon2PasswordHasher

AT_ONCE = 3  # in one process; 3 × 46 MiB is the most that passwords ever take there
ROOM = threading.BoundedSemaphore(AT_ONCE)


class BoundedArgon2(Argon2PasswordHasher):
    """Argon2id with 46 MiB and one lane, OWASP's larger choice; Django's own takes 100 MiB and
    eight. A password kept with other costs is kept anew when it is next entered."""

    memory_cost = 47104  # KiB
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """The hash, as soon as there is room."""
        with ROOM:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Whether the password is the one, as soon as there is room."""
        with ROOM:
            return super().verify(password, encoded)
