"""Detection of leaks: nobody may receive a sealed action before it is revealed.

A hand takes each split once in a game, so that a sealed action is a canary: a text to others with
its three numbers in a row, in any spelling, is a leak.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from random import Random

KEPT = 400  # texts that are kept of a game, to search them for salts
BETWEEN = r"(?:[\s,;:/_\-+|\"']|%20|%2C){1,4}"
ACTION = re.compile(rf"troops{BETWEEN}\d+{BETWEEN}\d+{BETWEEN}\d+")
# A round earns 2, 3 or 4 points: troops of such numbers alone would be found in the scores.
ALL = [
    f"troops {a} {b} {10 - a - b}"
    for a, b in product(range(11), repeat=2)
    if a + b <= 10 and not {a, b, 10 - a - b} <= {2, 3, 4}
]


def search(action: str) -> re.Pattern[str]:
    """Pattern that matches an action with any separators, or its unsalted hash."""
    a, b, c = action.split()[1:]
    numbers = rf"(?<![\w.:-]){a}{BETWEEN}{b}{BETWEEN}{c}(?![\w.])"
    bare = "|".join(sha256(text.encode()).hexdigest() for text in (action, f"{a} {b} {c}"))
    return re.compile(f"{numbers}|troops[^0-9]{{1,8}}{numbers}|{bare}")


@dataclass
class LeakDetector:
    """The secrets of all games of a run, and the texts that each role received."""

    random: Random
    leaks: list[str] = field(default_factory=list)
    searched: int = 0  # texts that were looked through while something was secret
    used: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    secret: dict[str, list[tuple[str, re.Pattern[str]]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    step: dict[str, int] = field(default_factory=dict)  # the one that is being sealed, by game
    overheard: dict[tuple[str, int], list[tuple[str | None, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )  # role and text of messages before the reveal of a step

    def draw(self, slug: str) -> str:
        """Troops that nobody has sent yet in a game."""
        action = self.random.choice([text for text in ALL if text not in self.used[slug]])
        self.used[slug].add(action)
        return action

    def sealing(self, slug: str, step: int, role: str, action: str, is_last: bool) -> None:
        """Note that a role is about to send its troops; after the second role's nothing is
        secret."""
        self.step[slug] = step
        if is_last:
            self.secret[slug].clear()
        else:
            self.secret[slug].append((role, search(action)))

    def heard(self, slug: str, by: str | None, where: str, text: str) -> None:
        """Search a text that a role or a spectator received about a game."""
        secrets = self.secret.get(slug, ())
        if secrets and len(self.overheard[slug, self.step[slug]]) < KEPT:
            self.overheard[slug, self.step[slug]].append((by, text))
        for role, pattern in secrets:
            if role == by:
                continue
            self.searched += 1
            if found := pattern.search(text):
                around = text[max(0, found.start() - 60) : found.end() + 20]
                self.leaks.append(f"{where}: {by or 'a spectator'} got {role}'s seal: …{around}…")

    def salts(self, slug: str, step: int, salts: dict[str, str]) -> None:
        """Search the texts from before a reveal for the salts of its step."""
        for role, salt in salts.items():
            for by, text in self.overheard.get((slug, step), ()):
                if salt in text:
                    self.leaks.append(f"{by or 'a spectator'} got the salt of {role} in {slug}")

    def said(self, where: str, text: str) -> None:
        """Search a text of a log or of the layer, which may never contain an action."""
        self.searched += 1
        self.leaks += [f"{where} has {found!r}" for found in set(ACTION.findall(text))]
