import { expect, test } from "vitest";
import type { ApiKeyGrant } from "../../api-keys/key-gate.ts";
import { tooManySubscriptions } from "../api-error.ts";
import { ListenKeyStreams } from "./listen-key-streams.ts";
import { ListenKeys } from "../../api-keys/listen-keys.ts";

const GRANT: ApiKeyGrant = {
  keyId: "key",
  userId: "ann",
  account: 16,
  permissions: ["read"],
  kind: "hmac",
};

const HERE = "203.0.113.7";

function scene(subscriptionsMax = 1) {
  const listenKeys = new ListenKeys({ onStopped: () => () => true });
  const followers = new Set<(event: string, earlier: number) => void>();
  let taken = 0;
  let settle = () => {};
  let unsettled: Promise<void> | undefined = new Promise<void>((resolve) => {
    settle = resolve;
  }).then(() => {
    unsettled = undefined;
  });
  const streams = new ListenKeyStreams({
    listenKeys,
    feeds: {
      follow(_account, follower) {
        followers.add(follower);
        return () => followers.delete(follower);
      },
    },
    places: {
      subscribe() {
        if (taken === subscriptionsMax) throw tooManySubscriptions(subscriptionsMax);
        taken += 1;
        return () => {
          taken -= 1;
        };
      },
    },
    exchange: { unsettled: () => unsettled },
    lab: { trafficOf: () => undefined },
    mayUse: (_keyId, address) => address === HERE,
    apiKeyOf: () => "the key",
    nowMs: () => 7,
  });
  const sent: string[] = [];
  const connection = { address: HERE, apiKey: undefined, userId: undefined };
  const follow = (listenKey: string, address = HERE) =>
    streams.follow(listenKey, Object.assign(connection, { address }), (event) => sent.push(event));
  const emit = (event: string) => {
    for (const follower of followers) follower(event, 0);
  };
  return { connection, emit, follow, followers, listenKeys, sent, settle, taken: () => taken };
}

test("a listen key's connection gets events between commands on, until the key ends, and is told", async () => {
  const { connection, emit, follow, followers, listenKeys, sent, settle, taken } = scene();
  const listenKey = listenKeys.create(GRANT);
  expect(follow(listenKey)).toBeDefined();
  expect(connection).toMatchObject({ apiKey: "the key", userId: "ann" });
  expect(followers.size).toBe(0);
  settle();
  await expect.poll(() => followers.size).toBe(1);
  emit("event");
  listenKeys.close(listenKey, GRANT);
  expect(sent).toEqual(["event", `{"e":"listenKeyExpired","E":7,"listenKey":"${listenKey}"}`]);
  expect([followers.size, taken()]).toEqual([0, 0]);
});

test("an unknown listen key and a subscription beyond the plan follow nothing", async () => {
  const { follow, followers, listenKeys, settle, taken } = scene();
  expect(follow("unknown")).toBeUndefined();
  const listenKey = listenKeys.create(GRANT);
  const end = follow(listenKey);
  expect(follow(listenKey)).toBeUndefined();
  end?.();
  settle();
  // The range ends before it begins.
  const again = follow(listenKey);
  await expect.poll(() => followers.size).toBe(1);
  again?.();
  expect([followers.size, taken()]).toEqual([0, 0]);
});

test("a listen key follows nothing from an address from which its API key may not be used", () => {
  const { connection, follow, listenKeys, taken } = scene();
  const listenKey = listenKeys.create(GRANT);
  expect(follow(listenKey, "198.51.100.9")).toBeUndefined();
  expect([taken(), connection.userId]).toEqual([0, undefined]);
  expect(follow(listenKey)).toBeDefined();
});
