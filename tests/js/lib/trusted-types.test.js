import assert from "node:assert/strict";
import test from "node:test";

import { checkWorkerAddress, WORKER_ADDRESSES } from "../../../static/js/lib/trusted-types.js";

test("the two workers of the site are admitted as they are", () => {
  assert.deepEqual(WORKER_ADDRESSES, ["/sw.js", "/engine-worker.js"]);
  for (const address of WORKER_ADDRESSES) assert.equal(checkWorkerAddress(address), address);
});

test("every other address throws", () => {
  const others = [
    "/sw.js?x",
    "/sw.js#",
    "sw.js",
    "//evil.example/sw.js",
    "https://evil.example/sw.js",
    "/static/js/sw/service-worker.js",
    "data:text/javascript,1",
    "",
  ];
  for (const address of others) assert.throws(() => checkWorkerAddress(address), TypeError);
});
