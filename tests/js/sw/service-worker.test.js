import assert from "node:assert/strict";
import test from "node:test";

import { WorkerWorld } from "./worker-world.js";

const PUSH = {
  v: 1,
  tag: "turn-abc",
  title: "Your turn",
  body: "bob moved in Pincer",
  url: "/g/abc/",
  waiting: 2,
  icon: null,
};
const ORIGIN = "https://quiver.example";
const page = (path, visibilityState = "hidden") => ({
  url: `${ORIGIN}${path}`,
  visibilityState,
  focused: 0,
  async focus() {
    this.focused += 1;
  },
});
const navigation = (path) => ({ mode: "navigate", url: `${ORIGIN}${path}` });

test("a push shows its title, its text and the number of games that wait", async () => {
  const world = new WorkerWorld();
  await world.push(PUSH);
  const [{ title, body, tag, data }] = world.shown;
  assert.deepEqual(
    { title, body, tag, url: data.url },
    {
      ...{ title: "Your turn", body: "bob moved in Pincer" },
      ...{ tag: "turn-abc", url: "/g/abc/" },
    },
  );
  assert.deepEqual(world.badges, [2]);
});

test("a repeat replaces what it repeats without a sound, a warning replaces it with one", async () => {
  const world = new WorkerWorld();
  await world.push(PUSH);
  await world.push(PUSH);
  assert.deepEqual([world.shown.length, world.loud.length], [1, 1]);
  await world.push({ ...PUSH, title: "Half of your time is gone" });
  assert.deepEqual([world.shown.length, world.loud.length], [1, 2]);
  assert.equal(world.shown[0].renotify, true);
});

test("a page of the game that is looked at needs no notification, one behind others does", async () => {
  const world = new WorkerWorld();
  world.pages = [page("/g/abc/", "visible")];
  await world.push(PUSH);
  assert.deepEqual([world.shown, world.loud], [[], []]);
  world.pages = [page("/g/abc/"), page("/g/other/", "visible")];
  await world.push(PUSH);
  assert.equal(world.loud.length, 1);
});

test("what cannot be read shows a notification without particulars, and leads home", async () => {
  const unreadable = [
    "",
    "{",
    "[]",
    "null",
    "7",
    { v: 2, title: "x" },
    { v: 1 },
    { v: 1, title: 3 },
  ];
  for (const payload of unreadable) {
    const world = new WorkerWorld();
    await world.push(payload);
    const [{ title, body, data }] = world.shown;
    assert.deepEqual([title, body, data.url], ["Quiver", "There is news in your games.", "/"]);
    assert.deepEqual(world.badges, []);
  }
});

test("a push keeps no address that a second reading would lead elsewhere", async () => {
  for (const url of [
    "/.//evil.example/",
    "/x/..//evil.example/",
    "/%2e//evil.example",
    "/\\evil",
  ]) {
    const world = new WorkerWorld();
    await world.push({ v: 1, tag: "t", title: "x", body: "", url, waiting: 0 });
    assert.equal(world.shown[0].data.url, "/", url);
  }
});

test("a click brings the open page of the game to the front, and opens one where there is none", async () => {
  const world = new WorkerWorld();
  const open = page("/g/abc/?x=1");
  world.pages = [page("/"), open];
  const notification = { close() {}, data: { url: "/g/abc/" } };
  await world.happen("notificationclick", { notification });
  assert.deepEqual([open.focused, world.opened], [1, []]);
  world.pages = [page("/g/other/")];
  await world.happen("notificationclick", { notification });
  assert.deepEqual(world.opened, ["/g/abc/"]);
});

test("a click never leads away from the site", async () => {
  const world = new WorkerWorld();
  const away = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "javascript:1",
    null,
  ];
  for (const url of away)
    await world.happen("notificationclick", { notification: { close() {}, data: { url } } });
  await world.happen("notificationclick", { notification: { close() {}, data: null } });
  assert.deepEqual(new Set(world.opened), new Set(["/"]));
});

test("only navigations and the style of the offline page are touched", async () => {
  const world = new WorkerWorld();
  const others = [
    { mode: "no-cors", url: `${ORIGIN}/static/js/game.js` },
    { mode: "cors", url: `${ORIGIN}/g/abc/steps/` },
    { ...navigation("/log-in/"), method: "POST" },
  ];
  for (const request of others) assert.equal(await world.answer(request), undefined);
  assert.deepEqual(world.requests, []);
});

test("a navigation is answered by the network, by what the browser has begun to load if it has", async () => {
  const world = new WorkerWorld();
  assert.equal(await (await world.answer(navigation("/g/abc/"))).text(), "live");
  const begun = Promise.resolve(new Response("begun"));
  assert.equal(await (await world.answer(navigation("/g/abc/"), begun)).text(), "begun");
  assert.equal(world.requests.length, 1);
});

test("without a network a navigation shows the offline page, and nothing is kept of it", async () => {
  const world = new WorkerWorld();
  world.kept.set("/offline/", new Response("You are offline"));
  world.network = async () => {
    throw new TypeError("Failed to fetch");
  };
  const answer = await world.answer(navigation("/g/abc/"));
  assert.deepEqual([answer.status, await answer.text()], [503, "You are offline"]);
  const lost = await world.answer(
    navigation("/g/abc/"),
    Promise.reject(new DOMException("lost", "NetworkError")),
  );
  assert.equal(lost.status, 503);
});

test("an answer of the server is shown as it is, errors too", async () => {
  const world = new WorkerWorld();
  world.kept.set("/offline/", new Response("You are offline"));
  world.network = async () => new Response("Not found", { status: 404 });
  assert.equal((await world.answer(navigation("/nowhere/"))).status, 404);
});

test("a dropped subscription is made anew with the same key and posted with a token", async () => {
  const world = new WorkerWorld();
  world.network = async () => Response.json({ token: "secret-token" });
  const key = Uint8Array.of(4, 1, 2).buffer;
  const oldSubscription = { options: { applicationServerKey: key } };
  await world.happen("pushsubscriptionchange", { oldSubscription });
  const [[first], [address, { headers, body }]] = world.requests;
  assert.deepEqual([first, address], ["/form-token/", "/notifications/push/"]);
  assert.equal(headers["X-CSRFToken"], "secret-token");
  assert.equal(JSON.parse(body.get("subscription")).endpoint, "https://push.example/2");
});

test("a browser that does not tell the old key leaves it to the next page", async () => {
  const world = new WorkerWorld();
  await world.happen("pushsubscriptionchange", { oldSubscription: null });
  assert.deepEqual(world.requests, []);
});
