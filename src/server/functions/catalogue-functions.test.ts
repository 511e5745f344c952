import { describe, expect, test, vi } from "vitest";
import type { Coin, MarketState } from "#contract/types.ts";
import { catalogueScene } from "#test/support/catalogue-scene.ts";
import { refusal } from "#test/support/function-scene.ts";

/** A black square of 16 pixels. */
const ICON =
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAADUlEQVR42mNgGAXIAAABEAABf80DtQAAAABJRU5ErkJggg==";

const catalogue = catalogueScene();
const { btcUsd, change, changesOf, coinOf, marketOf, olga, planOf, preview } = catalogue;

describe("every function of the catalogue, of schedules and of the record of changes", () => {
  const entry = { kind: "plan", plan: { slug: "new", name: "New", eligibility: "assigned" } };
  const plan = { ...entry.plan, makerFeeBps: 1, takerFeeBps: 1, openOrdersMax: 1 };
  const asked = {
    "catalogue:entries": {},
    "catalogue:preview": { entry: { kind: "plan", plan }, seen: null },
    "catalogue:change": {
      entry: { kind: "plan", plan },
      seen: null,
      shown: [],
      reason: "mine now",
    },
    "markets:schedule": { market: "BTC-USD", seen: [], steps: [], reason: "mine now" },
    "markets:setStatus": { market: "BTC-USD", status: "halted", reason: "mine now" },
    "plans:assign": { userId: "anna", plan: "pro", reason: "mine now" },
    "accounts:freeze": { userId: "anna", frozen: true, reason: "mine now" },
    "audit:changes": {},
  };
  test.each(Object.entries(asked))("%s refuses all but administrators", async (path, args) => {
    const { sequence } = catalogue.scene.services.exchange.health();
    for (const [caller, code] of [
      [catalogue.scene.as(null), "unauthorized"],
      [catalogue.scene.as("anna"), "forbidden"],
      [catalogue.scene.as("admin-olga", { readOnly: true }), "forbidden"],
    ] as const) {
      const answers = [
        caller.query(path, args).result,
        await caller.mutate(path, args),
        await caller.act(path, args),
      ];
      const refusals = answers.map((answer) => refusal(answer).code);
      expect(refusals, path).toContain(code);
      expect(answers.every(({ status }) => status === "error")).toBe(true);
    }
    expect(catalogue.scene.services.exchange.health().sequence).toBe(sequence);
  });
});

describe("a coin", () => {
  test("is listed and renamed after it was shown what that does, and pages show it", async () => {
    const coin = { symbol: "TEA", name: "Tea", kind: "token", decimals: 2, shownDecimals: 2 };
    expect(await preview({ kind: "coin", coin })).toEqual(["coin TEA: new, Tea"]);
    await change({ kind: "coin", coin }, "the members voted");
    const green = { ...coinOf("TEA"), name: "Green tea", riskNote: "It may dry out." };
    expect(await preview({ kind: "coin", coin: green })).toEqual([
      "coin TEA: name Tea → Green tea, riskNote empty → It may dry out.",
    ]);
    await change({ kind: "coin", coin: green });
    const listed = catalogue.scene.as(null).value<Coin[]>("coins:list");
    expect(listed.find(({ symbol }) => symbol === "TEA")).toMatchObject({
      name: "Green tea",
      riskNote: "It may dry out.",
    });
    expect(await changesOf({ kind: "coin" })).toMatchObject([
      {
        subject: "coin TEA",
        reason: "a test",
        adminId: "admin-olga",
        adminEmail: "admin-olga@example.com",
        differences: [
          { name: "name", before: "Tea", after: "Green tea" },
          { name: "riskNote", before: "empty", after: "It may dry out." },
        ],
      },
      { subject: "coin TEA", reason: "the members voted" },
    ]);
  });

  test("that is hidden is gone from the list, and still there for administrators", async () => {
    await change({ kind: "coin", coin: { ...coinOf("TEA"), status: "hidden" } });
    const symbols = catalogue.scene
      .as(null)
      .value<Coin[]>("coins:list")
      .map(({ symbol }) => symbol);
    expect(symbols).not.toContain("TEA");
    expect(coinOf("TEA")?.status).toBe("hidden");
  });

  test("has the icon that it was given, checked, at its own address and not in every answer", async () => {
    const icon = (text: string) => ({ kind: "coin", coin: { ...coinOf("TEA"), icon: text } });
    const wrong = await olga().act("catalogue:preview", {
      entry: icon("aGVsbG8="),
      seen: null,
    });
    expect(refusal(wrong)).toMatchObject({
      field: "entry.coin.icon",
      message: "icon must be a PNG that is whole.",
    });
    expect(await preview(icon(ICON))).toEqual(["coin TEA: icon none → image of 70 bytes"]);
    await change({ kind: "coin", coin: { ...coinOf("TEA"), icon: ICON, status: "listed" } });
    expect(coinOf("TEA")?.icon).toBe(ICON);
    const listed = catalogue.scene.as(null).value<Coin[]>("coins:list");
    expect(Object.keys(listed.find(({ symbol }) => symbol === "TEA") ?? {})).not.toContain("icon");
  });

  test("whose name changes has the new one in its markets too", async () => {
    await change({ kind: "coin", coin: { ...coinOf("BTC"), name: "Bitcoin, renamed" } });
    const markets = catalogue.scene
      .as(null)
      .value<{ symbol: string; baseName: string }[]>("markets:list");
    expect(markets.find(({ symbol }) => symbol === "BTC-USD")?.baseName).toBe("Bitcoin, renamed");
  });
});

describe("a market", () => {
  test("gets other terms, and one that is listed trades like any other", async () => {
    expect(await preview(btcUsd({ priceBandBps: 400 }))).toEqual([
      "market BTC-USD: priceBandBps 500 → 400",
    ]);
    await change(btcUsd({ priceBandBps: 400, fees: { makerFeeBps: 1, takerFeeBps: 2 } }));
    expect(marketOf("BTC-USD")).toMatchObject({ priceBandBps: 400, fees: { takerFeeBps: 2 } });
    const [made] = await changesOf({ kind: "market" });
    expect(made.differences).toEqual([
      { name: "priceBandBps", before: "500", after: "400" },
      { name: "fees.makerFeeBps", before: "none", after: "1" },
      { name: "fees.takerFeeBps", before: "none", after: "2" },
    ]);
  });

  test("enters scheduled states, which all users see, and the record has before and after", async () => {
    const at = Math.ceil(catalogue.scene.services.views.nowMs() / 60_000) * 60_000 + 3_600_000;
    const steps = [
      { at, status: "preOpen", forSeconds: 100 },
      { at: at + 30_000, status: "auction", forSeconds: 600 },
      { at: at + 30_001, status: "closed" },
    ];
    const args = { market: "ETH-USD", seen: [], steps, reason: "it is delisted" };
    await olga().done("markets:schedule", args);
    const state = catalogue.scene
      .as(null)
      .value<MarketState>("markets:state", { market: "ETH-USD" });
    expect(state.scheduled).toEqual([
      { at, status: "preOpen", forSeconds: 100 },
      { at: at + 30_000, status: "auction", forSeconds: 600 },
      { at: at + 30_001, status: "closed", forSeconds: null },
    ]);
    const [scheduled] = await changesOf({ kind: "schedule" });
    const minute = new Date(at).toISOString().slice(0, 16).replace("T", " ");
    expect(scheduled).toMatchObject({
      subject: "market ETH-USD",
      differences: [
        {
          name: "steps",
          before: "empty",
          after: `${minute} UTC preOpen for 1 min 40 s; ${minute}:30 UTC auction for 10 min; ${minute}:30 UTC closed`,
        },
      ],
    });
    // A request that is sent again finds its schedule set; one that repeats an ended one does not.
    await olga().done("markets:schedule", args);
    const unseen = { ...args, steps: [], reason: "it stays" };
    expect(refusal(await olga().mutate("markets:schedule", unseen))).toMatchObject({
      code: "invalidArgument",
      field: "seen",
      message: "The schedule was changed in the meantime. Close this and look at what it is now.",
    });
    await olga().done("markets:schedule", { ...unseen, seen: state.scheduled });
    const after = catalogue.scene
      .as(null)
      .value<MarketState>("markets:state", { market: "ETH-USD" });
    expect(after.scheduled).toEqual([]);
  });

  test("is not scheduled for the past", async () => {
    const steps = [{ at: 1, status: "closed" }];
    const args = { market: "ETH-USD", seen: [], steps, reason: "a test" };
    expect(refusal(await olga().mutate("markets:schedule", args))).toMatchObject({
      code: "invalidArgument",
      field: "steps",
    });
  });
});

describe("what cannot be is refused beside its field", () => {
  test.each<[string, () => object, string, RegExp]>([
    [
      "a coin's decimals",
      () => ({ kind: "coin", coin: { ...coinOf("BTC"), decimals: 9 } }),
      "entry.coin.decimals",
      /^decimals cannot change once it is listed \(decimals 8 → 9\): balances are counted in it\.$/,
    ],
    [
      "a market's step",
      () => btcUsd({ priceStep: "0.1" }),
      "entry.market.priceStep",
      /^priceStep cannot change once it is listed/,
    ],
    [
      "a step that is no power of ten",
      () => btcUsd({ symbol: "TEA-USD", priceStep: "0.3", quantityStep: "0.01", simulated: false }),
      "entry.market.priceStep",
      /^priceStep must be 1, 0\.1/,
    ],
    [
      "a market of a coin that is not listed",
      () => btcUsd({ symbol: "NOPE-USD", simulated: false }),
      "entry.market",
      /There is no coin NOPE/,
    ],
    [
      "a fee that is no number",
      () => ({ kind: "plan", plan: { ...planOf("pro"), takerFeeBps: "12 %" } }),
      "entry.plan.takerFeeBps",
      /must be a number/,
    ],
    [
      "a band of more than everything",
      () => btcUsd({ priceBandBps: 10_000 }),
      "entry.market.priceBandBps",
      /must be at most 9999/,
    ],
    [
      "the first plan for some users",
      () => ({ kind: "plan", plan: { ...planOf("free"), eligibility: "paid" } }),
      "entry.plan",
      /is the first, which every new user gets/,
    ],
  ])("%s", async (_name, entry, field, message) => {
    const { sequence } = catalogue.scene.services.exchange.health();
    const asked = entry();
    const refusals = [
      refusal(await olga().act("catalogue:preview", { entry: asked, seen: null })),
      refusal(
        await olga().mutate("catalogue:change", {
          entry: asked,
          seen: null,
          shown: [],
          reason: "why",
        }),
      ),
    ];
    for (const refused of refusals) {
      expect(refused).toMatchObject({ code: "invalidArgument", field });
      expect(refused.message.replace(`${field} `, "")).toMatch(message);
    }
    expect(catalogue.scene.services.exchange.health().sequence).toBe(sequence);
  });
});

test("an administrator whose access another one has just changed changes nothing listed", async () => {
  const { accounts } = catalogue.scene.services;
  const changed = vi
    .spyOn(accounts, "changesByOtherAdmins")
    .mockResolvedValue({ roleAtMs: Date.now(), accessAtMs: Date.now() });
  const args = { entry: { kind: "plan", plan: { ...planOf("pro"), takerFeeBps: 1 } }, seen: null };
  for (const answer of [
    await olga().act("catalogue:preview", args),
    await olga().mutate("catalogue:change", { ...args, shown: [], reason: "why" }),
  ]) {
    expect(refusal(answer).code).toBe("forbidden");
  }
  changed.mockRestore();
});

describe("a plan", () => {
  test("has a new version for new orders", async () => {
    const pro = planOf("pro");
    const [sentence] = await preview({ kind: "plan", plan: { ...pro, takerFeeBps: 7 } });
    expect(sentence).toMatch(/^plan pro: takerFeeBps \d+ → 7; for new orders$/);
    await change({ kind: "plan", plan: { ...pro, takerFeeBps: 7 } });
    expect(planOf("pro")?.takerFeeBps).toBe(7);
  });

  test("is assigned with a reason, and the record says which one it was before", async () => {
    await catalogue.scene.as("dora").done("accounts:takePracticeFunds");
    await olga().done("plans:assign", { userId: "dora", plan: "pro", reason: "she helps" });
    await olga().done("plans:assign", { userId: "dora", plan: "free", reason: "she left" });
    const common = { subject: "dora", userEmail: "dora@example.com", kind: "planAssignment" };
    expect(await changesOf({ kind: "planAssignment" })).toMatchObject([
      { ...common, reason: "she left", differences: [{ before: "pro", after: "free" }] },
      { ...common, reason: "she helps", differences: [{ before: "free", after: "pro" }] },
    ]);
  });
});
