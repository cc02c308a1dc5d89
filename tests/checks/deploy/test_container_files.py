"""Containerfile and compose.yaml of site/server/deploy, as far as they can be read without a
container tool: nothing here builds the image."""

import re
import shlex
from typing import Any

import pytest

from tests.checks.deploy.kit import KIT, KNOWN_COMMANDS, KNOWN_VARIABLES, read_yaml
from tests.checks.project_files import ROOT, text_of

FOLDER = KIT / "container"
COMPOSE: dict[str, Any] = read_yaml(FOLDER / "compose.yaml")
SITE = ("web-1", "web-2", "bots", "notices")
# A release with all its numbers, and a digest where the operator has added one.
EXACT_TAG = re.compile(
    r"(postgres:\d+\.\d+|:\d+\.\d+\.\d+)-(slim-)?bookworm(@sha256:[0-9a-f]{64})?$"
)
SERVICES = pytest.mark.parametrize("name", COMPOSE["services"])
OWN = pytest.mark.parametrize("name", SITE)


def containerfile() -> str:
    """Its text, each instruction on one line."""
    return text_of(FOLDER / "Containerfile").replace("\\\n", "")


def test_two_web_processes_two_workers_and_three_services() -> None:
    assert set(COMPOSE["services"]) == {*SITE, "postgres", "redis", "nginx"}


@SERVICES
def test_a_container_is_confined_and_bounded(name) -> None:
    about = COMPOSE["services"][name]
    assert about["read_only"] is True and about["cap_drop"] == ["ALL"]
    assert about["security_opt"] == ["no-new-privileges:true"]
    assert re.fullmatch(r"\d+[mg]", about["mem_limit"]) and about["pids_limit"]
    assert about["restart"] == "always"
    assert name in SITE or about["user"] not in ("root", "0")


@SERVICES
def test_only_the_proxy_is_reached_from_outside(name) -> None:
    assert ("ports" in COMPOSE["services"][name]) == (name == "nginx")
    assert COMPOSE["networks"]["back"] == {"internal": True}
    assert "back" in COMPOSE["services"][name]["networks"] or name == "nginx"


@OWN
def test_all_variables_exist(name) -> None:
    assert COMPOSE["services"][name]["environment"].keys() <= KNOWN_VARIABLES
    named = set(re.findall(r"\b(QUIVER_\w+|NUMBA_CACHE_DIR)=", containerfile()))
    assert named and named <= KNOWN_VARIABLES


@OWN
def test_a_container_runs_a_command_of_this_site(name) -> None:
    python, script, command, *_ = COMPOSE["services"][name]["command"]
    assert (python, script) == ("python", "manage.py")
    assert command in KNOWN_COMMANDS


@OWN
def test_its_health_is_checked(name) -> None:
    about = COMPOSE["services"][name]
    *command, program = about["healthcheck"]["test"]
    assert command == ["CMD", "python", "-c"]
    compile(program, "healthcheck", "exec")
    metrics = f":{about['environment']['QUIVER_METRICS']}/metrics"
    assert (metrics if name in ("bots", "notices") else ":8000/readyz") in program


def test_what_is_mounted_lies_in_the_kit() -> None:
    for mount in COMPOSE["services"]["nginx"]["volumes"]:
        source = mount.split(":")[0]
        if source.startswith("../"):
            assert (FOLDER / source).is_file(), source
    build = COMPOSE["services"]["web-1"]["build"]
    assert (FOLDER / build["context"]).resolve() == ROOT
    assert ROOT / build["dockerfile"] == FOLDER / "Containerfile"


def test_the_proxy_can_write_its_caches_and_keeps_the_folder_of_its_image() -> None:
    mounts = {mount.split(":")[0] for mount in COMPOSE["services"]["nginx"]["tmpfs"]}
    conf = text_of(KIT / "nginx" / "quiver.conf")
    cache = re.findall(r"^proxy_cache_path (\S+)", conf, re.MULTILINE)
    # The image has /var/cache/nginx; nginx makes single folders in it, and not the folder itself.
    assert {*cache, "/var/cache/nginx"} <= mounts
    assert "/var/cache" not in mounts


@SERVICES
def test_an_image_of_others_has_an_exact_tag(name) -> None:
    image = COMPOSE["services"][name]["image"]
    assert image == "localhost/quiver" or EXACT_TAG.search(image), image


def test_the_base_image_has_an_exact_tag() -> None:
    [image] = re.findall(r"^ARG BASE_IMAGE=(\S+)$", containerfile(), re.MULTILINE)
    assert EXACT_TAG.search(image)
    assert set(re.findall(r"^FROM (\S+)", containerfile(), re.MULTILINE)) == {"$BASE_IMAGE"}


def test_actions_of_others_are_pinned_by_their_commits() -> None:
    for file in (ROOT / ".github" / "workflows").glob("*.yml"):
        for action in re.findall(r"uses: (\S+)", text_of(file)):
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), f"{file.name}: {action}"


def test_the_proxy_knows_the_web_processes_of_the_file() -> None:
    text = text_of(KIT / "nginx" / "upstreams-compose.conf")
    hosts = re.findall(r"server (\S+):(\d+) max_fails=0;", text)
    assert hosts == [("web-1", "8000"), ("web-2", "8000")] * 2
    local = text_of(KIT / "nginx" / "upstreams.conf")
    names = r"^(?:upstream|    hash|    least_conn).*$"
    assert re.findall(names, text, re.MULTILINE) == re.findall(names, local, re.MULTILINE)


def test_the_image_copies_what_exists_and_is_not_sent_more() -> None:
    copied = re.findall(r"^COPY (?!--from)(.*)$", containerfile(), re.MULTILINE)
    sources = {source for line in copied for source in shlex.split(line)[:-1]}
    assert sources >= {"manage.py", "site", "games", "static", "templates", "requirements.txt"}
    assert [source for source in sources if not (ROOT / source).exists()] == []
    sent = text_of(FOLDER / "Containerfile.dockerignore").split()
    kept = {line[1:] for line in sent if line.startswith("!")}
    assert sources - kept == {"requirements.txt", "requirements-push.txt"}
    assert "requirements*.txt" in kept


def test_the_image_runs_as_a_user_of_its_own() -> None:
    last = containerfile().split("\nFROM ")[-1]
    assert re.search(r"^USER quiver$", last, re.MULTILINE)
    assert last.index("USER quiver") < last.index("\nCMD ")
    assert "HEALTHCHECK" in last and "/healthz" in last
    [line] = re.findall(r"^CMD (\[.*\])$", last, re.MULTILINE)
    assert "serve" in line and "0.0.0.0" in line


def test_packages_are_installed_by_their_hashes() -> None:
    installs = re.findall(r"pip install ([^&\n]*)", containerfile())
    assert len(installs) == 2
    assert "--require-hashes" in installs[0] and "--no-deps" in installs[1]
