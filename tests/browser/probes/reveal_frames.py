"""Reveals of Blotto, written down frame by frame."""

import re

from tests.browser.prepared.sent_turns import Sealer, begin_alone
from tests.browser.visitors.browser_visitors import Visitor

REVEAL_MS = 2600
# Writes down in every frame all that could tell a result.
WATCH = """() => {
    const text = selector => [...document.querySelectorAll(selector)]
        .map(each => each.textContent.trim()).join("|");
    window.frames_ = [];
    const note = () => {
        const words = [...document.querySelectorAll(".verdict-words")];
        const said = words.map(each => each.textContent);
        window.frames_.push({
            at: performance.now(),
            mode: document.querySelector("#troops").dataset.mode,
            opened: said.filter(Boolean).length,
            status: document.querySelector("#game").dataset.status,
            headline: text("#headline-what"),
            sentence: text("#sentence"),
            hint: text("#hint"),
            table: text(".track td"),
            past: text(".past"),
            score: text("#score b") + document.querySelector("#score").getAttribute("aria-label"),
            bar: document.querySelectorAll("#score i.white, #score i.black").length,
            title: document.title,
            live: text("#speech, #alert"),
            icon: document.querySelector("link[rel=icon]").href,
            header: text("header"),
            place: document.querySelector("#slider").getAttribute("aria-valuetext"),
            result: document.querySelector("#after").checkVisibility() ? text("#after") : "",
            top: document.querySelector("#plots").getBoundingClientRect().top,
        });
        requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
}"""
# Whether the table has told the result of the reveal for some frames.
IS_TOLD = """() => {
    const reveal = window.frames_.filter(each => each.mode === "reveal");
    return reveal.filter(each => each.table !== reveal[0].table).length > 20;
}"""
TELLING = ("headline", "sentence", "table", "past", "score", "bar", "live", "place", "result")
SILENT = (*TELLING, "title", "icon", "header", "status", "hint")
SPLITS = ((4, 3, 3), (6, 4, 0))


async def begin_watched(visit, motion: str, **device) -> tuple[Visitor, Sealer]:
    """A game of Blotto in which Ada's page is watched, and her opponent."""
    ada, bob = await visit("ada", motion=motion, **device), await visit("bob")
    game = await begin_alone(ada, bob, "blotto")
    await ada.page.evaluate(WATCH)
    return ada, Sealer(bob, game)


async def play_round(ada: Visitor, bob: Sealer) -> list[dict]:
    """Plays a round; returns the frames of Ada's page from its reveal on."""
    await ada.page.evaluate("window.frames_ = []")
    await ada.seal(SPLITS[0])
    await bob.seal(SPLITS[1])
    await ada.page.wait_for_selector("#troops[data-mode=reveal]")
    await ada.page.wait_for_function(IS_TOLD)
    frames = await ada.page.evaluate("window.frames_")
    return [frame for frame in frames if frame["mode"] == "reveal"]


async def check_no_frame_tells(visit, motion, rounds):
    """Checks every frame of a reveal until its last field is open, for so many rounds."""
    ada, bob = await begin_watched(visit, motion)
    for number in range(1, rounds + 1):
        frames = await play_round(ada, bob)
        closed = [frame for frame in frames if frame["opened"] < 3]
        assert len(closed) > 20, "the reveal was not watched"
        assert {frame["opened"] for frame in closed} == {0, 1, 2}
        opened = [frame["opened"] for frame in frames]
        assert opened == sorted(opened)
        for part in SILENT:
            assert len({str(frame[part]) for frame in closed}) == 1, (number, part)
        before, after = closed[0], frames[-1]
        assert before["headline"] == f"Round {number}"
        assert (before["status"], before["result"]) == ("live", "")
        assert before["table"].count("·") == 2 * (6 - number)
        assert after["table"].count("·") == 2 * (5 - number)
        for part in ("headline", "sentence", "past", "score", "bar", "live", "place"):
            assert before[part] != after[part], (number, part)
        if number < 5:
            await ada.page.click("#onward")
    if rounds == 5:
        assert frames[-1]["status"] == "over"
        assert re.match("You (win|lost)|Draw", frames[-1]["sentence"])
