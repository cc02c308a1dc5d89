"""Context processor that adds the settings that templates need."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest


@dataclass(frozen=True, slots=True)
class Operator:
    """The operator of this site from the environment; all of it may be missing."""

    name: str
    email: str
    address: tuple[str, ...]  # lines

    @property
    def has_contact(self) -> bool:
        """Whether a visitor can write to the operator."""
        return bool(self.email or self.address)


def operator() -> Operator:
    """Return the operator that the settings name."""
    address = tuple(line for line in settings.OPERATOR_ADDRESS if line)
    return Operator(settings.OPERATOR_NAME, settings.OPERATOR_EMAIL, address)


def site(request: HttpRequest) -> dict[str, object]:
    """Return the settings that templates need.

    `origin` begins absolute links, `sends_mail` says whether pages offer features that need e-mail,
    `operator` runs the site, and `source_url` has its source code.
    """
    return {
        "origin": settings.ORIGIN,
        "sends_mail": settings.SENDS_MAIL,
        "operator": operator(),
        "source_url": settings.SOURCE_URL,
    }
