import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CatalogueEntries } from "#contract/catalogue.ts";
import type { Coin, MarketState, Page } from "#contract/types.ts";
import type { AdminChange } from "#contract/users.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";

/** A black square of 16 pixels. */
const ICON =
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAADUlEQVR42mNgGAXIAAABEAABf80DtQAAAABJRU5ErkJggg==";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene({ priceLimits: true });
});
afterAll(() => scene.close());

const olga = () => scene.as("admin-olga");
const entries = () => olga().value<CatalogueEntries>("catalogue:entries");
const preview = async (entry: object, seen = versionOf(entry)) =>
  (await olga().answer<{ changes: string[] }>("catalogue:preview", { entry, seen })).changes;
const changesOf = async (args: object = {}) =>
  (await olga().answer<Page<AdminChange>>("audit:changes", args)).items;

const coinOf = (symbol: string) => entries().coins.find((coin) => coin.symbol === symbol);
const planOf = (slug: string) => entries().plans.find((plan) => plan.slug === slug);
const marketOf = (symbol: string) => entries().markets.find((market) => market.symbol === symbol);
const btcUsd = (terms: object) => ({
  kind: "market",
  market: { ...marketOf("BTC-USD"), ...terms },
});

/** What an administrator who looks at the entry now has seen. */
function versionOf(entry: object): string | null {
  const { kind, ...named } = entry as { kind: string };
  const { symbol, slug } =
    (named as Record<string, { symbol?: string; slug?: string }>)[kind] ?? {};
  const { versions } = entries();
  const listed = versions.find((each) => each.kind === kind && each.name === (symbol ?? slug));
  return listed?.version ?? null;
}

async function change(entry: object, reason = "a test"): Promise<void> {
  const seen = versionOf(entry);
  const shown = await preview(entry, seen);
  await olga().done("catalogue:change", { entry, seen, shown, reason });
}

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
    const { sequence } = scene.services.exchange.health();
    for (const [caller, code] of [
      [scene.as(null), "unauthorized"],
      [scene.as("anna"), "forbidden"],
      [scene.as("admin-olga", { readOnly: true }), "forbidden"],
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
    expect(scene.services.exchange.health().sequence).toBe(sequence);
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
    const listed = scene.as(null).value<Coin[]>("coins:list");
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
    const symbols = scene
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
    const listed = scene.as(null).value<Coin[]>("coins:list");
    expect(Object.keys(listed.find(({ symbol }) => symbol === "TEA") ?? {})).not.toContain("icon");
  });

  test("whose name changes has the new one in its markets too", async () => {
    await change({ kind: "coin", coin: { ...coinOf("BTC"), name: "Bitcoin, renamed" } });
    const markets = scene.as(null).value<{ symbol: string; baseName: string }[]>("markets:list");
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

  test("enters scheduled states, which everybody sees, and the record has before and after", async () => {
    const at = Math.ceil(scene.services.views.nowMs() / 60_000) * 60_000 + 3_600_000;
    const steps = [
      { at, status: "preOpen", forSeconds: 600 },
      { at: at + 1, status: "closed" },
    ];
    const args = { market: "ETH-USD", seen: [], steps, reason: "it is delisted" };
    await olga().done("markets:schedule", args);
    const state = scene.as(null).value<MarketState>("markets:state", { market: "ETH-USD" });
    expect(state.scheduled).toEqual([
      { at, status: "preOpen", forSeconds: 600 },
      { at: at + 1, status: "closed", forSeconds: null },
    ]);
    const [scheduled] = await changesOf({ kind: "schedule" });
    const minute = new Date(at).toISOString().slice(0, 16).replace("T", " ");
    expect(scheduled).toMatchObject({
      subject: "market ETH-USD",
      differences: [
        {
          name: "steps",
          before: "empty",
          after: `${minute} UTC preOpen for 10 min; ${minute} UTC closed`,
        },
      ],
    });
    // A request that is sent again finds its schedule set; one that ends another does not.
    await olga().done("markets:schedule", args);
    const unseen = { ...args, steps: [], reason: "it stays" };
    expect(refusal(await olga().mutate("markets:schedule", unseen))).toMatchObject({
      code: "invalidArgument",
      field: "seen",
      message: "The schedule was changed in the meantime. Close this and look at what it is now.",
    });
    await olga().done("markets:schedule", { ...unseen, seen: state.scheduled });
    const after = scene.as(null).value<MarketState>("markets:state", { market: "ETH-USD" });
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
      /has no coin NOPE/,
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
    const { sequence } = scene.services.exchange.health();
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
    expect(scene.services.exchange.health().sequence).toBe(sequence);
  });
});

describe("what lets money in or out is for the operator alone", () => {
  let funded: FunctionScene;
  beforeAll(async () => {
    funded = await openFunctionScene({
      settings: { CATALOGUE: "catalogues/funded.yaml", FUNDED_MODE: "manual" },
    });
  });
  afterAll(() => funded.close());

  const listed = () => funded.as("admin-olga").value<CatalogueEntries>("catalogue:entries");
  const euro = () => {
    const found = listed().coins.find(({ symbol }) => symbol === "EUR");
    if (found?.transfers === undefined) throw new Error("EUR has no transfers");
    return { ...found, transfers: found.transfers };
  };
  const free = () => listed().plans[0];
  const withTransfers = (terms: object) => ({
    kind: "coin",
    coin: { ...euro(), transfers: { ...euro().transfers, ...terms } },
  });

  test.each<[string, () => object, string]>([
    [
      "what one administrator approves alone",
      () => withTransfers({ oneApprovalMax: "900000" }),
      "entry.coin.transfers",
    ],
    [
      "where deposits are paid to",
      () =>
        withTransfers({
          networks: euro().transfers.networks.map((network) => ({
            ...network,
            instructions: "Pay me",
          })),
        }),
      "entry.coin.transfers",
    ],
    [
      "a new coin that is paid in",
      () => ({ kind: "coin", coin: { ...euro(), symbol: "FAKE", name: "Fake" } }),
      "entry.coin.transfers",
    ],
    [
      "a plan's limit per day",
      () => ({ kind: "plan", plan: { ...free(), withdrawalDailyMax: "900000" } }),
      "entry.plan.withdrawalDailyMax",
    ],
    [
      "no limit per month",
      () => ({ kind: "plan", plan: { ...free(), withdrawalMonthlyMax: undefined } }),
      "entry.plan.withdrawalMonthlyMax",
    ],
    [
      "who gets a plan",
      () => ({ kind: "plan", plan: { ...free(), eligibility: "assigned" } }),
      "entry.plan.eligibility",
    ],
    [
      "a new plan without limits",
      () => {
        const { withdrawalDailyMax: _, withdrawalMonthlyMax: _monthly, ...terms } = free();
        return { kind: "plan", plan: { ...terms, slug: "friends", name: "Friends" } };
      },
      "entry.plan.slug",
    ],
  ])("%s", async (_name, entry, field) => {
    const { sequence } = funded.services.exchange.health();
    const args = { entry: entry(), seen: null };
    const admin = funded.as("admin-olga");
    for (const answer of [
      await admin.act("catalogue:preview", args),
      await admin.mutate("catalogue:change", { ...args, shown: [], reason: "why" }),
    ]) {
      expect(refusal(answer)).toMatchObject({
        code: "invalidArgument",
        field,
        message: expect.stringContaining("openbell catalogue apply") as string,
      });
    }
    expect(funded.services.exchange.health().sequence).toBe(sequence);
  });

  test("terms that let less through are for one administrator, at once", async () => {
    const admin = funded.as("admin-olga");
    const change = async (terms: object) => {
      const entry = withTransfers(terms);
      const { versions } = listed();
      const seen = versions.find((each) => each.kind === "coin" && each.name === "EUR")?.version;
      const preview = await admin.act("catalogue:preview", { entry, seen });
      if (preview.status === "error") return refusal(preview).field;
      const { changes } = await admin.answer<{ changes: string[] }>("catalogue:preview", {
        entry,
        seen,
      });
      await admin.done("catalogue:change", { entry, seen, shown: changes, reason: "a theft" });
      return changes;
    };
    const { networks, oneApprovalMax } = euro().transfers;
    const closed = networks.map((network) => ({ ...network, withdrawals: false }));
    expect(
      await change({ networks: closed, oneApprovalMax: "150", withdrawalMax: "4000" }),
    ).toHaveLength(1);
    expect(euro().transfers).toMatchObject({
      networks: [{ deposits: true, withdrawals: false }],
      oneApprovalMax: "150",
      withdrawalMax: "4000",
    });
    for (const looser of [
      { networks },
      { oneApprovalMax },
      { withdrawalMax: "4000.01" },
      { withdrawalMax: undefined },
      { withdrawalFee: "0.4" },
      { depositMin: "0" },
      { networks: [] },
      { networks: closed.map((network) => ({ ...network, instructions: "Pay me" })) },
    ]) {
      expect(await change(looser)).toBe("entry.coin.transfers");
    }
    expect(await change({ oneApprovalMax: undefined })).toHaveLength(1);
    expect(await change({ oneApprovalMax: "1" })).toBe("entry.coin.transfers");
  });

  test("everything else of a funded coin and of its plans is for administrators", async () => {
    const admin = funded.as("admin-olga");
    for (const [kind, named] of [
      ["coin", { ...euro(), name: "The euro" }],
      ["plan", { ...free(), takerFeeBps: 3 }],
    ] as const) {
      const entry = { kind, [kind]: named };
      const { versions } = listed();
      const name = kind === "coin" ? "EUR" : free().slug;
      const seen = versions.find((each) => each.kind === kind && each.name === name)?.version;
      const { changes } = await admin.answer<{ changes: string[] }>("catalogue:preview", {
        entry,
        seen,
      });
      await admin.done("catalogue:change", { entry, seen, shown: changes, reason: "a test" });
    }
    expect([euro().name, free().takerFeeBps]).toEqual(["The euro", 3]);
  });

  test("a plan on which the user could withdraw more is not assigned by an administrator", async () => {
    const { exchange, views } = funded.services;
    const { definition } = views.catalogue.plans()[0];
    const { withdrawalDailyMax: _, ...unlimited } = definition;
    const assigned = { ...definition, position: 7, eligibility: "assigned" } as const;
    for (const plan of [
      { ...unlimited, slug: "more", position: 8, eligibility: "assigned" } as const,
      { ...assigned, slug: "same" },
    ]) {
      expect(await exchange.submit({ type: "definePlan", plan })).not.toHaveProperty("rejected");
    }
    await funded
      .as("dora")
      .done("transfers:requestDeposit", { coin: "EUR", amount: "50", network: "SEPA" });
    const admin = funded.as("admin-olga");
    const args = { userId: "dora", plan: "more", reason: "a friend" };
    expect(refusal(await admin.mutate("plans:assign", args))).toMatchObject({
      code: "invalidArgument",
      field: "plan",
      message: expect.stringContaining("openbell users plan") as string,
    });
    await admin.done("plans:assign", { ...args, plan: "same" });
  });
});

test("an administrator whose access another one has just changed changes nothing listed", async () => {
  const { accounts } = scene.services;
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
    await scene.as("dora").done("accounts:takePracticeFunds");
    await olga().done("plans:assign", { userId: "dora", plan: "pro", reason: "she helps" });
    await olga().done("plans:assign", { userId: "dora", plan: "free", reason: "she left" });
    const common = { subject: "dora", userEmail: "dora@example.com", kind: "planAssignment" };
    expect(await changesOf({ kind: "planAssignment" })).toMatchObject([
      { ...common, reason: "she left", differences: [{ before: "pro", after: "free" }] },
      { ...common, reason: "she helps", differences: [{ before: "free", after: "pro" }] },
    ]);
  });
});

describe("a change", () => {
  test("that does something else than was shown is refused", async () => {
    const entry = btcUsd({ protectionBps: 300 });
    const shown = ["market BTC-USD: protectionBps 1000 → 200"];
    const args = { entry, seen: versionOf(entry), shown, reason: "not so" };
    expect(refusal(await olga().mutate("catalogue:change", args)).field).toBe("shown");
  });

  test.each<[string, () => object, (before: object) => object, RegExp]>([
    [
      "a market",
      () => btcUsd({ protectionBps: 300 }),
      () => btcUsd({ priceBandBps: 450 }),
      /^The market BTC-USD was changed in the meantime/,
    ],
    [
      "a coin",
      () => ({ kind: "coin", coin: { ...coinOf("ETH"), name: "Mine" } }),
      () => ({ kind: "coin", coin: { ...coinOf("ETH"), website: "https://example.com/" } }),
      /^The coin ETH was changed in the meantime/,
    ],
    [
      "a plan",
      () => ({ kind: "plan", plan: { ...planOf("pro"), name: "Mine" } }),
      () => ({ kind: "plan", plan: { ...planOf("pro"), openOrdersMax: 77 } }),
      /^The plan pro was changed in the meantime/,
    ],
    [
      "what was new",
      () => ({
        kind: "coin",
        coin: { symbol: "OAT", name: "Oat", kind: "token", decimals: 2, shownDecimals: 2 },
      }),
      (mine) => mine,
      /^The coin OAT is listed already/,
    ],
  ])("of %s that another administrator has changed since is refused", async (_, of, other, why) => {
    const mine = of();
    const seen = versionOf(mine);
    const shown = await preview(mine, seen);
    const quinn = scene.as("admin-quinn");
    const theirs = other(mine);
    const theirShown = await preview(theirs, seen);
    await quinn.done("catalogue:change", {
      entry: theirs,
      seen,
      shown: theirShown,
      reason: "first",
    });
    const before = entries();
    const again = mine === theirs ? renamed(mine) : mine;
    const refusals = [
      refusal(await olga().act("catalogue:preview", { entry: again, seen })),
      refusal(
        await olga().mutate("catalogue:change", { entry: again, seen, shown, reason: "too late" }),
      ),
    ];
    for (const { code, field, message } of refusals) {
      expect([code, field]).toEqual(["invalidArgument", "seen"]);
      expect(message).toMatch(why);
    }
    expect(entries()).toEqual(before);
    // What the other one changed is not in the way of what is looked at now.
    await change(again);
  });

  test("is made once, however often its request arrives", async () => {
    const entry = { kind: "plan", plan: { ...planOf("pro"), makerFeeBps: 3 } };
    const seen = versionOf(entry);
    const args = { entry, seen, shown: await preview(entry), reason: "once" };
    await olga().done("catalogue:change", args, "the same request");
    await olga().done("catalogue:change", args, "the same request");
    const made = await changesOf({ kind: "plan" });
    expect(made.filter(({ reason }) => reason === "once")).toHaveLength(1);
  });

  test("of any kind is found by administrator, kind and time, page by page", async () => {
    await olga().done("accounts:freeze", { userId: "dora", frozen: true, reason: "a check" });
    await scene
      .as("admin-paul")
      .done("markets:setStatus", { market: "BTC-USD", status: "halted", reason: "a pause" });
    const [halted, frozen] = await changesOf({ limit: 2 });
    expect(halted).toMatchObject({
      kind: "marketState",
      adminId: "admin-paul",
      differences: [{ name: "status", before: "trading", after: "halted" }],
    });
    expect(frozen).toMatchObject({
      kind: "freeze",
      subject: "dora",
      differences: [{ name: "account", before: "not frozen", after: "frozen" }],
    });
    expect(await changesOf({ admin: "admin-paul" })).toEqual([halted]);
    expect(await changesOf({ from: halted.time, to: halted.time + 1, kind: "freeze" })).toEqual(
      frozen.time === halted.time ? [frozen] : [],
    );
    const all: number[] = [];
    let cursor: string | null | undefined;
    do {
      const page: Page<AdminChange> = await olga().answer("audit:changes", {
        limit: 3,
        ...(typeof cursor === "string" && { cursor }),
      });
      all.push(...page.items.map(({ sequence }) => sequence));
      ({ cursor } = page);
    } while (cursor !== null);
    expect(all).toEqual((await changesOf({ limit: 200 })).map(({ sequence }) => sequence));
    expect(all).toEqual(all.toSorted((a, b) => b - a));
  });

  test("of a balance by two administrators is on record step by step", async () => {
    const propose = { userId: "dora", coin: "USD", amount: "-5", reason: "paid twice" };
    const { adjustmentId } = await olga().done<{ adjustmentId: number }>(
      "adjustments:propose",
      propose,
    );
    await scene.as("admin-paul").done("adjustments:approve", { adjustmentId });
    const name = `adjustment ${adjustmentId}`;
    const proposed = "proposed: -5.000000 USD";
    expect(await changesOf({ kind: "adjustment" })).toMatchObject([
      {
        adminId: "admin-paul",
        reason: "paid twice",
        differences: [{ name, before: proposed, after: "approved: -5.000000 USD" }],
      },
      { adminId: "admin-olga", differences: [{ name, before: "none", after: proposed }] },
    ]);
  });
});

/** The same coin with another name. */
function renamed(entry: object): object {
  const { coin } = entry as { coin: object };
  return { kind: "coin", coin: { ...coin, name: "Oats" } };
}
