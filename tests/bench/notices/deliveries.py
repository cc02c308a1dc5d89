"""Measure deliveries of pushes by a push server that fails and hangs, in real time.

    python -m tests.bench.notices.deliveries [--notices 10000] [--rate 40] [--posters 2] [--kills]

Makes notices at a steady rate, due at the moment at which they are made, as by a turn. The push
server answers 30 % of requests with 500, and hangs 5 % after it has accepted them. A device shows a
notification when its push was accepted; one with the same tag replaces it. `--kills` kills a random
poster every few seconds and starts another.
"""

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]
DEVICES_SQL = "SELECT state, count(*) FROM notices_post GROUP BY state"
PER_USER = 4  # notices for one user: below the limit of an hour
KILL_INTERVAL_S = (3.0, 9.0)
PATIENCE_S = 300.0  # after the last notice, for those that hang again and again


def prepare(folder: Path) -> None:
    """Make the database of a site on a folder."""
    os.environ["QUIVER_DATA"] = str(folder)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    sys.path[:0] = [str(ROOT / "site"), str(ROOT)]
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def make_people(count: int) -> list[int]:
    """Make users, each with a session and a device; return the ids of the users."""
    from django.utils import timezone

    from accounts.models import Session, User
    from notices.models import PushDevice
    from notices.push.devices import digest_of
    from tests.support.servers.push_server import HOST, browser_keys

    User.objects.bulk_create([User(username=f"p{n}", password="!") for n in range(count)])
    ids = list(User.objects.filter(is_bot=False).order_by("pk").values_list("pk", flat=True))
    until = timezone.now() + timezone.timedelta(days=9)
    rows = [(user, f"{user:064}") for user in ids]
    Session.objects.bulk_create(
        [Session(session_key=key, session_data="", expire_date=until, user=u) for u, key in rows]
    )
    p256dh, auth, _ = browser_keys()
    PushDevice.objects.bulk_create(
        [
            PushDevice(
                user_id=user, session=key, endpoint=f"https://{HOST}/{user}",
                endpoint_digest=digest_of(f"https://{HOST}/{user}"), p256dh=p256dh, auth=auth,
                name="Bench", language="en",
            )
            for user, key in rows
        ]
    )  # fmt: skip
    return ids


def make_notices(first: int, count: int, people: list[int]) -> None:
    """Make notices of games that others have joined, due now; nothing closes them."""
    from notices.models import Kind, Notice
    from play.domain.clocks import now

    at = now()
    Notice.objects.bulk_create(
        [
            Notice(
                user_id=people[number % len(people)], kind=Kind.JOINED, subject=f"n{number}",
                data={"rules": "pincer", "name": "ada", "game": "abc"}, created=at, due=at,
            )
            for number in range(first, first + count)
        ]
    )  # fmt: skip


class Posters:
    """Posting processes that may be killed."""

    def __init__(self, count: int, port: int, certificate: Path, log: Path) -> None:
        self._command = [
            sys.executable, "-m", "tests.bench.notices.poster", str(port), str(certificate)
        ]  # fmt: skip
        self._environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'site'}:{ROOT}"}
        self._log = log
        self.processes = [self._start() for _ in range(count)]
        self.kills = 0

    def _start(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as words:
            return subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=words, stderr=words
            )

    async def kill_at_random(self) -> None:
        """Kill one now and then, with SIGKILL, and start another in its place."""
        while True:
            await asyncio.sleep(random.uniform(*KILL_INTERVAL_S))
            index = random.randrange(len(self.processes))
            self.processes[index].kill()
            self.processes[index].wait()
            self.processes[index] = self._start()
            self.kills += 1

    def stop(self) -> None:
        """End all."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(20)


async def measure(folder: Path, options: argparse.Namespace) -> None:
    """Run the bench and print what came of it."""
    from notices.models import Notice, Post
    from tests.support.servers import push_server

    loop, seed = asyncio.get_running_loop(), options.seed
    certificate = push_server.write_certificate(folder)
    answer = push_server.fails_and_hangs(0.30, 0.05, seed)
    server = push_server.PushServer(certificate, answer, is_keeping=False)
    await server.start()
    people = await asyncio.to_thread(make_people, options.notices // PER_USER)
    posters = Posters(options.posters, server.port, certificate, folder / "posters.txt")
    await asyncio.sleep(4)
    killing = asyncio.create_task(posters.kill_at_random()) if options.kills else None
    begin, made = loop.time(), 0
    while made < options.notices:
        target = min(options.notices, int((loop.time() - begin) * options.rate) + 1)
        if target > made:
            await asyncio.to_thread(make_notices, made, target - made, people)
            made = target
        await asyncio.sleep(0.5)
    until = loop.time() + PATIENCE_S
    while loop.time() < until:
        await asyncio.sleep(2)
        waiting = Post.objects.filter(state="waiting")
        left = await asyncio.to_thread(waiting.count)
        unplanned = await asyncio.to_thread(Notice.objects.filter(is_planned=False).count)
        if not left and not unplanned:
            break
    if killing is not None:
        killing.cancel()
    await asyncio.to_thread(posters.stop)
    await asyncio.to_thread(report, server, options, posters.kills)
    await server.stop()


def report(server: object, options: argparse.Namespace, kills: int) -> None:
    """Print the figures."""
    from collections import Counter

    from notices.delivery.policy import tag_of
    from notices.models import Post

    shown, first = server.shown, server.first_shown  # type: ignore[attr-defined]
    states: Counter[str] = Counter(Post.objects.values_list("state", flat=True))
    latencies, missing = [], []
    for post in Post.objects.select_related("notice"):
        key = (f"/{post.notice.user_id}", tag_of(post.notice.kind, post.notice.subject))
        if key in first:
            latencies.append(first[key] - post.notice.due / 1000)
        else:
            missing.append(post.state)
    latencies.sort()
    extra = sum(shown.values()) - len(shown)
    print(f"{options.notices} notices, {options.posters} posters, {kills} killed")
    print(f"posts by state: {dict(states)}")
    print(f"notifications shown: {len(shown)}; of those replaced by a repeat: {extra}")
    print(f"never accepted: {len(missing)} {dict(Counter(missing))}")
    p95 = latencies[int(0.95 * len(latencies))]
    p50, worst = statistics.median(latencies), latencies[-1]
    print(f"s from turn to notification: p50 {p50:.1f}, p95 {p95:.1f}, worst {worst:.1f}")


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--notices", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=40.0, help="notices a second")
    parser.add_argument("--posters", type=int, default=1)
    parser.add_argument("--kills", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        prepare(Path(name))
        begin = time.monotonic()
        asyncio.run(measure(Path(name), options))
        print(f"{time.monotonic() - begin:.0f} s in all")
        log = (Path(name) / "posters.txt").read_text()
        print(f"tracebacks in the log of the posters: {log.count('Traceback')}")
        if "Traceback" in log:
            print(log[-3000:])


if __name__ == "__main__":
    main()
