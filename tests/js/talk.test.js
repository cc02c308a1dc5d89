/** What the talk panel says, and what it offers. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { phrasesOf, wordsOf } from "../../static/js/talk/phrases.js";
import { LONGEST, heardBy, lengthOf, ownCount, reasonOf, roomLeft, tagOf, why } from "../../static/js/talk/words.js";

test("a text is as long as the server counts it", () => {
  assert.equal(lengthOf("  two \n words "), 9);
  assert.equal(lengthOf("e\u0301"), 1);
  assert.equal(lengthOf("\u{1f3f9}\u{1f3f9}"), 2);
  assert.equal(lengthOf(" \t "), 0);
});

test("the room that is left is told near the end alone", () => {
  assert.equal(roomLeft("x".repeat(LONGEST - 41)), "");
  assert.equal(roomLeft("x".repeat(LONGEST - 40)), "40 left");
  assert.equal(roomLeft("x".repeat(LONGEST)), "0 left");
  assert.equal(roomLeft("x".repeat(LONGEST + 3)), "3 too many");
});

test("each circle has its phrases, and each phrase its words", () => {
  for (const circle of ["lobby", "players", "watchers"]) {
    const phrases = phrasesOf(circle);
    assert.ok(phrases.length >= 12);
    assert.ok(phrases.every(([, words]) => typeof words === "string" && words.length > 0));
  }
  assert.equal(wordsOf({ text: null, phrase: "hello" }), "Hello");
  assert.equal(wordsOf({ text: "hello", phrase: null }), "hello");
  assert.equal(wordsOf({ text: null, phrase: "from a newer server" }), "from a newer server");
});

test("a name bears a tag only where it tells something", () => {
  assert.equal(tagOf({ role: "host", circle: "lobby" }, "lobby"), "host");
  assert.equal(tagOf({ role: "seated", circle: "lobby" }, "lobby"), "");
  assert.equal(tagOf({ role: "watcher", circle: "watchers" }, "watchers_now"), "");
  assert.equal(tagOf({ role: "watcher", circle: "watchers" }, "everybody"), "spectator");
});

test("what is not known here is said in the server's words", () => {
  assert.equal(why("same", "x"), "You have said that twice already.");
  assert.equal(why("brand_new", "Server's words."), "Server's words.");
  assert.equal(heardBy("players_now"), "Only players see this until the game is over.");
  assert.equal(heardBy("players", true), "The computer reads nothing here.");
  assert.equal(heardBy("everybody", true), heardBy("everybody"));
});

test("who is silenced for a while is told for how long", () => {
  const may = { write: "no", why: "silenced", until: 5 };
  const forGood = "A moderator has taken your right to write here.";
  assert.equal(reasonOf(may, (at) => `the ${at}th`), "A moderator has taken your right to write until the 5th.");
  assert.equal(reasonOf({ ...may, until: null }), forGood);
  assert.equal(reasonOf({ ...may, why: "new" }), "New accounts talk in these phrases for the first hour.");
});

test("muted people and reports are counted", () => {
  assert.equal(ownCount({ muted: [], reports: [] }), "");
  assert.equal(ownCount({ muted: ["a"], reports: [1, 2] }), "1 muted");
  assert.equal(ownCount({ muted: [], reports: [1] }), "Your report");
  assert.equal(ownCount({ muted: [], reports: [1, 2] }), "Your 2 reports");
});
