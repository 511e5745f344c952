import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ApiKeyGrant } from "../api-keys/key-gate.ts";
import { ApiKeyRefusedError, type KeyRefusalReason } from "../api-keys/key-refusal.ts";
import { hmacKey } from "../api-keys/signing-key.ts";
import { ApiError } from "./api-error.ts";
import type { Method, Security } from "./endpoint.ts";
import { pairsOf } from "./parameters.ts";
import { callerOf, keyOf, payloadOf, type RequestJudges } from "./signed-request.ts";
import { UsedRequests } from "./used-requests.ts";

const NOW_MS = 1_700_000_000_000;
const SECRET = "the secret of a program";
const GRANT: ApiKeyGrant = {
  keyId: "key",
  userId: "user",
  account: 16,
  permissions: ["read"],
  kind: "hmac",
};
const signingKey = hmacKey(SECRET);
/** The address from which the key has signed before. */
const HERE = "192.0.2.1";

/** @param isInUse false if keys have to be looked up */
function judges(refused?: KeyRefusalReason, isInUse = true): RequestJudges {
  return {
    keys: {
      find: () =>
        refused === undefined
          ? Promise.resolve(GRANT)
          : Promise.reject(new ApiKeyRefusedError(refused)),
      findInUse() {
        if (!isInUse) return undefined;
        if (refused !== undefined) throw new ApiKeyRefusedError(refused);
        return GRANT;
      },
      verify: (_apiKey, payload, signature) => signingKey(payload, signature),
      noteUse: () => undefined,
      signerAt: (_apiKey, address) => (address === HERE ? GRANT.keyId : undefined),
    },
    used: new UsedRequests(() => 0),
    usedSinceMs: NOW_MS - 1_000,
    nowMs: () => NOW_MS,
  };
}

const sign = (payload: string) => createHmac("sha256", SECRET).update(payload).digest("hex");

interface Sent {
  readonly query?: string;
  readonly body?: string;
  readonly method?: Method;
  readonly changesNothing?: boolean;
  readonly clockSkewMs?: number;
}

function accept(sent: Sent, by = judges()) {
  const { query = "", body = "", clockSkewMs, method = "GET", changesNothing = false } = sent;
  const call = { method, changesNothing, security: "userData" } as const;
  const payload = payloadOf(query, body);
  const request = { call, apiKey: "key", address: HERE, payload, clockSkewMs };
  return callerOf(request, GRANT, pairsOf(query, body), by);
}

function refusal(work: () => unknown): [status: number, code: number, message: string] {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.code, error.message];
    throw error;
  }
  throw new Error("it was accepted");
}

const signed = (payload: string) => `${payload}&signature=${sign(payload)}`;

test("a call that needs no signature is answered where the key has signed, and verified if signed", () => {
  const call = { method: "POST", security: "userData", isSignatureOptional: true } as const;
  const ask = (query: string, address: string) => {
    const request = { call, apiKey: "key", address, payload: payloadOf(query, "") };
    return callerOf(request, GRANT, pairsOf(query, ""), judges());
  };
  // Anyone who knows the key may have sent it, so its owner does not pay.
  expect(ask("", HERE)).toMatchObject({ ...GRANT, isUnsigned: true });
  expect(refusal(() => ask("", "192.0.2.2")).slice(0, 2)).toEqual([401, -2015]);
  const query = `timestamp=${NOW_MS}`;
  expect(ask(signed(query), "192.0.2.2")).toMatchObject(GRANT);
  expect(ask(signed(query), "192.0.2.2")).not.toHaveProperty("isUnsigned");
  // A signature without a timestamp, which some clients add, proves nothing.
  const untimed = signed("listenKey=a");
  expect(ask(untimed, HERE)).toMatchObject({ isUnsigned: true });
  expect(refusal(() => ask(untimed, "192.0.2.2")).slice(0, 2)).toEqual([401, -2015]);
  const altered = `${query}&signature=00`;
  expect(refusal(() => ask(altered, HERE)).slice(0, 2)).toEqual([400, -1022]);
});

describe("a signature", () => {
  test.each<[string, Sent]>([
    ["at the end of the query", { query: signed(`symbol=BTCUSD&timestamp=${NOW_MS}`) }],
    ["at the beginning", { query: `signature=${sign(`timestamp=${NOW_MS}`)}&timestamp=${NOW_MS}` }],
    ["of a body", { method: "POST", body: signed(`symbol=BTCUSD&timestamp=${NOW_MS}`) }],
    [
      "of a query and a body, one after the other",
      {
        method: "POST",
        query: "symbol=BTCUSD",
        body: `timestamp=${NOW_MS}&signature=${sign(`symbol=BTCUSDtimestamp=${NOW_MS}`)}`,
      },
    ],
    [
      "of characters as they were encoded",
      { query: signed(`symbols=%5b%22BTCUSD%22%5D&timestamp=${NOW_MS}`) },
    ],
  ])("%s is accepted", (_where, sent) => {
    expect(accept(sent)).toMatchObject({ ...GRANT, validUntilMs: NOW_MS + 5_000 });
  });

  test.each([
    ["a=1&signature=x", "a=1"],
    ["signature=x", ""],
    ["signature=x&a=1", "a=1"],
    ["a=1&signature=x&b=2", "a=1&b=2"],
    ["a=1&signature=x&signature=y", "a=1"],
    ["a=1&designature=x", "a=1&designature=x"],
    ["a=signature=x&signature=y", "a=signature=x"],
    ["a=1&signature=", "a=1"],
  ])("is no part of what is signed: %s", (query, payload) => {
    expect(payloadOf(query, "")).toBe(payload);
    expect(payloadOf("", query)).toBe(payload);
  });

  const payload = `symbol=BTCUSD&quantity=1&timestamp=${NOW_MS}`;
  test.each([
    ["of other parameters", `symbol=BTCUSD&quantity=2&timestamp=${NOW_MS}`],
    ["of another order of them", `quantity=1&symbol=BTCUSD&timestamp=${NOW_MS}`],
    ["with one more after it", `${payload}&side=BUY`],
  ])("%s is refused", (_what, altered) => {
    expect(refusal(() => accept({ query: `${altered}&signature=${sign(payload)}` }))).toEqual([
      400,
      -1022,
      "Signature for this request is not valid.",
    ]);
  });

  test.each(["0", "é", sign(payload).slice(1), `${sign(payload)}00`])(
    "%j is refused, whatever its length",
    (signature) => {
      const query = `${payload}&signature=${encodeURIComponent(signature)}`;
      expect(refusal(() => accept({ query }))[1]).toBe(-1022);
    },
  );

  test("that is missing or empty is missing", () => {
    for (const query of [payload, `${payload}&signature=`]) {
      expect(refusal(() => accept({ query }))).toEqual([
        400,
        -1102,
        "Mandatory parameter 'signature' was not sent, was empty/null, or malformed.",
      ]);
    }
  });

  test("of a change acts once, in whichever case it is sent again", () => {
    const by = judges();
    const body = (signature: string) => ({
      method: "POST" as const,
      body: `${payload}&signature=${signature}`,
    });
    const signature = sign(payload);
    accept(body(signature), by);
    for (const again of [signature, signature.toUpperCase()]) {
      const [status, code] = refusal(() => accept(body(again), by));
      expect([status, code]).toEqual([400, -1022]);
    }
  });

  test("of a trial is not used up: the order itself may follow in the same millisecond", () => {
    const by = judges();
    const body = `${payload}&signature=${sign(payload)}`;
    accept({ method: "POST", changesNothing: true, body }, by);
    accept({ method: "POST", changesNothing: true, body }, by);
    accept({ method: "POST", body }, by);
    expect(refusal(() => accept({ method: "POST", body }, by))[1]).toBe(-1022);
  });

  test("of a change from before the start is refused: it may have acted then", () => {
    const body = (timestamp: number) => signed(`symbol=BTCUSD&timestamp=${timestamp}`);
    const [before, after] = [NOW_MS - 1_001, NOW_MS - 1_000];
    expect(refusal(() => accept({ method: "POST", body: body(before) }))[1]).toBe(-1021);
    accept({ method: "POST", body: body(after) });
    accept({ query: body(before) });
  });

  test("twice in a request is refused", () => {
    const query = `${signed(payload)}&signature=${sign(payload)}`;
    expect(refusal(() => accept({ query }))[1]).toBe(-1101);
  });

  test("acts once if its call changes something, and reads as often as it likes", () => {
    const by = judges();
    accept({ body: signed(payload), method: "POST" }, by);
    expect(refusal(() => accept({ body: signed(payload), method: "POST" }, by))).toEqual([
      400,
      -1022,
      "This request was sent before.",
    ]);
    accept({ query: signed(payload) }, by);
    accept({ query: signed(payload) }, by);
  });
});

describe("the time of a request", () => {
  const at = (timestamp: number | string, window = "") => ({
    query: signed(`${window}timestamp=${timestamp}`),
  });

  test.each<[number | string, string, number]>([
    [NOW_MS - 5_000, "", NOW_MS],
    [NOW_MS + 999, "", NOW_MS + 5_999],
    [NOW_MS - 60_000, "recvWindow=60000&", NOW_MS],
    // Less than a minute, which the engine must still accept by its own clock.
    [NOW_MS + 999, "recvWindow=60000&", NOW_MS + 59_000],
    [NOW_MS, "recvWindow=0.5&", NOW_MS],
    [`${NOW_MS}500`, "", NOW_MS + 5_000],
  ])("%s with %j is of now, until %i", (timestamp, window, validUntilMs) => {
    expect(accept(at(timestamp, window)).validUntilMs).toBe(validUntilMs);
  });

  test.each([20_000, -20_000])(
    "is judged by a clock that is skewed by %i, and ends by the true one",
    (clockSkewMs) => {
      const skewed = { ...at(NOW_MS + clockSkewMs), clockSkewMs };
      expect(accept(skewed).validUntilMs).toBe(NOW_MS + 5_000);
      expect(refusal(() => accept({ ...at(NOW_MS), clockSkewMs }))[1]).toBe(-1021);
    },
  );

  const AHEAD = "Timestamp for this request was 1000ms ahead of the server's time.";
  const OUTSIDE = "Timestamp for this request is outside of the recvWindow.";
  test.each<[number | string, string, number, string]>([
    [NOW_MS + 1_000, "", -1021, AHEAD],
    [NOW_MS - 5_001, "", -1021, OUTSIDE],
    [NOW_MS - 11, "recvWindow=10&", -1021, OUTSIDE],
    [NOW_MS, "recvWindow=60000.001&", -1131, "'recvWindow' must be less than 60000."],
    [NOW_MS, "recvWindow=-1&", -1130, "Data sent for parameter 'recvWindow' is not valid."],
    [NOW_MS, "recvWindow=1e3&", -1130, "Data sent for parameter 'recvWindow' is not valid."],
    ["now", "", -1130, "Data sent for parameter 'timestamp' is not valid."],
    ["", "", -1102, "Mandatory parameter 'timestamp' was not sent, was empty/null, or malformed."],
  ])("%s with %j is refused with %i", (timestamp, window, code, message) => {
    expect(refusal(() => accept(at(timestamp, window)))).toEqual([400, code, message]);
  });
});

describe("a key", () => {
  const ask = async (security: Security, apiKey: string | undefined, by = judges()) =>
    keyOf({ call: { method: "GET", security }, apiKey, address: "192.0.2.1" }, by);

  test.each([true, false])("that may only read does not trade (in use: %s)", async (isInUse) => {
    const by = judges(undefined, isInUse);
    expect(await ask("userData", "key", by)).toEqual(GRANT);
    await expect(ask("trade", "key", by)).rejects.toMatchObject({ status: 401, code: -2015 });
  });

  test("that is missing has the wrong format", async () => {
    await expect(ask("userData", undefined)).rejects.toMatchObject({ status: 401, code: -2014 });
  });

  test.each<[KeyRefusalReason, number, string]>([
    ["malformed", -2014, "API-key format invalid."],
    ["unknown", -2015, "Invalid API-key, IP, or permissions for action."],
    ["expired", -2015, "Invalid API-key, IP, or permissions for action."],
    ["address", -2015, "Invalid API-key, IP, or permissions for action."],
    ["secretChanged", -2015, "The server's secret has changed since the API key was made"],
  ])("that is %s is refused with %i", async (reason, code, message) => {
    for (const isInUse of [true, false]) {
      await expect(ask("userData", "key", judges(reason, isInUse))).rejects.toMatchObject({
        status: 401,
        code,
        // oxlint-disable-next-line typescript/no-unsafe-assignment -- a matcher
        message: expect.stringContaining(message),
      });
    }
  });
});

test("when too many requests are remembered, keys that sent few are still served", () => {
  const used = new UsedRequests(() => 0, 3_000);
  for (let n = 0; n < 3_000; n++) expect(used.use("busy", `${n}`)).toBe(true);
  expect(used.use("busy", "one more")).toBe(false);
  for (let n = 0; n < 2_000; n++) expect(used.use("quiet", `${n}`)).toBe(true);
  expect(used.use("quiet", "one more")).toBe(false);
});

test("a request is remembered for longer than any is valid, and then forgotten", () => {
  let nowMs = 0;
  const used = new UsedRequests(() => nowMs);
  expect(used.use("key", "a")).toBe(true);
  expect(used.use("other", "a")).toBe(true);
  nowMs = 121_500;
  expect(used.use("key", "b")).toBe(true);
  nowMs = 122_000 + 120_999;
  expect(used.use("key", "b")).toBe(false);
  nowMs = 3 * 122_000;
  expect(used.use("key", "a")).toBe(true);
});
