import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { openTradingApiScene, type TradingApiScene } from "#test/support/trading-api-scene.ts";
import {
  ExchangeBusyError,
  ExchangeStoppedError,
  NotLeadingError,
  OrdersStoppedError,
} from "../exchange/exchange-errors.ts";
import type { CommandRates } from "../functions/command-rates.ts";
import { HistoryUnavailableError } from "../history/history.ts";
import { WorkShares } from "../limits/work-shares.ts";
import { PLAN_LIMITS } from "../catalogue/plans.ts";
import { Calls } from "./calls.ts";
import { findEndpoint } from "./endpoints/endpoints.ts";
import { ApiError } from "./api-error.ts";
import {
  type Caller,
  type Endpoint,
  endpoint,
  ReadAnswer,
  RowsAnswer,
  type Security,
} from "./endpoint.ts";

let scene: TradingApiScene;
let caller: Caller;
const shares = new WorkShares();
const ADDRESS = "192.0.2.7";
const USER_DATA = { method: "GET", security: "userData" } as const;

beforeAll(async () => {
  scene = await openTradingApiScene();
  await scene.as("trader").done("accounts:takePracticeFunds");
  const { apiKey } = await scene.client("trader");
  const call = { method: "POST", security: "trade" } as const;
  const grant = await new Calls(scene.services, shares).keyOf({ call, apiKey, address: ADDRESS });
  caller = { ...grant, validUntilMs: Number.MAX_SAFE_INTEGER };
});
afterAll(async () => {
  shares.close();
  await scene.close();
});

/** Sends a number of requests that are not answered before the end. */
function askWithoutAnswer(
  calls: Calls,
  security: Security,
  times: number,
  by: { readonly caller: Caller; readonly address: string } = { caller, address: ADDRESS },
) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let begun = 0;
  const call = endpoint({
    method: "POST",
    path: "/api/v3/waits",
    summary: "Waits.",
    security,
    weight: 1,
    parameters: z.object({}),
    async answer() {
      begun += 1;
      await ended;
    },
  });
  const arrived = { pairs: [], ...by, traffic: undefined };
  const answers = Array.from({ length: times }, () => calls.answer(call, arrived));
  return { begun: () => begun, end: () => (end(), Promise.all(answers)) };
}

test("orders that wait for the disk leave room for more of the same client, and reads leave it to them", async () => {
  const calls = new Calls(scene.services, shares);
  const reads = askWithoutAnswer(calls, "userData", 40);
  const trades = askWithoutAnswer(calls, "trade", 40);
  await expect.poll(trades.begun).toBe(40);
  await expect.poll(reads.begun).toBe(4);
  await trades.end();
  await reads.end();
  expect(reads.begun()).toBe(40);
});

test("a client's calls wait up to the limit, and one more is refused as overload", async () => {
  const calls = new Calls(scene.services, shares);
  const [underWay, waiting] = [4, 128];
  const reads = askWithoutAnswer(calls, "userData", underWay + waiting);
  await expect.poll(reads.begun).toBe(underWay);
  const error = await askWithoutAnswer(calls, "userData", 1)
    .end()
    .catch((refusal: unknown) => refusal);
  expect(calls.errorOf(error, "waits")).toMatchObject({ code: -1008, status: 503 });
  await reads.end();
  expect(reads.begun()).toBe(underWay + waiting);
});

test.each([
  [-1000, 500, new Error("the database's password is hunter2")],
  [-1006, 503, new ExchangeStoppedError("the disk is full")],
  [-1008, 503, new ExchangeBusyError(10_000)],
  [-1008, 503, new OrdersStoppedError()],
  [-1008, 503, new NotLeadingError()],
  [-1008, 503, new HistoryUnavailableError("the database is away")],
])("%i, %i answers %s, and says nothing of its text", (code, status, error) => {
  const { body, status: answered } = new Calls(scene.services, shares).errorOf(error, "order");
  expect([body.code, answered]).toEqual([code, status]);
  expect(body.msg).not.toContain(error.message);
});

test.each(Object.entries(PLAN_LIMITS))(
  "the weight of the plan %s is used to its last unit, and one more is refused",
  async (name, limits) => {
    const { requestWeightPerMinute: limit } = limits;
    const read = findEndpoint("GET", "/api/v3/account");
    const commandRates = Object.assign(Object.create(scene.services.commandRates) as CommandRates, {
      limitsOfUser: () => ({ name, ...limits }),
    });
    const refusal = async () => {
      const calls = new Calls({ ...scene.services, commandRates }, shares);
      const spend = (weight: number) =>
        calls.answer(
          { ...read, weight },
          { pairs: [], caller, address: ADDRESS, traffic: undefined },
        );
      await spend(limit - 1);
      await spend(1);
      // Undefined if the minute has rolled over, which resets the allowance.
      return spend(1).then(
        () => undefined,
        (error: unknown) => error,
      );
    };
    await expect.poll(refusal).toMatchObject({
      code: -1003,
      status: 429,
      message: expect.stringContaining(`current limit is ${limit} request weight`) as string,
    });
  },
);

/** A call that uses up its client's share once its parameters were read. */
function exhausting(counted: () => void, answer: () => Promise<unknown>) {
  return endpoint({
    method: "GET",
    path: "/api/v3/waits",
    summary: "Waits.",
    security: "none",
    weight: { text: "1", of: () => (counted(), 1) },
    parameters: z.object({}),
    answer,
  });
}

test("clients at rest take no places of those who read", async () => {
  const calls = new Calls(scene.services, shares);
  const answered: string[] = [];
  const ask = (address: string, isExhausted: boolean) => {
    // For as long as the test lasts.
    const counted = () => isExhausted && shares.charge(`address:${address}`, 1_000_000);
    const call = exhausting(counted, async () => answered.push(address));
    return calls.answer(call, { pairs: [], caller: undefined, address, traffic: undefined });
  };
  for (let last = 11; last < 31; last++) void ask(`192.0.2.${last}`, true);
  await ask("192.0.2.8", false);
  expect(answered).toEqual(["192.0.2.8"]);
});

test("a client that used up its share while it waited for a place rests without one", async () => {
  const calls = new Calls(scene.services, shares);
  const address = "192.0.2.40";
  let begun = 0;
  const call = exhausting(
    () => undefined,
    async () => {
      begun += 1;
      shares.charge(`address:${address}`, 1_000_000);
    },
  );
  const arrived = { pairs: [], caller: undefined, address, traffic: undefined };
  const asked = Array.from({ length: 20 }, () => calls.answer(call, arrived));
  // On a busy machine their address may be throttled before the first of them begins, in which case
  // another one goes first.
  await Promise.race(asked);
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toBe(1);
});

test("signed calls go before unsigned ones, two of three times", async () => {
  // Its clock stands still: a busy machine must not throttle one of them, which changes their order.
  const untimed = new WorkShares(() => 0);
  const calls = new Calls(scene.services, untimed);
  const full = Array.from({ length: 4 }, (_, at) =>
    askWithoutAnswer(calls, "userData", 4, {
      address: ADDRESS,
      caller: { ...caller, userId: `occupant-${at}` },
    }),
  );
  await expect.poll(() => full.map(({ begun }) => begun())).toEqual([4, 4, 4, 4]);
  const order: string[] = [];
  const ask = (name: string, given: Caller | undefined) => {
    const call = exhausting(
      () => undefined,
      async () => order.push(name),
    );
    const address = `192.0.2.${name}`;
    return calls.answer(call, { pairs: [], caller: given, address, traffic: undefined });
  };
  const strangers = ["50", "51", "52", "53"].map((name) => ask(name, undefined));
  const signed = ["54", "55"].map((name) => ask(name, { ...caller, userId: `user-${name}` }));
  await new Promise((resolve) => setImmediate(resolve));
  for (const { end } of full) void end();
  await Promise.all([...strangers, ...signed]);
  expect(order.slice(0, 3).toSorted()).toEqual(["50", "54", "55"]);
  untimed.close();
});

test("rows that were read at once are described in slices, one in a turn of the loop", async () => {
  const calls = new Calls(scene.services, shares);
  const { promise: read, resolve } = Promise.withResolvers<void>();
  let turn = 0;
  const turns: number[] = [];
  const call = exhausting(
    () => undefined,
    async () => {
      await read;
      return RowsAnswer.of(Array.from({ length: 200 }), () => (turns.push(turn), "a row"));
    },
  );
  const ask = (address: string) =>
    calls.answer(call, { pairs: [], caller: undefined, address, traffic: undefined });
  const addresses = ["192.0.2.60", "192.0.2.60", "192.0.2.61", "192.0.2.62", "192.0.2.62"];
  const asked = addresses.map(ask);
  await new Promise((resolved) => setImmediate(resolved));
  let isTurning = true;
  const next = () => {
    turn += 1;
    if (isTurning) setImmediate(next);
  };
  next();
  resolve();
  const rows = Array.from({ length: 200 }, () => "a row");
  expect(await Promise.all(asked)).toEqual(addresses.map(() => rows));
  isTurning = false;
  const rowsByTurn = Map.groupBy(turns, (each) => each);
  expect(Math.max(...[...rowsByTurn.values()].map(({ length }) => length))).toBeLessThanOrEqual(64);
});

test("the description of candles is charged to its client", async () => {
  let nowMs = 0;
  const timed = new WorkShares(() => nowMs);
  const calls = new Calls(scene.services, timed);
  const address = "192.0.2.63";
  const call = exhausting(
    () => undefined,
    async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return RowsAnswer.of([1], () => (nowMs += 1_000));
    },
  );
  await calls.answer(call, { pairs: [], caller: undefined, address, traffic: undefined });
  expect(timed.isThrottled(`address:${address}`)).toBe(true);
  timed.close();
  for (const path of ["/api/v3/klines", "/api/v3/trades", "/api/v3/aggTrades"]) {
    const parameters = { symbol: "BTCUSD", interval: "1m", limit: 1_000 };
    const read = findEndpoint("GET", path).answer(scene.services, parameters, undefined);
    expect(await read).toBeInstanceOf(RowsAnswer);
  }
});

test("a signature is checked in the turn of its address, not of the key's owner", async () => {
  const calls = new Calls(scene.services, shares);
  const call = { method: "GET", security: "userData" } as const;
  const request = { call, apiKey: "key", payload: "" };
  // For as long as the test lasts.
  shares.charge("address:192.0.2.1", 1_000_000);
  const callerAt = async (address: string) => calls.callerOf({ ...request, address }, caller, []);
  const waiting = callerAt("192.0.2.1");
  const refused = callerAt("192.0.2.2");
  const outcome = await Promise.race([
    waiting.catch(() => "the address at rest"),
    refused.catch(() => "another address"),
  ]);
  expect(outcome).toBe("another address");
});

test("parameters are checked in their client's turn", async () => {
  const calls = new Calls(scene.services, shares);
  const call = findEndpoint("GET", "/api/v3/depth");
  const ask = (address: string) =>
    calls.answer(call, { pairs: [], caller: undefined, address, traffic: undefined });
  // For as long as the test lasts.
  shares.charge("address:192.0.2.3", 1_000_000);
  const first = await Promise.race([
    ask("192.0.2.3").catch(() => "the address at rest"),
    ask("192.0.2.4").catch(() => "another address"),
  ]);
  expect(first).toBe("another address");
});

test("calls that trade do not wait for the history", async () => {
  const { services } = scene;
  const whenFresh = vi.spyOn(services.history, "whenFresh");
  whenFresh.mockReturnValue(new Promise<never>(() => {}));
  const parameters = { symbol: "BTCUSD", orderId: 4_711, origClientOrderId: undefined };
  for (const [method, path] of [
    ["DELETE", "/api/v3/order"],
    ["PUT", "/api/v3/order/amend/keepPriority"],
  ] as const) {
    const given = { ...parameters, newQty: "1" };
    const asked = findEndpoint(method, path).answer(services, given, caller) as Promise<unknown>;
    await expect(asked).rejects.toThrow(/order/i);
  }
  whenFresh.mockRestore();
});

test("what a trading call has left to read is read in a place of the reads", async () => {
  const calls = new Calls(scene.services, shares);
  const readers = askWithoutAnswer(calls, "userData", 4);
  await expect.poll(readers.begun).toBe(4);
  let hasRead = false;
  const left = new ReadAnswer(async () => (hasRead = true));
  const call = {
    ...exhausting(
      () => undefined,
      async () => left,
    ),
    security: "trade",
  } as const;
  const by = { pairs: [], address: ADDRESS, traffic: undefined };
  const all = Array.from({ length: 16 }, (_, at) =>
    askWithoutAnswer(calls, "userData", 4, {
      address: ADDRESS,
      caller: { ...caller, userId: `reader-${at}` },
    }),
  );
  const asked = calls.answer(call, { ...by, caller });
  const other = askWithoutAnswer(calls, "trade", 1);
  await expect.poll(other.begun).toBe(1);
  expect(hasRead).toBe(false);
  await other.end();
  for (const { end } of [readers, ...all]) void end();
  expect(await asked).toBe(true);
});

test("a user's reads leave the allowance of their orders alone", async () => {
  const calls = new Calls(scene.services, shares);
  const read = findEndpoint("GET", "/api/v3/account");
  const ask = (call: Endpoint) =>
    calls.answer(call, { pairs: [], caller, address: ADDRESS, traffic: undefined });
  const heavy = { ...read, weight: Number.MAX_SAFE_INTEGER };
  for (let refused = 0; refused < 30; refused++) {
    await expect(ask(heavy)).rejects.toBeInstanceOf(ApiError);
  }
  const order = { security: "trade", userId: caller.userId } as const;
  expect(calls.isShutOut({ address: ADDRESS }, { ...order, security: "userData" })).toBe(true);
  expect(calls.isShutOut({ address: ADDRESS }, order)).toBe(false);
  const cancel = findEndpoint("DELETE", "/api/v3/openOrders");
  const pairs = [["symbol", "BTCUSD"]] as const;
  const asked = calls.answer(cancel, { pairs, caller, address: ADDRESS, traffic: undefined });
  await expect(asked).rejects.toMatchObject({ code: -2011 });
  expect(calls.weightOf({ address: ADDRESS }, order).used).toBe(1);
});

test("others at an address do not use up what a key that has signed there arrives with", async () => {
  const config = { ...scene.services.config, TRADING_API_WEIGHT: 100 };
  const calls = new Calls({ ...scene.services, config }, shares);
  const address = "192.0.2.77";
  const { apiKey } = await scene.client("trader");
  const grant = await calls.keyOf({ call: USER_DATA, apiKey, address });
  scene.services.apiKeys.notePaid(grant.keyId, address);
  const flood = () => calls.arrived({ address });
  for (;;) {
    try {
      flood();
    } catch {
      if (calls.isShutOut({ address }, undefined)) break;
    }
  }
  calls.arrived({ address, apiKey });
  expect(() => calls.arrived({ address, apiKey: "x".repeat(64) })).toThrow(ApiError);
  expect(() => calls.arrived({ address: "192.0.2.78", apiKey })).not.toThrow();
});

test("large answers cost their address a rest", () => {
  const rested = new WorkShares();
  const calls = new Calls(scene.services, rested);
  const client = "address:192.0.2.5";
  calls.answered("192.0.2.5", 100_000);
  expect(rested.isThrottled(client)).toBe(false);
  calls.answered("192.0.2.5", 1_000_000);
  expect(rested.isThrottled(client)).toBe(true);
  rested.close();
});
