import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CatalogueEntries } from "#contract/catalogue.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";

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
  const market = () => listed().markets[0];
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
    [
      "what a plan costs",
      () => ({ kind: "plan", plan: { ...free(), price: "1" } }),
      "entry.plan.price",
    ],
    [
      "for how long a plan is paid",
      () => ({ kind: "plan", plan: { ...free(), interval: "month" } }),
      "entry.plan.interval",
    ],
    [
      "what a coin counts towards the limits",
      () => ({ kind: "market", market: { ...market(), referencePrice: "0.01" } }),
      "entry.market.referencePrice",
    ],
    [
      "a new market, whose price would count",
      () => ({ kind: "market", market: { ...market(), symbol: "EUR-MEET" } }),
      "entry.market.symbol",
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

  test("everything else of a funded coin, its plans and its markets is for administrators", async () => {
    const admin = funded.as("admin-olga");
    for (const [kind, named] of [
      ["coin", { ...euro(), name: "The euro" }],
      ["plan", { ...free(), takerFeeBps: 3 }],
      ["market", { ...market(), priceBandBps: 1_500 }],
    ] as const) {
      const entry = { kind, [kind]: named };
      const { versions } = listed();
      const name = { coin: "EUR", plan: free().slug, market: market().symbol }[kind];
      const seen = versions.find((each) => each.kind === kind && each.name === name)?.version;
      const { changes } = await admin.answer<{ changes: string[] }>("catalogue:preview", {
        entry,
        seen,
      });
      await admin.done("catalogue:change", { entry, seen, shown: changes, reason: "a test" });
    }
    expect([euro().name, free().takerFeeBps, market().priceBandBps]).toEqual([
      "The euro",
      3,
      1_500,
    ]);
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
