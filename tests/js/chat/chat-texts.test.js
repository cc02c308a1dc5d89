/** Texts and phrases of the chat panel. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  audienceText,
  authorTag,
  lengthLeftText,
  MAX_LENGTH,
  messageWords,
  ownReportsText,
  phrasesOf,
  refusalText,
  silencedText,
  textLength,
} from "../../../static/js/chat/chat-texts.js";

test("a text is as long as the server counts it", () => {
  assert.equal(textLength("  two \n words "), 9);
  assert.equal(textLength("e\u0301"), 1);
  assert.equal(textLength("\u{1f3f9}\u{1f3f9}"), 2);
  assert.equal(textLength(" \t "), 0);
});

test("the room that is left is told near the end alone", () => {
  assert.equal(lengthLeftText("x".repeat(MAX_LENGTH - 41)), "");
  assert.equal(lengthLeftText("x".repeat(MAX_LENGTH - 40)), "40 left");
  assert.equal(lengthLeftText("x".repeat(MAX_LENGTH)), "0 left");
  assert.equal(lengthLeftText("x".repeat(MAX_LENGTH + 3)), "3 too many");
});

test("each circle has its phrases, and each phrase its words", () => {
  for (const circle of ["lobby", "players", "watchers"]) {
    const phrases = phrasesOf(circle);
    assert.ok(phrases.length >= 12);
    assert.ok(phrases.every(([, words]) => typeof words === "string" && words.length > 0));
  }
  assert.equal(messageWords({ text: null, phrase: "hello" }), "Hello");
  assert.equal(messageWords({ text: "hello", phrase: null }), "hello");
  assert.equal(messageWords({ text: null, phrase: "from a newer server" }), "from a newer server");
});

test("a name bears a tag only where it tells something", () => {
  assert.equal(authorTag({ role: "host", circle: "lobby" }, "lobby"), "host");
  assert.equal(authorTag({ role: "seated", circle: "lobby" }, "lobby"), "");
  assert.equal(authorTag({ role: "watcher", circle: "watchers" }, "watchers_now"), "");
  assert.equal(authorTag({ role: "watcher", circle: "watchers" }, "everybody"), "spectator");
});

test("what is not known here is said in the server's words", () => {
  assert.equal(refusalText("same", "x"), "You’ve already said that twice.");
  assert.equal(refusalText("brand_new", "Server's words."), "Server's words.");
  assert.equal(audienceText("players_now"), "Only the players can read this until the game ends.");
  assert.equal(audienceText("players", true), "The computer doesn’t chat.");
  assert.equal(audienceText("everybody", true), audienceText("everybody"));
});

test("who is silenced for a while is told for how long", () => {
  const may = { write: "no", why: "silenced", until: 5 };
  const forGood = "You’ve been muted by a moderator.";
  assert.equal(
    silencedText(may, (at) => `the ${at}th`),
    "A moderator has muted you until the 5th.",
  );
  assert.equal(silencedText({ ...may, until: null }), forGood);
  assert.equal(
    silencedText({ ...may, why: "new" }),
    "New accounts can only use quick chat for the first hour.",
  );
});

test("muted people and reports are counted", () => {
  assert.equal(ownReportsText({ muted: [], reports: [] }), "");
  assert.equal(ownReportsText({ muted: ["a"], reports: [1, 2] }), "1 muted");
  assert.equal(ownReportsText({ muted: [], reports: [1] }), "Your report");
  assert.equal(ownReportsText({ muted: [], reports: [1, 2] }), "Your 2 reports");
});
