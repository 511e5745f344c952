/** A stopped exchange, with the real server: what its log takes, and what callers read. */
import type { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { stealLock } from "../support/stolen-lock.ts";
import { call, signUp } from "../hostile-input/bad-input-clients.ts";
import { GOOD_ORDER } from "../hostile-input/bad-input-orders.ts";

const CALLS = 100;
const AT_ONCE = 10;

let server: RunningServer;
let thief: DatabaseSync;
beforeAll(async () => {
  server = await startServerProcess({ AUTH_RATE_LIMIT: "off" });
});
afterAll(async () => {
  thief.close();
  await server.remove();
});

test("is said once and then counted, whatever is asked of it, and callers read no path", async () => {
  const { token, cookie } = await signUp(server.url, "Ada");
  thief = await stealLock(server.dataDir, server.url);
  const answers: string[] = [];
  let unavailable = 0;
  const ask = async (turn: number): Promise<void> => {
    const answer = await call(server.url, "mutation", "orders:place", GOOD_ORDER, token);
    expect(answer.status).not.toBe("success");
    if (answer.httpStatus === 503) unavailable += 1;
    answers.push(JSON.stringify(answer));
    if (turn % 10 !== 0) return;
    for (const path of ["/dashboard", "/api/health", "/api/auth/get-session"]) {
      answers.push(await (await fetch(`${server.url}${path}`, { headers: { cookie } })).text());
    }
    await signUp(server.url, `Late${turn}`).catch((error: unknown) => answers.push(String(error)));
  };
  for (let turn = 0; turn < CALLS; turn += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => ask(turn + index)));
  }
  // The others were refused because they came too fast.
  expect(unavailable).toBeGreaterThan(10);
  const lines = server.output().split("\n");
  const stopped = lines.filter((line) => line.includes('"the exchange has stopped"'));
  expect(stopped).toHaveLength(1);
  expect(stopped[0]).toContain(server.dataDir);
  const ofTrouble = lines.filter((line) => /"level":[456]0/.test(line));
  expect(ofTrouble.length).toBeLessThan(20);
  expect(answers.join("\n")).not.toContain(server.dataDir);
  expect(answers.join("\n")).not.toMatch(/ at .*\.ts:\d/);
});
