import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type Caller,
  type FunctionScene,
  openFunctionScene,
  refusal,
} from "#test/support/function-scene.ts";
import {
  ExchangeBusyError,
  ExchangeStoppedError,
  OrdersStoppedError,
} from "../exchange/exchange-errors.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { BackendTokenError } from "../accounts/sessions/backend-token.ts";
import {
  AuthenticationUnavailableError,
  type FunctionResult,
  OutcomeUnknownError,
} from "../reactive/executor.ts";
import { definitions } from "./definitions.ts";
import { createExecutor } from "./executor.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

const TEA = {
  kind: "coin",
  coin: { symbol: "TEA", name: "Tea", kind: "token", decimals: 2, shownDecimals: 2 },
};

const ARGUMENTS: Record<string, object> = {
  "markets:book": { market: "BTC-USD" },
  "markets:trades": { market: "BTC-USD" },
  "markets:state": { market: "BTC-USD" },
  "markets:setStatus": { market: "BTC-USD", status: "halted", reason: "a test" },
  "markets:latestCandles": { market: "BTC-USD", interval: "1m" },
  "markets:candles": { market: "BTC-USD", interval: "1m" },
  "accounts:ledgerEntries": { sequence: 1 },
  "fills:record": { orderId: "1", tradeId: 1 },
  "fills:ofOrder": { orderId: "1" },
  "orders:place": { market: "BTC-USD", side: "buy", type: "market", quantity: "1" },
  "orders:life": { orderId: "1" },
  "orders:list": { paginationOpts: { numItems: 10, cursor: null } },
  "apiKeys:create": { name: "Bot", kind: "hmac", permissions: ["read"] },
  "apiKeys:rename": { keyId: "1", name: "Bot" },
  "apiKeys:restrict": { keyId: "1", permissions: ["read"] },
  "apiKeys:setFaults": { keyId: "1", faults: {} },
  "apiKeys:revoke": { keyId: "1" },
  "orders:cancel": { orderId: "1" },
  "orders:amend": { orderId: "1", price: "1" },
  "orders:replace": {
    orderId: "1",
    order: { market: "BTC-USD", side: "buy", type: "market", quantity: "1" },
  },
  "orders:placeList": {
    market: "BTC-USD",
    kind: "oto",
    orders: [
      { side: "buy", type: "market", quantity: "1" },
      { side: "sell", type: "market", quantity: "1" },
    ],
  },
  "orders:cancelAfter": { delayMs: 0 },
  "users:summary": { userId: "anna" },
  "plans:choose": { plan: "pro" },
  "plans:assign": { userId: "anna", plan: "pro", reason: "a test" },
  "markets:schedule": { market: "BTC-USD", seen: [], steps: [], reason: "a test" },
  "catalogue:preview": { entry: TEA, seen: null },
  "catalogue:change": { entry: TEA, seen: null, shown: [], reason: "a test" },
  "accounts:statement": { from: 0, to: 1 },
  "accounts:freeze": { userId: "anna", frozen: true, reason: "a test" },
  "transfers:requestDeposit": { coin: "USD", amount: "1", network: "SEPA" },
  "transfers:cancel": { transferId: 1 },
  "transfers:requestWithdrawal": { addressId: "1", amount: "1", requestId: "12345678" },
  "transfers:addAddress": { coin: "USD", network: "SEPA", address: "1", label: "1" },
  "transfers:removeAddress": { addressId: "1" },
  "transfers:record": { transferId: 1, amount: "1", receipt: "1", reason: "a test" },
  "transfers:send": { transferId: 1, receipt: "1", reason: "a test" },
  "transfers:decide": { transferId: 1, step: "approve", reason: "a test" },
  "transfers:importDeposits": { csv: "", apply: true, reason: "a test" },
  "adjustments:propose": { userId: "anna", coin: "USD", amount: "1", reason: "a test" },
  "adjustments:approve": { adjustmentId: 1 },
  "adjustments:reject": { adjustmentId: 1 },
};
const contract = [...definitions.keys()];
const queries = contract.filter((path) => definitions.get(path)?.kind === "query");

function call(caller: Caller, path: string, args: object): Promise<FunctionResult> {
  const kind = definitions.get(path)?.kind;
  if (kind === "query") {
    const result: FunctionResult = caller.query(path, args).result;
    return Promise.resolve(result);
  }
  return kind === "mutation" ? caller.mutate(path, args) : caller.act(path, args);
}

const isTheSameForAll = (path: string) =>
  /^(venue|coins|markets):(?!setStatus|schedule)|^plans:list$/.test(path);

describe("a call that cannot be run", () => {
  test.each([
    "",
    "nope",
    "orders:nope",
    "constructor",
    "__proto__",
    "orders:__proto__",
    "x".repeat(10_000),
  ])("of the unknown function %j gets a short answer", async (path) => {
    const visitor = scene.as(null);
    for (const result of [
      visitor.query(path).result,
      await visitor.mutate(path),
      await visitor.act(path),
    ]) {
      expect(refusal(result)).toMatchObject({ code: "notFound" });
      expect(refusal(result).message.length).toBeLessThan(100);
    }
  });

  test("of another kind says which kind it is", async () => {
    const visitor = scene.as(null);
    expect(refusal(visitor.query("orders:place").result).message).toBe(
      "orders:place is a mutation, not a query.",
    );
    expect(refusal(await visitor.mutate("coins:list")).message).toContain("is a query");
    expect(refusal(await visitor.act("coins:list")).message).toContain("is a query");
  });
});

test("a null character is refused by field in any text, of every function", async () => {
  const admin = scene.as("admin-1");
  for (const path of contract) {
    const args = { ...(ARGUMENTS[path] as object | undefined), order: { clientOrderId: "a\0" } };
    expect([path, refusal(await call(admin, path, args))]).toMatchObject([
      path,
      { code: "invalidArgument", field: "order.clientOrderId" },
    ]);
  }
});

test("a visitor is refused everything of one's own and given everything public", async () => {
  const visitor = scene.as(null);
  const isPublic = (path: string) =>
    isTheSameForAll(path) || ["solvency:report", "users:current"].includes(path);
  for (const path of contract) {
    const result = await call(visitor, path, ARGUMENTS[path] ?? {});
    if (isPublic(path)) expect(result.status).toBe("success");
    else expect(refusal(result)).toEqual({ code: "unauthorized", message: "Sign in to do this." });
  }
});

test("administrators' functions refuse others before they read arguments, and no other does", async () => {
  const executor = createExecutor(scene.services);
  const identity = { subject: "mallory", sessionId: "s", issuedAtMs: 0, expiresAtMs: 1e15 };
  const mallory = scene.as("mallory");
  const forbidden = { code: "forbidden", message: "Only administrators may do this." };
  for (const [path, { kind, isForAdmins }] of definitions) {
    const lookup = executor.lookUp(kind, path, identity);
    if (isForAdmins) {
      expect([path, lookup]).toMatchObject([path, { refusal: { data: forbidden } }]);
      expect([path, refusal(await call(mallory, path, { x: 1 }))]).toEqual([path, forbidden]);
      continue;
    }
    expect(lookup).not.toHaveProperty("refusal");
    const result = await call(mallory, path, ARGUMENTS[path] ?? {});
    expect([path, result]).not.toMatchObject([path, { data: forbidden }]);
  }
});

test("an administrator who views as a user sees everything and changes nothing", async () => {
  const executor = createExecutor(scene.services);
  const identity = {
    subject: "anna",
    sessionId: "support",
    readOnly: true,
    issuedAtMs: 0,
    expiresAtMs: 1e15,
  };
  const path = "accounts:takePracticeFunds";
  const { sequence } = scene.services.exchange.health();
  expect(refusal(await executor.mutation({ path, args: {}, identity }, ""))).toMatchObject({
    code: "forbidden",
  });
  expect(scene.services.exchange.health().sequence).toBe(sequence);
  const call = { path: "accounts:balances", args: {}, identity, journal: null };
  expect(executor.query(call).result).toMatchObject({ status: "success" });
});

test("only answers of one's own are evaluated per caller", () => {
  for (const path of queries) {
    const { readsIdentity } = scene.as("anna").query(path, ARGUMENTS[path]);
    expect(readsIdentity).toBe(!isTheSameForAll(path));
  }
});

test("no answer changes without a topic that it named", async () => {
  const { views } = scene.services;
  const anna = scene.as("topics-anna");
  const bert = scene.as("topics-bert");
  const ask = () =>
    new Map(
      [anna, bert].flatMap((caller, index) =>
        queries.map((path) => {
          const { result, topics } = caller.query(path, ARGUMENTS[path]);
          // The present advances by itself: the curve ends with it.
          const value = JSON.stringify(result, (key, item: unknown) =>
            key === "curve" ? undefined : item,
          );
          return [`${path} ${index}`, { value, topics }] as const;
        }),
      ),
    );
  const maker = await scene.participant("topics-maker", { USD: 1_000_000, BTC: 100 });
  const limit = { market: "BTC-USD", side: "buy", type: "limit", price: "40000", quantity: "0.1" };
  const moves: (() => Promise<unknown>)[] = [
    () => anna.done("accounts:takePracticeFunds"),
    () => bert.done("accounts:takePracticeFunds"),
    () => maker({ side: "sell", price: "50000", quantity: "1" }),
    () => anna.done("orders:place", ARGUMENTS["orders:place"]),
    () => anna.done("orders:place", limit),
    () => maker({ side: "sell", price: "40000", quantity: "0.05" }),
    () => bert.done("orders:place", limit),
    () => anna.done("orders:cancelAll"),
    () => maker({ side: "sell", price: "39000", quantity: "5" }),
    () =>
      scene.services.exchange.submit({
        type: "assignPlan",
        account: views.accounts.ofUser("topics-anna")?.account ?? 0,
        planId: 3,
      }),
  ];
  let changes = 0;
  for (const move of moves) {
    const before = ask();
    // `prices` and `tickers` follow within a second, and the heartbeat comes every second.
    const told = new Set(["prices", "tickers", "heartbeat"]);
    const unsubscribe = scene.onChange((topic) => told.add(topic));
    await move();
    unsubscribe();
    for (const [name, { value }] of ask()) {
      const asked = before.get(name);
      if (asked?.value === value) continue;
      changes += 1;
      expect([name, !told.isDisjointFrom(asked?.topics ?? new Set())]).toEqual([name, true]);
    }
  }
  expect(changes).toBeGreaterThan(30);
});

describe("when something breaks", () => {
  test("the caller gets no details, the log gets them all, and a developer's client in development", () => {
    const { services } = scene;
    const config = services.config as { ENVIRONMENT: "development" | "production" };
    const logged = vi.spyOn(services.log, "error").mockImplementation(() => undefined);
    const broken = vi.spyOn(services.views.catalogue, "coins").mockImplementation(() => {
      throw new Error("secret detail");
    });
    config.ENVIRONMENT = "production";
    const { result } = scene.as(null).query("coins:list");
    config.ENVIRONMENT = "development";
    const inDevelopment = scene.as(null).query("coins:list").result;
    broken.mockRestore();
    expect(result).toEqual({ status: "error", message: "Internal error" });
    expect(inDevelopment).toEqual({
      status: "error",
      message: "Internal error",
      logLines: [expect.stringContaining("[ERROR] Error: secret detail")],
    });
    expect(logged.mock.calls[0][0]).toMatchObject({ path: "coins:list", err: expect.any(Error) });
    logged.mockRestore();
  });

  test("a busy exchange asks to try again, a stopped one leaves the outcome open", async () => {
    const submit = vi.spyOn(scene.services.exchange, "submit");
    const anna = scene.as("anna");
    submit.mockRejectedValueOnce(new ExchangeBusyError(9));
    expect(refusal(await anna.mutate("accounts:takePracticeFunds"))).toMatchObject({
      code: "unavailable",
    });
    submit.mockRejectedValueOnce(new OrdersStoppedError());
    expect(refusal(await anna.mutate("accounts:takePracticeFunds"))).toMatchObject({
      code: "unavailable",
      message: "The exchange takes no new orders at the moment. You can cancel orders.",
    });
    submit.mockRejectedValueOnce(new ExchangeStoppedError("disk full"));
    await expect(anna.mutate("accounts:takePracticeFunds")).rejects.toThrow(OutcomeUnknownError);
    submit.mockRestore();
  });

  test("a token that cannot be checked is told apart from one that is refused", async () => {
    const verifyBackendToken = vi.fn<Accounts["verifyBackendToken"]>();
    const accounts = { ...scene.services.accounts, verifyBackendToken };
    const executor = createExecutor({ ...scene.services, accounts });
    verifyBackendToken.mockRejectedValueOnce(new Error("connect ECONNREFUSED 10.1.2.3:5432"));
    const unchecked = executor.authenticate("token");
    await expect(unchecked).rejects.toThrow(AuthenticationUnavailableError);
    const refused = new BackendTokenError("NoAuthProvider", "The backend token is not valid.");
    verifyBackendToken.mockRejectedValueOnce(refused);
    await expect(executor.authenticate("token")).rejects.toBe(refused);
  });
});
