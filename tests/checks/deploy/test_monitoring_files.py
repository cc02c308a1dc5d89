"""Prometheus rules and the Grafana dashboard name metrics and labels that exist."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY
from prometheus_client.registry import CollectorRegistry

from play.process_metrics import ProcessCollector
from server.http_limits import REFUSED
from telemetry import counters
from tests.checks.deploy.kit import GUIDE, KIT, read_yaml
from tests.checks.project_files import text_of

FOLDER = KIT / "monitoring"
NAME = re.compile(r"\b(?:quiver|process)_\w+(?!\w*=)")
LABELLED = {
    counters.ACTIONS: ["outcome"],
    counters.EVICTIONS: ["reason"],
    counters.READS: ["kind"],
    counters.HTTP_SECONDS: ["route", "method", "status"],
    counters.RATE_LIMITED: ["limit"],
    REFUSED: ["reason"],
}
ADDED_BY_PROMETHEUS = {"instance", "job", "process", "le"}  # and by prometheus-scrape.yml


def rules() -> list[dict[str, Any]]:
    """All alerts."""
    [group] = read_yaml(FOLDER / "prometheus-rules.yml")["groups"]
    return group["rules"]


def queries() -> dict[str, str]:
    """All queries of the rules and the dashboard, by where they stand."""
    found = {rule["alert"]: rule["expr"] for rule in rules()}
    dashboard = json.loads(text_of(FOLDER / "grafana-dashboard.json"))
    for panel in dashboard["panels"]:
        for target in panel.get("targets", ()):
            found[f"{panel['title']} {target['refId']}"] = target["expr"]
    return found


QUERIES = queries()


@pytest.fixture(scope="module")
def samples() -> dict[str, set[str]]:
    """The labels of all time series that a process can have, by the name of the series."""
    for metric, names in LABELLED.items():
        metric.labels(**dict.fromkeys(names, "test"))  # wrong names raise ValueError
    registry = CollectorRegistry()
    registry.register(ProcessCollector())
    found: dict[str, set[str]] = {}
    for family in [*REGISTRY.collect(), *registry.collect()]:
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


@pytest.mark.parametrize("where", QUERIES)
def test_all_metrics_of_a_query_exist(where, samples) -> None:
    named = {name for name in NAME.findall(QUERIES[where]) if name != "process_"}
    assert named - samples.keys() == set()
    assert named or QUERIES[where].startswith(("up{", "absent(up{"))


@pytest.mark.parametrize("where", QUERIES)
def test_a_query_groups_by_labels_that_its_metrics_have(where, samples) -> None:
    query = QUERIES[where]
    groups = re.findall(r"by \(([^)]*)\)", query)
    labels = {each.strip() for group in groups for each in group.split(",")}
    labels |= set(re.findall(r'(\w+)="', query))
    known = set().union(*(samples[name] for name in NAME.findall(query)), ADDED_BY_PROMETHEUS)
    assert labels <= known


def test_that_check_finds_a_metric_that_does_not_exist(samples) -> None:
    assert set(NAME.findall("rate(quiver_nothing_total[5m])")) - samples.keys()


def test_the_guide_says_of_each_alert_what_to_do() -> None:
    text = text_of(GUIDE)
    assert len(rules()) >= 12
    for rule in rules():
        assert f"`{rule['alert']}`" in text, rule["alert"]
        assert rule["annotations"]["summary"].endswith(".") and rule["labels"]["severity"]


def test_no_label_can_hold_a_user_or_a_game(samples) -> None:
    own = {name: labels for name, labels in samples.items() if name.startswith("quiver_")}
    allowed = {"outcome", "reason", "kind", "route", "method", "status", "limit", "le"}
    assert own and set().union(*own.values()) == allowed


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool (Debian: prometheus)")
class TestPromtool:
    def test_the_alerts_fire_when_they_should_and_only_then(self) -> None:
        checked("test", "rules", "prometheus-rules-test.yml")

    def test_rules_and_targets_are_valid(self) -> None:
        checked("check", "rules", "prometheus-rules.yml")
        checked("check", "config", "--syntax-only", "prometheus-scrape.yml")

    def test_a_rule_that_fires_too_late_is_found(self, tmp_path) -> None:
        for file in FOLDER.glob("prometheus-rules*.yml"):
            shutil.copy(file, tmp_path)
        late = tmp_path / "prometheus-rules.yml"
        late.write_text(late.read_text().replace("for: 1m", "for: 1h"))
        with pytest.raises(AssertionError, match="QuiverDown"):
            checked("test", "rules", "prometheus-rules-test.yml", folder=tmp_path)


def checked(*words: str, folder: Path = FOLDER) -> None:
    """Run promtool in a folder; fail with what it says."""
    ran = subprocess.run(["promtool", *words], cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
