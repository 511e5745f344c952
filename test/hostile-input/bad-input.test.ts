/**
 * An attacker against the real server as a process of its own, with calls over HTTP and
 * over a WebSocket. Whatever is asked, the refusal says what is wrong, no money moves, no one
 * sees what is another's, and the next good request is answered.
 */
import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { BAD_CALLS, PRIVATE_CALLS } from "./bad-input-calls.ts";
import {
  type Answer,
  call,
  HandMadeSocket,
  type ServerMessage,
  signUp,
} from "./bad-input-clients.ts";
import { BAD_ORDERS, type BadCall, GOOD_ORDER } from "./bad-input-orders.ts";
import { AttackedExchange, SENTENCE } from "./bad-input-scene.ts";

let exchange: AttackedExchange;
beforeAll(async () => {
  exchange = await AttackedExchange.start();
});
afterAll(() => exchange.server.remove());
afterEach(() => exchange.expectUnharmed());

function expectRefusal(message: string | undefined, data: unknown, { code, field }: BadCall): void {
  expect(data).toEqual({ code, message, ...(field === undefined ? {} : { field }) });
  expect(message).toMatch(SENTENCE);
}

/** Every call over HTTP, and the same over one WebSocket. */
function refusesEach(calls: readonly BadCall[]): void {
  test.each(calls)("over HTTP: $behaviour", async (bad) => {
    const answer = await call(exchange.url, bad.kind, bad.path, bad.args, exchange.mallory.token);
    expect(answer.httpStatus).toBe(560);
    expectRefusal(answer.errorMessage, answer.errorData, bad);
  });

  test("over a WebSocket: all of them, on one connection that stays", async () => {
    const socket = await HandMadeSocket.connected(exchange.url, exchange.mallory.token);
    let queries = 0;
    for (const [index, bad] of calls.entries()) {
      if (bad.kind === "query") {
        const args = [JSON.parse(jsonOf(bad.args)) as unknown];
        const modifications = [{ type: "Add", queryId: index, udfPath: bad.path, args }];
        socket.send({
          type: "ModifyQuerySet",
          baseVersion: queries,
          newVersion: ++queries,
          modifications,
        });
        const failed = (
          await socket.first(
            ({ modifications: changes }) =>
              changes?.some(({ queryId }) => queryId === index) === true,
          )
        ).modifications?.find(({ queryId }) => queryId === index);
        expect(failed?.type).toBe("QueryFailed");
        expectRefusal(failed?.errorMessage, failed?.errorData, bad);
      } else {
        const type = bad.kind === "mutation" ? "Mutation" : "Action";
        const answer = await socket.request(type, index, bad.path, bad.args);
        expect(answer.success, bad.behaviour).toBe(false);
        expectRefusal(answer.result as string, answer.errorData, bad);
      }
    }
    await socket.close();
  });
}

function jsonOf(args: unknown): string {
  return typeof args === "object" && args !== null && "text" in args
    ? String(args.text)
    : JSON.stringify(args);
}

describe("an order that is wrong is refused, naming the field and the reason", () => {
  refusesEach(BAD_ORDERS);
});

describe("a call that is wrong is refused, naming the field and the reason", () => {
  refusesEach(BAD_CALLS);
});

describe("no user reaches what is another's", () => {
  test.each(PRIVATE_CALLS)("a visitor's %s %s is refused", async (kind, path, args) => {
    const answer = await call(exchange.url, kind, path, args);
    expect(answer).toMatchObject({ httpStatus: 560, errorData: { code: "unauthorized" } });
  });

  test("another's order looks like one that never was", async () => {
    const cancel = (orderId: string): Promise<Answer> =>
      call(exchange.url, "mutation", "orders:cancel", { orderId }, exchange.mallory.token);
    const [anothers, nobodys] = [await cancel(exchange.adasOrder), await cancel("999999999")];
    expect(anothers.errorData).toMatchObject({ code: "unknownOrder", field: "orderId" });
    expect(anothers).toEqual(nobodys);
  });

  test("cancelling everything cancels nothing of another's", async () => {
    expect(await exchange.good("mutation", "orders:cancelAll", {}, exchange.mallory.token)).toEqual(
      { cancelled: 0 },
    );
  });

  test("another's ledger entries are not there", async () => {
    expect(exchange.adasSequences.length).toBeGreaterThan(1);
    for (const sequence of exchange.adasSequences) {
      const entries = await exchange.good(
        "action",
        "accounts:ledgerEntries",
        { sequence },
        exchange.mallory.token,
      );
      expect(entries).toEqual([]);
    }
  });

  test("a cursor that was handed to another opens one's own pages only", async () => {
    const first = (await exchange.good(
      "action",
      "activity:page",
      { limit: 1 },
      exchange.ada.token,
    )) as {
      items: { id: string }[];
      cursor: string;
    };
    const next = { limit: 200, cursor: first.cursor };
    const hers = (await exchange.good(
      "action",
      "activity:page",
      next,
      exchange.ada.token,
    )) as typeof first;
    const his = (await exchange.good(
      "action",
      "activity:page",
      next,
      exchange.mallory.token,
    )) as typeof first;
    const ids = new Set([...first.items, ...hers.items].map(({ id }) => id));
    expect(ids.size).toBeGreaterThan(1);
    expect(his.items.filter(({ id }) => ids.has(id))).toEqual([]);
  });

  test("a client order id of another is free, and says nothing of theirs", async () => {
    const order = { ...GOOD_ORDER, clientOrderId: "shared-id" };
    const ids: string[] = [];
    for (const { token } of [exchange.ada, exchange.mallory]) {
      const placed = (await exchange.good("mutation", "orders:place", order, token)) as {
        order: { orderId: string };
      };
      ids.push(placed.order.orderId);
      await exchange.good("mutation", "orders:cancel", { orderId: placed.order.orderId }, token);
    }
    expect(new Set(ids).size).toBe(2);
  });
});

describe("a token that is not genuine opens nothing", () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

  /** Made from Mallory's own. */
  async function forged(): Promise<Record<string, string>> {
    const [header, payload, signature] = exchange.mallory.token.split(".");
    const { kid } = JSON.parse(Buffer.from(header, "base64url").toString()) as { kid: string };
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as {
      exp: number;
      iat: number;
    };
    const adasClaims = JSON.parse(
      Buffer.from(exchange.ada.token.split(".")[1], "base64url").toString(),
    ) as object;
    const jwks = (await (await fetch(`${exchange.url}/api/auth/jwks`)).json()) as {
      keys: object[];
    };
    const shared = `${part({ alg: "HS256", kid })}.${part(adasClaims)}`;
    const byPublicKey = createHmac("sha256", JSON.stringify(jwks.keys[0]))
      .update(shared)
      .digest("base64url");
    return {
      "no token at all": "x",
      "three dots": "...",
      "an unsigned one": `${part({ alg: "none", kid })}.${part(adasClaims)}.`,
      "one without a key": `${part({ alg: "ES256" })}.${payload}.${signature}`,
      "one with an invented key": `${part({ alg: "ES256", kid: "../../secret" })}.${payload}.${signature}`,
      "another's claims under one's own signature": `${header}.${part(adasClaims)}.${signature}`,
      "one that lives longer than it was given": `${header}.${part({ ...claims, exp: claims.exp + 86_400 })}.${signature}`,
      "one that ended long ago": `${header}.${part({ ...claims, exp: claims.iat - 1 })}.${signature}`,
      "one signed with the public key": `${shared}.${byPublicKey}`,
      "one with a key of its own": `${part({ alg: "ES256", kid, jwk: jwks.keys[0] })}.${payload}.${signature}`,
      "one cut short": exchange.mallory.token.slice(0, -4),
      "one of 10,000 characters": "x".repeat(10_000),
    };
  }

  test("over HTTP", async () => {
    for (const [behaviour, token] of Object.entries(await forged())) {
      const answer = await call(exchange.url, "query", "accounts:balances", {}, token);
      expect(answer, behaviour).toMatchObject({ httpStatus: 401, code: "NoAuthProvider" });
      expect(answer.message, behaviour).toMatch(SENTENCE);
    }
  });

  test("over a WebSocket", async () => {
    for (const [behaviour, value] of Object.entries(await forged())) {
      const socket = await HandMadeSocket.connected(exchange.url);
      socket.send({ type: "Authenticate", tokenType: "User", value, baseVersion: 0 });
      const refused = await socket.first(({ type }) => type === "AuthError");
      expect(refused.error, behaviour).toMatch(SENTENCE);
      await socket.closed();
    }
  });

  test("one whose session was signed out", async () => {
    const gone = await signUp(exchange.url, `Gone${process.pid}`);
    const socket = await HandMadeSocket.connected(exchange.url, gone.token);
    const signedOut = await fetch(`${exchange.url}/api/auth/sign-out`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: exchange.url, cookie: gone.cookie },
      body: "{}",
    });
    expect(signedOut.status).toBe(200);
    await socket.first(({ type }) => type === "AuthError");
    await socket.closed();
    const answer = await call(
      exchange.url,
      "mutation",
      "accounts:takePracticeFunds",
      {},
      gone.token,
    );
    expect(answer).toMatchObject({ httpStatus: 401, code: "unauthorized" });
  });
});

describe("many at once", () => {
  test("the same money is spent once, however many ask at once", async () => {
    const sockets = await Promise.all(
      Array.from({ length: 4 }, () =>
        HandMadeSocket.connected(exchange.url, exchange.mallory.token),
      ),
    );
    // 60,000 each, of less than 100,000.
    const order = { ...GOOD_ORDER, quantity: "3.0000" };
    const answers = await Promise.all([
      ...sockets.map((socket) => socket.request("Mutation", 0, "orders:place", order)),
      ...sockets.map(() =>
        call(exchange.url, "mutation", "orders:place", order, exchange.mallory.token),
      ),
    ]);
    const accepted = answers.filter((answer) =>
      "httpStatus" in answer ? answer.status === "success" : answer.success,
    );
    expect(accepted).toHaveLength(1);
    expect(await exchange.good("mutation", "orders:cancelAll", {}, exchange.mallory.token)).toEqual(
      { cancelled: 1 },
    );
    await exchange.expectUnharmed();

    const named = { ...GOOD_ORDER, clientOrderId: "at-once" };
    const repeats = await Promise.all([
      ...sockets.map((socket) => socket.request("Mutation", 1, "orders:place", named)),
      ...sockets.map(() =>
        call(exchange.url, "mutation", "orders:place", named, exchange.mallory.token),
      ),
    ]);
    const idOf = (answer: Answer | ServerMessage): string => {
      const value = "httpStatus" in answer ? answer.value : answer.result;
      return (value as { order: { orderId: string } }).order.orderId;
    };
    expect(new Set(repeats.map(idOf)).size).toBe(1);

    const orderId = idOf(repeats[0]);
    const cancels = await Promise.all(
      Array.from({ length: 8 }, () =>
        call(exchange.url, "mutation", "orders:cancel", { orderId }, exchange.mallory.token),
      ),
    );
    expect(cancels.filter(({ status }) => status === "success")).toHaveLength(1);
    await exchange.expectUnharmed();
    await Promise.all(sockets.map((socket) => socket.close()));
  });

  test("practice funds are given once, however many ask at once", async () => {
    const eve = await signUp(exchange.url, "Eve");
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        call(exchange.url, "mutation", "accounts:takePracticeFunds", {}, eve.token),
      ),
    );
    const refused = answers.filter(({ status }) => status === "error");
    expect(refused).toHaveLength(15);
    for (const { errorData } of refused)
      expect(errorData).toMatchObject({ code: "practiceFundsTakenToday" });
    const balances = (await exchange.good("query", "accounts:balances", {}, eve.token)) as {
      coin: string;
      total: string;
    }[];
    expect(balances.find(({ coin }) => coin === "USD")?.total).toBe("100000.000000");
  });
});

test("the log has no failure of the server and no secret, and the journal is sound", async () => {
  exchange.expectQuietLog();
  await exchange.expectSoundJournal();
});
