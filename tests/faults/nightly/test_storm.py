"""Random games of all rules while the server is killed and frames are lost or repeated.

When everything is over, the database file and what every page was told have to tell one story:
nothing that was acknowledged is lost, nothing happened twice, nothing came from nowhere. The
plan of troubles is drawn from `TROUBLE_SEED`, so that a failure can be had again.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.faults.cases.storm import HOUR, PlannedEnd, ServerEnder, Table
from tests.faults.laws.evidence import Evidence, Exports
from tests.faults.laws.planted_evidence import FAULTS
from tests.faults.laws.stored_rows import read_rows
from tests.faults.laws.verdict import LAWS
from tests.support.servers.server_process import ROOT, Server, embedded

pytestmark = [
    pytest.mark.timeout(900),  # of which a machine that does nothing else needs 40
    pytest.mark.embedded("the evidence is read from SQLite files"),
]
SEED = int(os.environ.get("TROUBLE_SEED", "1"))
PLANNED_ENDS = [
    PlannedEnd(60, "blotto"),
    PlannedEnd(120, "pincer", "stumble"),
    PlannedEnd(180, "amazons-8x8"),
    PlannedEnd(260, "amazons-10x10", "stop"),
    PlannedEnd(360, "amazons"),
]
# Refusals that the troubles explain; an action offered by the server is never illegal.
EXPLAINED = frozenset(
    {
        "stale_step",
        "already_sealed",
        "not_in_control",
        "no_offer",
        "offer_stands",
        "no_takeback",
        "not_parted",  # a takeback has joined the sides again
        "over",
    }
)
BY_THE_RULES = {"no_moves", "rounds", "captured_all", "one_each", "no_pieces", "fifty_moves"}
LONGEST = 400  # seconds of play; it takes 10 to 20 where nothing else runs
MAX_LOST_S = 5  # seconds credited beside the hour, and beside what the longest restart took


def tables() -> list[Table]:
    """Every rule set; two games against the clock, and three that the rules do not end."""
    return [
        Table("amazons", ending="counted"),
        Table("amazons-10x10"),
        Table("amazons-8x8", clock="fischer:180:2"),
        Table("pincer"),
        Table("pincer", ending="agreed", finale=12),
        Table("blotto"),
        Table("blotto", clock="limit:600"),
        Table("blotto", ending="resigned", finale=3),
    ]


@dataclass(frozen=True)
class Aftermath:
    """The evidence about all games and servers after a storm."""

    games: list[tuple[Table, Evidence]]
    ends: Counter[str]  # number of ends of servers, by kind
    longest: float  # seconds for which the site was not there
    server_output: str  # output of all servers
    folder: Path

    def of(self, key: str) -> Evidence:
        """The first game of a rule set."""
        return next(evidence for table, evidence in self.games if table.key == key)


async def storm(data: Path) -> Aftermath:
    """Plays all tables to their ends through the troubles."""
    random, server, played = Random(SEED), Server(data), tables()
    server_ender = ServerEnder(server, random, PLANNED_ENDS)
    try:
        await server.start()
        for table in played:
            await table.set_up(server)
        with suppress(TimeoutError):  # then some law says what is stuck
            async with asyncio.timeout(LONGEST):
                await asyncio.gather(
                    *(hand for t in played for hand in t.begin(server_ender, random))
                )
        await server_ender.rest()
        await asyncio.gather(*(table.settle() for table in played))
        shown = [await exports(table) for table in played]
        assert await server.stop() == 0
    finally:
        server.kill()
    rows = read_rows(server.database)
    games = [
        (
            table,
            Evidence(
                rows[table.slug],
                [replace(page.snapshot(), is_open=True) for page in table.pages],
                unsent=frozenset({"open", "credit"}),
                explained=EXPLAINED,
                exports=each,
                extra={"is_quiet": True},
            ),
        )
        for table, each in zip(played, shown, strict=True)
    ]
    return Aftermath(
        games, server_ender.ends, server_ender.longest, server.log_path.read_text(), data
    )


async def exports(table: Table) -> Exports:
    """The answers of a game's addresses after its end."""
    visitor = table.visitors["black"]
    page = await visitor.get(f"/g/{table.slug}/")
    steps = await visitor.get(f"/g/{table.slug}/steps?from=0")
    record = await visitor.get(f"/g/{table.slug}/record.json")
    data = {name: read_script(page.text, name) for name in ("snapshot", "played-steps")}
    return Exports(data, steps.json()["steps"], record.json())


def read_script(page: str, name: str) -> Any:
    """The data that a page brings along for its scripts."""
    head = f'<script id="{name}" type="application/json">'
    return json.loads(page.split(head)[1].split("</script>")[0])


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory) -> Aftermath:
    """One storm for all tests of this file."""
    return asyncio.run(storm(tmp_path_factory.mktemp("storm")))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_record_and_all_pages_tell_one_story(aftermath, law):
    faults = [(table.key, fault) for table, game in aftermath.games for fault in law(game)]
    assert faults == []


def test_every_game_came_to_its_end(aftermath):
    for table, evidence in aftermath.games:
        allowed = {
            "rules": BY_THE_RULES,
            "counted": {*BY_THE_RULES, "counted", "counted_quiet", "counted_long"},
        }.get(table.ending, {table.ending})
        assert evidence.game["reason"] in allowed


def test_the_time_for_which_the_server_was_gone_is_given_back(aftermath):
    for table, evidence in aftermath.games:
        gifts = [
            json.loads(e["body"])["ms"] for e in evidence.rows.entries if e["kind"] == "credit"
        ]
        # The rest of the pause after a reveal is on nobody's clock, and is not credited.
        pause = json.loads(evidence.rows.entries[0]["body"])["reveal_pause_ms"]
        for gift in gifts:  # more than one hour, if the successor was killed before it could give
            hours, rest = divmod(gift + pause, HOUR * 1_000)
            assert hours in (1, 2), gift
            assert rest <= (aftermath.longest + MAX_LOST_S) * 1_000 + pause
        assert bool(gifts) == (table.clock != "none")


def test_the_rules_at_the_command_line_accept_every_exported_record(aftermath):
    for table, evidence in aftermath.games:
        file = aftermath.folder / f"{table.slug}.json"
        file.write_text(json.dumps(evidence.exports.record))
        command = [sys.executable, "-m", "games", "replay", str(file)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        line = json.loads(done.stdout)
        assert "error" not in line
        assert line["terminal"] == (evidence.game["reason"] in BY_THE_RULES)
        if line["terminal"]:
            assert line["goals"] == json.loads(evidence.game["goals"])


def test_every_ledger_is_right_in_the_database_and_in_the_exported_record(aftermath):
    files = [str(aftermath.folder / f"{table.slug}.json") for table, _ in aftermath.games]
    for file, (_, evidence) in zip(files, aftermath.games, strict=True):
        Path(file).write_text(json.dumps(evidence.exports.record), encoding="utf-8")
    environment = {**embedded(), "QUIVER_DATA": str(aftermath.folder)}
    for command in (["manage.py", "verify", "--all"], ["-m", "games", "verify", *files]):
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, env=environment
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        assert done.stdout.count(": right\n") == len(aftermath.games)


def test_the_servers_complained_of_nothing(aftermath):
    assert "Traceback" not in aftermath.server_output
    assert "[error" not in aftermath.server_output


def test_the_trouble_was_real(aftermath):
    assert aftermath.ends == {"kill": 3, "stop": 1, "stumble": 1}
    told = Counter[str]()
    for _, evidence in aftermath.games:
        told["lines lost"] += len(list(evidence.heard("closed")))
        told.update(event["reason"] for _, event in evidence.heard("refused"))
        receipts = list(evidence.heard("receipt"))
        told["done already"] += sum(event["again"] for _, event in receipts)
        first = {(page.role, event["id"]) for page, event in receipts if not event["again"]}
        told["first receipt lost"] += len({(p.role, e["id"]) for p, e in receipts} - first)
    told["taken back"] = sum(evidence.game["takebacks"] for _, evidence in aftermath.games)
    assert told["taken back"] > 5
    assert told["lines lost"] > 100
    assert told["done already"] > 20
    assert told["first receipt lost"] > 5
    assert told["stale_step"] > 5
    assert told["illegal"] + told["bad_action"] > 5


@pytest.mark.parametrize(
    ("key", "plant", "law"), FAULTS, ids=lambda each: getattr(each, "__name__", each)
)
def test_a_planted_fault_is_found(aftermath, key, plant, law):
    evidence = aftermath.of(key)
    assert list(law(evidence)) == []
    planted = deepcopy(replace(evidence))  # without what the laws have worked out
    plant(planted)
    assert list(law(planted)) != []
