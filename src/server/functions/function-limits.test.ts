/** The limits of one call of a public function, as the contract declares them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FunctionScene, openFunctionScene } from "#test/support/function-scene.ts";
import type { Identity } from "../reactive/executor.ts";
import { createExecutor } from "./executor.ts";
import type { Services } from "./services.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

const identityOf = (subject: string): Identity => ({
  subject,
  sessionId: subject,
  issuedAtMs: 0,
  expiresAtMs: 1e15,
});

test("arguments and time are those of the function, or of its kind", () => {
  const executor = createExecutor(scene.services);
  const anna = identityOf("anna");
  expect(executor.lookUp("query", "orders:open", anna)).toMatchObject({ argumentBytesMax: 8_192 });
  expect(executor.lookUp("mutation", "orders:place", anna)).toMatchObject({
    argumentBytesMax: 16_384,
  });
  expect(executor.lookUp("mutation", "notices:markRead", anna)).toMatchObject({
    argumentBytesMax: 32_768,
  });
  expect(executor.lookUp("action", "activity:page", anna)).toMatchObject({ msMax: 60_000 });
  expect(executor.lookUp("action", "markets:candles", anna)).toMatchObject({ msMax: 20_000 });
});

test("a long calculation waits for others of its kind, and leaves their places to all else", async () => {
  const people = ["limits-1", "limits-2", "limits-3"];
  for (const person of people) await scene.as(person).done("accounts:takePracticeFunds");
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const read = {
    profits: ({ account }: { account: number }) => {
      begun.push(account);
      return new Promise((resolve) => {
        ends.push(() => resolve({ coins: [], planFees: 0n, deposited: new Map() }));
      });
    },
    activity: async () => ({ items: [], cursor: null }),
  };
  const history = { whenFresh: async () => {}, readsCaughtUpTo: async () => read, read };
  const executor = createExecutor({
    ...scene.services,
    history: history as unknown as Services["history"],
  });
  const act = (person: string, path: string, args = {}) =>
    executor.action({ path, args, identity: identityOf(person), client: `user:${person}` });
  const reports = people.map((person) => act(person, "portfolio:profits"));
  const again = act("limits-1", "portfolio:profits", { method: "fifo" });
  await expect.poll(() => begun.length).toBe(2);
  for (const person of people) {
    expect((await act(person, "activity:page", { kind: "order" })).status).toBe("success");
  }
  expect(begun).toHaveLength(2);
  for (let ended = 0; ended < 4; ended += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(ended);
    ends[ended]();
  }
  for (const report of [...reports, again]) expect((await report).status).toBe("success");
});
