"""The column of names: one name whatever its case, and found by an index."""

from typing import Any

from django.db import models
from django.db.models import Lookup


class NameField(models.CharField):  # type: ignore[type-arg]
    """A CharField to the database; `__iexact` reads the index on the lower-case name.

    Django's own `iexact` compares in a way that no index of ours serves, so that each log-in would
    read the names of all guests there ever were.
    """

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """As a CharField: to migrations there is no difference."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", [*args], kwargs


@NameField.register_lookup
class SameName(Lookup):
    """Equal but for the case of its letters, which are ASCII."""

    lookup_name = "iexact"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """`LOWER(column) = …`, as the index has it."""
        left, left_params = self.process_lhs(compiler, connection)
        right, right_params = self.process_rhs(compiler, connection)
        return f"LOWER({left}) = LOWER({right})", (*left_params, *right_params)
