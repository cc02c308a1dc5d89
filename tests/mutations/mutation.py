"""A planted fault: one text of a file of the site, replaced by another."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutation:
    """A fault that at least one test has to notice.

    `old` occurs exactly once in `file`. `first` names the tests that are the likeliest to notice
    it: the basename of a file below tests/, with `::` and the test's name where one is enough.
    """

    number: int
    name: str  # what goes wrong, for people
    file: str  # path from the root of the checkout
    old: str
    new: str
    first: tuple[str, ...]
    is_on_servers: bool = False  # about PostgreSQL and Redis: its first tests run on them

    @property
    def is_script(self) -> bool:
        """Whether it is a fault of a page's script, whose tests run under Node."""
        return self.file.endswith(".js")

    def mutate(self, text: str) -> str:
        """Return the text of the file with the fault. Raise `NotApplicable`."""
        count = text.count(self.old)
        if count != 1:
            raise NotApplicable(
                f"mutation {self.number} ({self.name}): its old text occurs {count} times in "
                f"{self.file}, not once; adapt tests/mutations to the code"
            )
        return text.replace(self.old, self.new)


class NotApplicable(Exception):
    """A mutation does not fit the code any more."""
