import assert from "node:assert/strict";
import test from "node:test";

import {
  bytesOf,
  isApplePhone,
  isSameKey,
  pushState,
} from "../../../static/js/notices/push-state.js";

const able = {
  key: "BPk",
  canPush: true,
  isApplePhone: false,
  permission: "default",
  isListed: false,
};

test("each reason against notifications has a state of its own", () => {
  assert.equal(pushState(able), "off");
  assert.equal(pushState({ ...able, permission: "granted", isListed: true }), "on");
  assert.equal(pushState({ ...able, permission: "denied", isListed: true }), "blocked");
  assert.equal(pushState({ ...able, canPush: false }), "unsupported");
  assert.equal(pushState({ ...able, canPush: false, isApplePhone: true }), "home-screen");
  assert.equal(pushState({ ...able, key: "", permission: "denied" }), "site-off");
});

test("a subscription that the account does not list is off, though the browser has it", () => {
  assert.equal(pushState({ ...able, permission: "granted" }), "off");
});

test("an app on the Home Screen of an iPhone can be turned on", () => {
  assert.equal(pushState({ ...able, isApplePhone: true }), "off");
});

test("iPhones and iPads are told from Macs", () => {
  const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15";
  const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1";
  assert.equal(isApplePhone({ userAgent: mac, maxTouchPoints: 0 }), false);
  assert.equal(isApplePhone({ userAgent: mac, maxTouchPoints: 5 }), true);
  assert.equal(isApplePhone({ userAgent: phone }), true);
});

test("the site's key is read from base64url, with and without letters beyond base64", () => {
  assert.deepEqual([...bytesOf("-_8A")], [251, 255, 0]);
  assert.deepEqual([...bytesOf("BA")], [4]);
});

test("keys are the same by their bytes alone", () => {
  const key = Uint8Array.of(4, 7, 9);
  assert.equal(isSameKey(Uint8Array.of(4, 7, 9).buffer, key), true);
  assert.equal(isSameKey(Uint8Array.of(4, 7, 8).buffer, key), false);
  assert.equal(isSameKey(Uint8Array.of(4, 7).buffer, key), false);
  assert.equal(isSameKey(null, key), false);
});
