"""Resource usage of the server's processes during a soak, and its growth."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict

import httpx

from tests.bench.processes import tree
from tests.faults.servers.deployments import Deployment
from tests.faults.servers.process_usage import descriptors, memory, threads

RSS = "RSS, MiB"


class Samples:
    """Measurements of the server's processes, by name: (actions performed, value)."""

    def __init__(self, deployment: Deployment, metrics_port: int) -> None:
        self.series: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self._deployment, self._metrics_port = deployment, metrics_port

    async def take(self, performed: int) -> None:
        """Record the server's resource usage now."""
        pids = tree(web.pid for web in self._deployment.webs)
        values = {
            RSS: sum(map(memory, pids)),
            "files": float(sum(map(descriptors, pids))),
            "threads": float(sum(map(threads, pids))),
        }
        if self._deployment.postgres:
            rows = await asyncio.to_thread(
                self._deployment.ask, "select count(*) from pg_stat_activity"
            )
            values["database connections"] = float(rows[0][0])
        async with httpx.AsyncClient(trust_env=False, timeout=10) as visitor:
            answer = await visitor.get(f"http://127.0.0.1:{self._metrics_port}/metrics")
        for name, value in re.findall(r"^quiver_(sockets|tasks) (\S+)", answer.text, re.MULTILINE):
            values[name] = float(value)
        for name, value in values.items():
            self.series[name].append((float(performed), value))


def growth(series: list[tuple[float, float]], warm: float) -> float:
    """Return the growth of a series in a million actions, by least squares.

    Points before `warm` actions are left out; 0.0 for fewer than three.
    """
    points = [point for point in series if point[0] >= warm]
    if len(points) < 3:
        return 0.0
    middle = sum(x for x, _ in points) / len(points)
    mean = sum(y for _, y in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    above = sum((x - middle) * (y - mean) for x, y in points)
    return 1e6 * above / spread if spread else 0.0
