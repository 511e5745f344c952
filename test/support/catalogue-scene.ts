/** An exchange whose catalogue an administrator changes. */
import { afterAll, beforeAll } from "vitest";
import type { CatalogueEntries } from "#contract/catalogue.ts";
import type { Page } from "#contract/types.ts";
import type { AdminChange } from "#contract/users.ts";
import { type FunctionScene, openFunctionScene } from "#test/support/function-scene.ts";

/** Call it once in a file of tests, which share one exchange. */
export function catalogueScene() {
  const catalogue = {} as { scene: FunctionScene };
  beforeAll(async () => {
    catalogue.scene = await openFunctionScene({ priceLimits: true });
  });
  afterAll(() => catalogue.scene.close());

  const olga = () => catalogue.scene.as("admin-olga");
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

  return Object.assign(catalogue, {
    btcUsd,
    change,
    changesOf,
    coinOf,
    entries,
    marketOf,
    olga,
    planOf,
    preview,
    versionOf,
  });
}
