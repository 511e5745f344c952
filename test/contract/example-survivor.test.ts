/** The strategy that survives the fault lab, under each of its faults, and one without faults beside it. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { KEY_FAULT_NAMES, type KeyFaultName } from "#contract/key-faults.ts";
import { endExamplePrograms, startExample } from "../support/example-program.ts";
import { isFull } from "../support/run-counts.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { ask, newProgram, type Program } from "./trading-programs.ts";

// A whole server with its simulation, and programs: on a busy machine they take their time.
vi.setConfig({ testTimeout: 300_000 });
afterEach(endExamplePrograms);

type Faults = { readonly [Name in KeyFaultName]?: number };

interface Trial {
  readonly name: string;
  readonly faults: Faults;
  /** What the program says of it. */
  readonly says?: RegExp;
  /** Whether the faults end once it has said so: it could not end before. */
  readonly isEnded?: boolean;
}

const TRIALS: readonly Trial[] = [
  { name: "latency", faults: { latencyMs: 200, jitterMs: 300 } },
  { name: "cut connections", faults: { cutPercent: 40 }, says: /again after/ },
  { name: "lost answers", faults: { lostAnswerPercent: 70 }, says: /its answer lost/ },
  { name: "late answers", faults: { lateAnswerPercent: 100, lateAnswerMs: 1_000 } },
  { name: "429s", faults: { rateLimitPercent: 40 }, says: /again after DDoSProtection/ },
  { name: "sockets that are cut", faults: { connectionSeconds: 1 } },
  { name: "stale books", faults: { staleDepthMs: 2_000 } },
  { name: "books with gaps", faults: { depthGapPercent: 50 } },
  {
    name: "a clock ahead",
    faults: { clockSkewMs: 30_000 },
    says: /again after InvalidNonce/,
  },
  { name: "a clock behind", faults: { clockSkewMs: -30_000 }, says: /again after InvalidNonce/ },
  {
    name: "halted markets",
    faults: { halted: 1 },
    says: /again after MarketClosed/,
    isEnded: true,
  },
  {
    name: "everything at once",
    faults: {
      latencyMs: 50,
      jitterMs: 100,
      cutPercent: 10,
      lostAnswerPercent: 30,
      lateAnswerPercent: 20,
      lateAnswerMs: 500,
      rateLimitPercent: 10,
      connectionSeconds: 5,
      staleDepthMs: 500,
      depthGapPercent: 10,
      clockSkewMs: -10_000,
    },
    says: /again after InvalidNonce/,
  },
];

let server: RunningServer;
let people = 0;

beforeAll(async () => {
  server = await startServerProcess({
    AUTH_RATE_LIMIT: "off",
    PRACTICE_FUNDS: "USD:100000,BTC:1",
    TRADING_API_WEIGHT: "1000000",
  });
});
afterAll(() => server?.remove());

const newUser = () => newProgram(server.url, `bot-${++people}@example.com`);

const survivor = ({ apiKey, secret }: Pick<Program, "apiKey" | "secret">, rounds: number) =>
  startExample("survivor", {
    OPENBELL_URL: server.url,
    OPENBELL_API_KEY: apiKey,
    OPENBELL_SECRET: secret,
    ROUNDS: String(rounds),
  });

/** What the ledger says of the coin, when all faults have ended. */
async function balanceOf(program: Pick<Program, "apiKey" | "secret">): Promise<number> {
  const { body } = await ask(server, program, "GET", "/api/v3/account");
  const balances = body.balances as { asset: string; free: string; locked: string }[];
  const { free, locked } = balances.find(({ asset }) => asset === "BTC") ?? {};
  return Number(free) + Number(locked);
}

test("every fault has its trial", () => {
  const tried = new Set(TRIALS.flatMap(({ faults }) => Object.keys(faults)));
  expect([...tried].toSorted()).toEqual(KEY_FAULT_NAMES.toSorted());
});

// Each takes ten seconds and more, and the last has nearly all of them.
test.each(isFull ? TRIALS : TRIALS.slice(-1))(
  "it ends flat under $name",
  async ({ faults, isEnded, says }) => {
    const [faulty, sound] = await Promise.all([newUser(), newUser()]);
    const set = { ...faults, seed: 4 };
    const parameters = Object.entries(set).map(([name, value]) => [name, String(value)]);
    const path = "/api/v3/openbell/faults";
    const answer = await ask(server, faulty, "PUT", path, Object.fromEntries(parameters));
    expect(answer.status).toBe(200);
    const [suffering, beside] = [survivor(faulty, 2), survivor(sound, 1)];
    if (isEnded === true) {
      await expect.poll(() => suffering.output(), { timeout: 120_000 }).toMatch(says ?? /./);
      await ask(server, faulty, "DELETE", path);
    }
    expect(await beside.ended, beside.output()).toBe(0);
    // A busy machine may have its server say that it has too much to do; nothing else happens.
    expect(beside.output()).not.toMatch(/again after (?!ExchangeError)|lost/);
    expect(await suffering.ended, suffering.output()).toBe(0);
    if (says !== undefined) expect(suffering.output()).toMatch(says);
    const line = /^\{.*\}$/m.exec(suffering.output())?.[0] ?? "";
    const result = JSON.parse(line) as Record<string, number | boolean>;
    expect(result).toMatchObject({ isFlat: true, agrees: true });
    expect(result.buy).toBeGreaterThan(0);
    await ask(server, faulty, "DELETE", path);
    expect(await balanceOf(faulty)).toBeCloseTo(Number(result.end), 8);
    const { body } = await ask(server, faulty, "GET", "/api/v3/openOrders");
    expect(body).toEqual([]);
  },
);
