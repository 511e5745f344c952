/** Changes to listed entries: how they are shown, confirmed and recorded. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Page } from "#contract/types.ts";
import type { AdminChange } from "#contract/users.ts";
import { catalogueScene } from "#test/support/catalogue-scene.ts";
import { refusal } from "#test/support/function-scene.ts";

const catalogue = catalogueScene();
const { btcUsd, change, changesOf, coinOf, entries, olga, planOf, preview, versionOf } = catalogue;

beforeAll(async () => {
  await catalogue.scene.as("dora").done("accounts:takePracticeFunds");
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
    const quinn = catalogue.scene.as("admin-quinn");
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
    // The other administrator's change does not interfere with the one that is being previewed.
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
    await catalogue.scene
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
    await catalogue.scene.as("admin-paul").done("adjustments:approve", { adjustmentId });
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
