/** What the page does when the network is back. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test, { afterEach } from "node:test";
import { fileURLToPath } from "node:url";
import { handleReconnect, onReconnect, untilReconnect } from "../../../static/js/lib/reconnect.js";

const SCRIPTS = fileURLToPath(new URL("../../../static/js", import.meta.url));

/** These are written anew when the connection or the data is there again. */
const WRITTEN_ANEW = ["chat/chat.js", "game/thoughts-panel.js"];

afterEach(() => {
  delete globalThis.document;
  delete globalThis.NodeFilter;
});

/** A page with these texts. @param {string[]} texts */
function pageWith(texts) {
  const nodes = texts.map((data) => ({ data }));
  globalThis.NodeFilter = { SHOW_TEXT: 4 };
  globalThis.document = {
    body: {},
    createTreeWalker: () => {
      let at = -1;
      return {
        nextNode: () => {
          at += 1;
          return nodes[at] ?? null;
        },
        get currentNode() {
          return nodes[at];
        },
      };
    },
  };
  return nodes;
}

test("texts about the lost network go when it is back, and no others", () => {
  const lost = untilReconnect("Not connected. Nothing was played.");
  const nodes = pageWith([lost, "Your turn", lost]);
  handleReconnect();
  assert.deepEqual(
    nodes.map(({ data }) => data),
    ["", "Your turn", ""],
  );
});

test("what failed is repeated each time", () => {
  let count = 0;
  onReconnect(() => (count += 1));
  pageWith([]);
  handleReconnect();
  handleReconnect();
  assert.equal(count, 2);
});

test("every text that says that the page is not connected goes at the reconnect", () => {
  const files = readdirSync(SCRIPTS, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".js") && !name.includes("node_modules"),
  );
  const found = files.filter((name) =>
    /(?<!untilReconnect\()t\("Not connected/.test(readFileSync(`${SCRIPTS}/${name}`, "utf8")),
  );
  assert.deepEqual(found.sort(), WRITTEN_ANEW);
});
