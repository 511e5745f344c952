import { beforeEach, expect, test } from "vitest";
import type { ClientKey } from "../limits/client-key.ts";
import { encodeValue } from "./encoding.ts";
import type { FunctionCall } from "./executor.ts";
import { MutationRunner } from "./mutation-runner.ts";
import { RememberedAnswers } from "./remembered-answers.ts";
import { MemoryHost } from "#test/support/reactive-server.ts";

const ANSWER = "x".repeat(100_000);
const CALL: FunctionCall = { path: "lists:append", args: {}, identity: null };

let asked: string[];
let remembered: RememberedAnswers;
let runner: MutationRunner;
let nowMs: number;
beforeEach(() => {
  asked = [];
  nowMs = 0;
  remembered = new RememberedAnswers();
  const executor = {
    ...new MemoryHost().executor,
    mutation: async (_call: FunctionCall, key: string) => {
      asked.push(key);
      return { status: "success", value: ANSWER } as const;
    },
  };
  runner = new MutationRunner(executor, () => nowMs, remembered);
});

async function run(key: string, client: ClientKey): Promise<void> {
  const result = await runner.run(CALL, key, client);
  expect(result.status === "success" && encodeValue(result.value) === `"${ANSWER}"`).toBe(true);
}

/** Whether a repeat of the request reaches the executor, which gets the same key. */
async function isForgotten(key: string, client: ClientKey): Promise<boolean> {
  const before = asked.length;
  await run(key, client);
  if (asked.length > before) expect(asked.at(-1)).toBe(key);
  return asked.length > before;
}

test("a client's answers take 4 MB at most: its oldest are asked for again, with their keys", async () => {
  await run("other", "user:ben");
  for (let count = 0; count < 1_000; count += 1) await run(`ann ${count}`, "user:ann");
  expect(remembered.bytes).toBeLessThan(4.2 * 1024 * 1024);
  expect(await isForgotten("ann 999", "user:ann")).toBe(false);
  expect(await isForgotten("ann 970", "user:ann")).toBe(false);
  expect(await isForgotten("other", "user:ben")).toBe(false);
  expect(await isForgotten("ann 900", "user:ann")).toBe(true);
});

test("all answers take 32 MB at most: the client that has most forgets its oldest", async () => {
  await run("small", "user:small");
  for (let client = 0; client < 12; client += 1) {
    for (let count = 0; count < 40; count += 1) {
      await run(`${client} ${count}`, `user:${client}`);
    }
  }
  expect(remembered.bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
  expect(remembered.bytes).toBeGreaterThan(31 * 1024 * 1024);
  expect(await isForgotten("small", "user:small")).toBe(false);
  expect(await isForgotten("0 39", "user:0")).toBe(false);
  expect(await isForgotten("0 0", "user:0")).toBe(true);
});

test("an answer is remembered for a quarter of an hour", async () => {
  await run("one", "user:ann");
  nowMs = 15 * 60 * 1000 - 1;
  expect(await isForgotten("one", "user:ann")).toBe(false);
  nowMs += 1;
  const { bytes } = remembered;
  expect(await isForgotten("one", "user:ann")).toBe(true);
  expect(remembered.bytes).toBe(bytes);
});
