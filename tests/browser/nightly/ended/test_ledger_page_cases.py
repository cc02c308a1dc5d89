"""Verification of sealed rounds and of a game's ledger in the browser."""

import json
import re

from playwright.async_api import Route, expect

from tests.browser.visitors.pointer_actions import TIMEOUT_MS, sit_down
from tests.browser.visitors.proof_steps import (
    OURS,
    PROOF,
    check,
    open_ledger,
    open_proofs,
    play_a_round,
    proof,
    verify,
)


async def test_the_fingerprint_of_a_seal_is_shown_whole_on_demand(visit):
    ada, bob = await sit_down(visit, "blotto")
    await ada.seal(OURS)
    rounds = bob.page.locator("#rounds")
    await expect(bob.page.locator(PROOF)).to_be_visible(timeout=TIMEOUT_MS)
    assert not re.search("[0-9a-f]{4}\\s[0-9a-f]{4}", await rounds.inner_text())
    await open_proofs(bob)
    await expect(rounds).to_contain_text(
        re.compile(r"locked in, [0-9a-f]{4}\s[0-9a-f]{4}"), timeout=TIMEOUT_MS
    )
    await bob.page.click('[data-opens="seal-white"]')
    whole = await bob.page.inner_text(".proof .digits")
    assert re.fullmatch("[0-9a-f]{64}", whole)
    assert f"{whole[:4]} {whole[4:8]}" in (await rounds.inner_text()).replace(
        "\N{NO-BREAK SPACE}", " "
    )


async def test_a_round_is_verified_after_a_reload_and_while_one_looks_back(visit):
    ada, bob = await sit_down(visit, "blotto")
    await play_a_round(ada, bob)
    await bob.page.reload()
    assert "which this page got before" in await verify(bob)
    await bob.page.click("#look-first")
    await expect(bob.page.locator('[data-opens="round-0"]')).to_have_count(0)
    await bob.page.click("#look-last")
    assert "which this page got before" in await proof(bob)


async def test_orders_that_were_changed_after_the_seal_are_found_out(visit):
    ada, bob = await sit_down(visit, "blotto")

    def exchange(message: str) -> str:
        """A dishonest server: at the reveal, Ada's orders are others than those she sealed."""
        frame = json.loads(message)
        for step in frame.get("last", []):
            step["text"]["white"] = "0 0 10"
        return json.dumps(frame)

    async def relay(socket):
        server = socket.connect_to_server()
        server.on_message(lambda message: socket.send(exchange(message)))

    await bob.page.route_web_socket(re.compile("/ws/g/"), relay)
    await bob.page.reload()
    await bob.page.wait_for_selector("#game[data-turn=yours]")
    await play_a_round(ada, bob)
    assert "They were changed." in await verify(bob)


async def tamper(person, change):
    """Makes the server send the ledger's page with its JSON changed by `change`."""

    async def serve(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, body=change(await answer.text()))

    await person.page.route(re.compile("/ledger/$"), serve)


async def test_a_ledger_in_which_a_letter_was_changed_is_found_out(visit):
    ada, bob = await sit_down(visit, "blotto")
    await play_a_round(ada, bob)
    await tamper(bob, lambda text: text.replace("troops 3 3 4", "troops 3 4 3"))
    await open_ledger(bob)
    found = await check(bob)
    assert "The game log is damaged." in found
    assert "Entry 2: the hash doesn’t match the text" in found
    assert "Entry 2: the revealed orders don’t match the sealed ones." in found
    assert "the hash doesn’t match" in await bob.page.inner_text(".entry >> nth=2")


async def test_a_ledger_that_was_rewritten_as_a_whole_is_found_out_by_receipts(visit):
    ada, bob = await sit_down(visit, "blotto")
    await play_a_round(ada, bob)

    def cut(text: str) -> str:
        """The newest entry is gone, and head and rev are those of a ledger that never had it."""
        start = text.index("{", text.index('id="ledger"'))
        end = text.index("</script>", start)
        ledger = json.loads(text[start:end])
        entries = ledger["entries"][:-1]
        ledger |= {"entries": entries, "head": entries[-1]["hash"], "rev": 1}
        return text[:start] + json.dumps(ledger) + text[end:]

    await tamper(bob, cut)
    await open_ledger(bob)
    assert "is intact" in await check(bob)
    alert = await bob.page.inner_text("#own[role=alert]")
    assert "This game log doesn’t match your receipts." in alert
    assert "Entry 2 is missing" in alert


async def test_the_ledger_is_reached_from_the_panel(visit):
    ada, bob = await sit_down(visit, "blotto")
    await ada.page.click("#ledger")
    await ada.page.wait_for_url("**/ledger/")
    assert "The game begins." in await ada.page.inner_text("#entries")
    await ada.page.click("text=Back to the game")
    await bob.page.click("#open-setup")
    await bob.page.click("text=Game log and fair-play proof")
    await bob.page.wait_for_url("**/ledger/")
