/** Actions wait for their client's turn when one client floods the exchange. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";
import { SharedValue } from "../reactive/encoding.ts";
import type { ActionCall } from "../reactive/executor.ts";
import { createExecutor } from "./executor.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

/** An executor whose candles are read one after the other, each when the test decides. */
function slowCandles() {
  const reads: { readonly limit: number; readonly end: () => void }[] = [];
  const candlePages = {
    read: ({ limit }: { limit: number }) =>
      new Promise((resolve) => reads.push({ limit, end: () => resolve(new SharedValue([])) })),
  };
  const executor = createExecutor({
    ...scene.services,
    candlePages: candlePages as unknown as FunctionScene["services"]["candlePages"],
  });
  return {
    /** The limits of the reads that have begun, in order. */
    begun: () => reads.map(({ limit }) => limit),
    ask: (
      client: string,
      limit: number,
      signal?: AbortSignal,
      identity: ActionCall["identity"] = null,
    ) =>
      executor.action({
        path: "markets:candles",
        args: { market: "BTC-USD", interval: "1m", limit },
        identity,
        client,
        ...(signal && { signal }),
      } satisfies ActionCall),
    endAll: async () => {
      for (let ended = 0; ended < reads.length; ended++) {
        reads[ended].end();
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
  };
}

test("an honest reader's action begins after one of each flooding client's", async () => {
  const { ask, begun, endAll } = slowCandles();
  const floods = ["a", "b", "c", "d"].flatMap((client) =>
    Array.from({ length: 60 }, () => ask(client, 1)),
  );
  const honest = ask("honest", 2);
  expect(begun()).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  await endAll();
  expect((await honest).status).toBe("success");
  await Promise.all(floods);
  expect(begun().indexOf(2)).toBeLessThanOrEqual(8 + 4);
});

test("a client with too many actions is refused at once, and told the limit", async () => {
  const { ask, begun, endAll } = slowCandles();
  const accepted = Array.from({ length: 2 + 64 }, () => ask("flood", 1));
  expect(refusal(await ask("flood", 1))).toEqual({
    code: "tooManyRequests",
    message:
      "At most 64 requests for history of one client may wait at once. Try again in a moment.",
    retryAfterMs: 1_000,
  });
  expect(begun()).toHaveLength(2);
  await endAll();
  await Promise.all(accepted);
});

test("a crowd of visitors neither shuts out a user's action nor makes it wait for more than a few", async () => {
  const { ask, begun, endAll } = slowCandles();
  const crowd = Array.from({ length: 1_008 }, (_, n) => ask(`stranger ${n}`, 1));
  expect(refusal(await ask("one more stranger", 1)).code).toBe("unavailable");
  const ann = { subject: "ann", sessionId: "one", issuedAtMs: 0, expiresAtMs: Infinity };
  const own = ask("user:ann", 2, undefined, ann);
  await endAll();
  expect((await own).status).toBe("success");
  await Promise.all(crowd);
  expect(begun().indexOf(2)).toBeLessThanOrEqual(8 + 2);
});

test("an action whose caller has left is not begun", async () => {
  const { ask, begun, endAll } = slowCandles();
  const underWay = [ask("one", 1), ask("one", 1)];
  const caller = new AbortController();
  const abandoned = ask("one", 2, caller.signal);
  const last = ask("one", 3);
  caller.abort();
  await endAll();
  await Promise.all([...underWay, abandoned, last]);
  expect(begun()).toEqual([1, 1, 3]);
});

test("wrong arguments are refused without waiting for a turn", async () => {
  const { ask, endAll } = slowCandles();
  const accepted = Array.from({ length: 10 }, () => ask("flood", 1));
  expect(refusal(await ask("flood", 0))).toMatchObject({ code: "invalidArgument", field: "limit" });
  await endAll();
  await Promise.all(accepted);
});
