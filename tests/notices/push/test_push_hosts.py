"""Hosts and addresses that pushes may be sent to."""

import socket

import pytest
from aiohttp.abc import AbstractResolver
from django.core.exceptions import ImproperlyConfigured

from config.push import validate_push_hosts, validate_vapid
from notices.push import keys
from notices.push.push_hosts import host_of, is_public
from notices.push.transport import CheckedResolver, PrivateAddress, PushTransport
from tests.support.servers.push_server import browser_keys


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc",
        "https://fcm.googleapis.com:443/fcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://web.push.apple.com/Q",
        "https://db5p.notify.windows.com/w/?token=x",
        "https://FCM.googleapis.com/x",
    ],
)
def test_endpoints_of_known_push_services_are_accepted(endpoint) -> None:
    assert host_of(endpoint, ())


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x",
        "ftp://fcm.googleapis.com/x",
        "//fcm.googleapis.com/x",
        "",
        "https://",
        "https://ada:secret@fcm.googleapis.com/x",
        "https://fcm.googleapis.com@127.0.0.1/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com:99999/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evilfcm.googleapis.com/x",
        "https://notify.windows.com/x",
        "https://evilnotify.windows.com/x",
        "https://127.0.0.1/x",
        "https://10.1.2.3/x",
        "https://[::1]/x",
        "https://[fe80::1]/x",
        "https://169.254.169.254/x",
        "https://2130706433/x",
        "https://2130706433.notify.windows.com:1/x",
        "https://fcm.googleapis.com./x",
        "https://evil.example%2f.notify.windows.com/x",
        "https://evil.example%5c.notify.windows.com/x",
        "https://%65vil.notify.windows.com/x",
        "https://evil.example;.notify.windows.com/x",
        "https://evil.example?.notify.windows.com/x",
        "https://evil.example#.notify.windows.com/x",
        "https://a..notify.windows.com/x",
        "https://-a.notify.windows.com/x",
        f"https://{'x' * 64}.notify.windows.com/x",
        f"https://{'x.' * 130}notify.windows.com/x",
        "https://[::1].notify.windows.com/x",
        "https://\u0131\u0307.notify.windows.com/x",
        "https://0x7f.1/x",
        "https://localhost/x",
        "https://fcm.googleapis.com\\@evil.example/x",
        "https://fcm.googleapis.com/\r\nHost: x",
        "https://fcm.googleapis.com/é",
        "https://fcm.googleapis.com/" + "x" * 1000,
    ],
)
def test_all_other_endpoints_are_refused(endpoint) -> None:
    with pytest.raises(ValueError):
        host_of(endpoint, ())


def test_the_operator_may_name_further_hosts() -> None:
    assert host_of("https://push.example.org/x", ("push.example.org",)) == "push.example.org"
    assert host_of("https://a.example.org/x", ("*.example.org",)) == "a.example.org"
    with pytest.raises(ValueError):
        host_of("https://example.org/x", ("*.example.org",))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "*", "*.org:1", "https://a.org", "a.1", "::1", "*.*.org"]
)
def test_a_further_host_is_a_name(host) -> None:
    with pytest.raises(ImproperlyConfigured, match="QUIVER_PUSH_HOSTS"):
        validate_push_hosts([host])


def test_further_hosts_are_compared_in_lower_case() -> None:
    assert validate_push_hosts(["Push.Example.org", "*.a.org"]) == ("push.example.org", "*.a.org")


def test_a_wrong_vapid_key_is_refused_and_not_shown() -> None:
    with pytest.raises(ImproperlyConfigured, match="QUIVER_VAPID") as refused:
        validate_vapid("hush-hush")
    assert "hush" not in str(refused.value)
    own = keys.make_private()
    assert validate_vapid(own) == own


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.1",
        "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:10.0.0.1",
        "::ffff:8.8.8.8", "::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1",
        "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2001::1",
        "2001:db8::1",
        "fec0::1", "3fff::1", "192.88.99.1", "198.18.0.1", "", "example.org",
    ],
)  # fmt: skip
def test_addresses_inside_are_not_public(address) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2a00:1450:4001::1", "64:ff9b::808:808"])
def test_addresses_of_the_internet_are_public(address) -> None:
    assert is_public(address)


class Resolves(AbstractResolver):
    """Resolves every name to given addresses."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses

    async def resolve(self, host, port=0, family=socket.AF_INET):
        return [
            {"hostname": host, "host": each, "port": port, "family": family, "proto": 0, "flags": 0}
            for each in self.addresses
        ]

    async def close(self) -> None:
        pass


@pytest.mark.parametrize(
    "addresses",
    [("127.0.0.1",), ("10.0.0.7",), ("::1",), ("169.254.1.1",), ("8.8.8.8", "192.168.0.1"), ()],
)
async def test_a_name_that_resolves_inside_is_refused(addresses) -> None:
    with pytest.raises(PrivateAddress):
        await CheckedResolver(Resolves(*addresses)).resolve("fcm.googleapis.com", 443)


async def test_a_name_that_is_public_first_and_private_later_is_refused_then() -> None:
    names = Resolves("8.8.8.8")
    resolver = CheckedResolver(names)
    assert await resolver.resolve("fcm.googleapis.com", 443)
    names.addresses = ("127.0.0.1",)
    with pytest.raises(PrivateAddress):
        await resolver.resolve("fcm.googleapis.com", 443)


async def test_the_checked_addresses_are_those_that_are_used() -> None:
    found = await CheckedResolver(Resolves("8.8.8.8")).resolve("fcm.googleapis.com", 443)
    assert [each["host"] for each in found] == ["8.8.8.8"]


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://localhost:{port}/x",
        "https://localhost.localdomain:{port}/x",
        "https://127.0.0.1:{port}/x",
        "https://[::1]:{port}/x",
    ],
)
async def test_a_push_to_this_machine_opens_no_connection(endpoint, unused_tcp_port) -> None:
    import asyncio

    calls = []
    server = await asyncio.start_server(
        lambda *streams: calls.append(streams), "127.0.0.1", unused_tcp_port
    )
    key = keys.parse_private(keys.make_private())
    resolver = CheckedResolver(Resolves("127.0.0.1"))
    transport = PushTransport(key, "mailto:a@example.org", resolver)
    p256dh, auth, _ = browser_keys()
    answer = await transport.post(endpoint.format(port=unused_tcp_port), p256dh, auth, b"{}", {})
    await transport.close()
    server.close()
    assert answer.status == 0
    assert answer.is_private
    assert not calls
