/** What a catalogue file would change on an exchange, and what it asks for that cannot change. */
import type { Command } from "#engine/commands.ts";
import type { CatalogueFile } from "./catalogue-file.ts";
import { declare, partsOf } from "./declared-catalogue.ts";
import {
  describeCoin,
  describeMarket,
  describePlan,
  type Listing,
  scalesIn,
} from "./described-catalogue.ts";

export interface CatalogueChange {
  /** Such as `market TOK-PTS: largestOrder 1000 → 2000`. */
  readonly sentence: string;
  readonly command: Command;
}

export interface CatalogueDifference {
  /** In an order in which they can be carried out. */
  readonly changes: readonly CatalogueChange[];
  /** If there is one, nothing may be carried out. */
  readonly refusals: readonly string[];
  /** Listed, but not in the file: they stay as they are. */
  readonly notInFile: readonly string[];
}

/** What pages, orders or balances rely on from the first moment. */
const FIXED_OF_MARKETS: ReadonlySet<string> = new Set(["priceStep", "quantityStep", "simulated"]);

/** @throws CatalogueError if the file contradicts itself */
export function differenceFrom(listing: Listing, file: CatalogueFile): CatalogueDifference {
  const declared = declare(file);
  const changes: CatalogueChange[] = [];
  const refusals: string[] = [];

  const coins = new Map(listing.coins().map(({ definition }) => [definition.symbol, definition]));
  for (const [index, coin] of declared.coins.entries()) {
    const listed = coins.get(coin.symbol);
    if (listed === undefined) {
      changes.push({
        sentence: `coin ${coin.symbol}: new, ${coin.name}`,
        command: { type: "listCoin", coin },
      });
      continue;
    }
    for (const { name, words } of differences(describeCoin(listed), file.coins[index])) {
      refusals.push(`coin ${coin.symbol}: ${name} cannot change once it is listed (${words})`);
    }
  }

  const plans = new Map(listing.plans().map((plan) => [plan.definition.slug, plan]));
  const listedCurrency = listing.plans()[0]?.definition.currency;
  if (listedCurrency !== undefined && listedCurrency !== file.settlementCoin) {
    refusals.push(
      `settlementCoin: cannot change (${listedCurrency} → ${file.settlementCoin}): volumes and paid periods are counted in it`,
    );
  }
  for (const [index, plan] of declared.plans.entries()) {
    const listed = plans.get(plan.slug);
    if (listed === undefined) {
      changes.push({
        sentence: `plan ${plan.slug}: new, ${plan.name}`,
        command: { type: "definePlan", plan },
      });
      continue;
    }
    // Its limits are read at each start, like the practice funds.
    const found = differences(
      { place: listed.definition.position, ...describePlan(listed.definition) },
      { place: plan.position, ...partsOf(file.plans[index]).terms },
    );
    if (found.length === 0) continue;
    changes.push({
      sentence: `plan ${plan.slug}: ${found.map(({ words }) => words).join(", ")}; for new orders`,
      command: { type: "updatePlan", planId: listed.planId, plan },
    });
  }

  const markets = new Map(listing.markets().map((market) => [market.definition.symbol, market]));
  const scales = scalesIn(listing);
  for (const [index, market] of declared.markets.entries()) {
    const listed = markets.get(market.symbol);
    if (listed === undefined) {
      changes.push({
        sentence: `market ${market.symbol}: new, ${market.status}`,
        command: { type: "listMarket", market },
      });
      continue;
    }
    const { status } = listed.definition;
    const found = differences(describeMarket(listed.definition, scales(listed.definition)), {
      ...file.markets[index],
      // Administrators change the state, with a reason; a file only says how a market begins.
      status,
    });
    const fixed = found.filter(({ name }) => FIXED_OF_MARKETS.has(name));
    for (const { name, words } of fixed) {
      refusals.push(
        `market ${market.symbol}: ${name} cannot change once it is listed (${words}); list a market of another name`,
      );
    }
    if (found.length === 0 || fixed.length > 0) continue;
    changes.push({
      sentence: `market ${market.symbol}: ${found.map(({ words }) => words).join(", ")}`,
      command: { type: "updateMarket", marketId: listed.marketId, market: { ...market, status } },
    });
  }

  return { changes, refusals, notInFile: notInFile(listing, file) };
}

function notInFile(listing: Listing, file: CatalogueFile): string[] {
  const missing = (kind: string, listed: readonly string[], declared: readonly string[]) =>
    listed.filter((name) => !declared.includes(name)).map((name) => `${kind} ${name}`);
  return [
    ...missing(
      "coin",
      listing.coins().map(({ definition }) => definition.symbol),
      file.coins.map(({ symbol }) => symbol),
    ),
    ...missing(
      "plan",
      listing.plans().map(({ definition }) => definition.slug),
      file.plans.map(({ slug }) => slug),
    ),
    ...missing(
      "market",
      listing.markets().map(({ definition }) => definition.symbol),
      file.markets.map(({ symbol }) => symbol),
    ),
  ];
}

/** The fields that differ, each with its two values in words. */
function differences<Fields extends object>(
  before: Fields,
  after: Fields,
): { readonly name: string; readonly words: string }[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, next] = [before, after].map((fields) => wordsOf(fields, name));
    return old === next ? [] : [{ name, words: `${name} ${old} → ${next}` }];
  });
}

function wordsOf(fields: object, name: string): string {
  const value: unknown = Object.entries(fields).find(([key]) => key === name)?.[1];
  if (value === undefined) return "none";
  if (typeof value !== "string") return JSON.stringify(value, sortedKeys);
  // 0.10 and 0.1 are the same step.
  return /^\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, "") : value;
}

/** Fields of an object in one order, whoever wrote it. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
