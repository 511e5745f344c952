/**
 * Computes the changes that a catalogue file, or one of its entries, would make, and refuses those that
 * are not allowed.
 */
import type { CatalogueEntry } from "#contract/catalogue.ts";
import type { CommandOf } from "#engine/commands.ts";
import { CatalogueError, type CatalogueFile } from "./catalogue-file.ts";
import { declare, type DeclaredCatalogue, partsOf } from "./declared-catalogue.ts";
import {
  type CatalogueSettings,
  describeCoin,
  describeListing,
  describeMarket,
  describePlan,
  type Listing,
  scalesIn,
} from "./described-catalogue.ts";
import { differences, type FieldDifference } from "./differences.ts";
import { participantsOf } from "./participants.ts";

type CatalogueCommand = CommandOf<
  "listCoin" | "updateCoin" | "definePlan" | "updatePlan" | "listMarket" | "updateMarket"
>;

export interface CatalogueChange {
  /** Such as "market TOK-PTS". */
  readonly subject: string;
  /** Such as `market TOK-PTS: largestOrder 1000 → 2000`. */
  readonly sentence: string;
  /** What would change, field by field; of a new entry everything. */
  readonly differences: readonly FieldDifference[];
  readonly command: CatalogueCommand;
}

export interface CatalogueRefusal {
  readonly subject: string;
  /** The field that cannot change; "" if the whole entry cannot. */
  readonly field: string;
  /** The end of a sentence that begins with the field. */
  readonly reason: string;
}

export interface CatalogueDifference {
  /** In an order in which they can be applied. */
  readonly changes: readonly CatalogueChange[];
  /** If there are any, nothing may be applied. */
  readonly refusals: readonly CatalogueRefusal[];
  /** Subjects that are listed but not in the file: they stay unchanged. */
  readonly notInFile: readonly string[];
}

/** Fields that define the unit of balances. */
const FIXED_OF_COINS: ReadonlySet<string> = new Set(["decimals"]);
/** Fields that pages and orders rely on from the listing on. */
const FIXED_OF_MARKETS: ReadonlySet<string> = new Set(["priceStep", "quantityStep", "simulated"]);

export function sentenceOf({ subject, field, reason }: CatalogueRefusal): string {
  return field === "" ? `${subject}: ${reason}` : `${subject}: ${field} ${reason}`;
}

/** @throws CatalogueError if the file contradicts itself */
export function differenceFrom(
  listing: Listing,
  settings: Pick<CatalogueSettings, "participants">,
  file: CatalogueFile,
  part: "file" | "entry" = "file",
): CatalogueDifference {
  const missing = notInFile(listing, settings, file);
  // First: a file with changed decimals is inconsistent in many other places.
  const refusals = [
    ...refusalsOf(listing, file),
    ...(part === "file" ? participantRefusals(settings, file) : []),
  ];
  if (refusals.length > 0) return { changes: [], refusals, notInFile: missing };
  const declared = declare(file, part);
  const changes = [
    ...coinChanges(listing, file, declared),
    ...planChanges(listing, file, declared),
    ...marketChanges(listing, file, declared),
  ];
  return { changes, refusals, notInFile: missing };
}

/** The changes in the file that are not allowed after listing. */
function refusalsOf(listing: Listing, file: CatalogueFile): CatalogueRefusal[] {
  const refusals: CatalogueRefusal[] = [];
  const refuse = (
    subject: string,
    [before, after]: readonly [object, object],
    fixed: ReadonlySet<string>,
    why: string,
  ) => {
    for (const { name: field, words } of differences(before, after)) {
      if (!fixed.has(field)) continue;
      refusals.push({ subject, field, reason: `cannot change once it is listed (${words})${why}` });
    }
  };
  for (const { definition } of listing.coins()) {
    const coin = file.coins.find(({ symbol }) => symbol === definition.symbol);
    const why = ": balances are counted in it";
    if (coin === undefined) continue;
    refuse(`coin ${coin.symbol}`, [describeCoin(definition), coin], FIXED_OF_COINS, why);
  }
  const currency = listing.plans()[0]?.definition.currency;
  if (currency !== undefined && currency !== file.settlementCoin) {
    refusals.push({
      subject: "settlementCoin",
      field: "",
      reason: `cannot change (${currency} → ${file.settlementCoin}): volumes and paid periods are counted in it`,
    });
  }
  const scales = scalesIn(listing);
  for (const { definition } of listing.markets()) {
    const market = file.markets.find(({ symbol }) => symbol === definition.symbol);
    if (market === undefined) continue;
    const compared = [describeMarket(definition, scales(definition)), market] as const;
    const why = "; list a market of another name";
    refuse(`market ${market.symbol}`, compared, FIXED_OF_MARKETS, why);
  }
  return refusals;
}

/** A new or changed participant: the simulation knows those of its start. */
function participantRefusals(
  { participants }: Pick<CatalogueSettings, "participants">,
  file: CatalogueFile,
): CatalogueRefusal[] {
  if (!mentionsParticipants(file)) return [];
  const why =
    "while the exchange runs: only a start reads participants, from the file that the setting CATALOGUE names. " +
    "Put them there and restart the exchange, then apply the rest";
  return participantsOf(file).flatMap((declared) => {
    const subject = `participant ${declared.name}`;
    const running = participants.find(({ name }) => name === declared.name);
    if (running === undefined) return [{ subject, field: "", reason: `cannot begin ${why}` }];
    return differences(running, declared).map(({ name: field, before, after }) => ({
      subject,
      field,
      reason: `cannot change (${before} → ${after}) ${why}`,
    }));
  });
}

/** Whether a start with the file would let participants trade; a file without simulated markets need not. */
function mentionsParticipants({ markets, participants }: CatalogueFile): boolean {
  return participants !== undefined || markets.some(({ simulated }) => simulated);
}

/** @throws CatalogueError with sentences that begin with the entry's subject */
export function differenceOfEntry(
  listing: Listing,
  settings: CatalogueSettings,
  entry: CatalogueEntry,
): Pick<CatalogueDifference, "changes" | "refusals"> {
  const subject = subjectOf(entry);
  // Without other markets: a market of an early journal must not prevent the change.
  const listed = { ...describeListing(listing, settings), markets: [] };
  const file = withEntry(listed, settings, entry);
  try {
    const { changes, refusals } = differenceFrom(listing, settings, file, "entry");
    return {
      changes: changes.filter((change) => change.subject === subject),
      refusals: refusals.filter((refusal) => refusal.subject === subject),
    };
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    const own = error.sentences.filter((sentence) => sentence.startsWith(`${subject}: `));
    throw own.length === 0 ? error : new CatalogueError(own);
  }
}

export function subjectOf(entry: CatalogueEntry): string {
  return `${entry.kind} ${nameOf(entry)}`;
}

/** The name that identifies the entry among those of its kind. */
export function nameOf(entry: CatalogueEntry): string {
  switch (entry.kind) {
    case "coin":
      return entry.coin.symbol;
    case "plan":
      return entry.plan.slug;
    case "market":
      return entry.market.symbol;
    default:
      throw new TypeError(`no entry is ${String(entry satisfies never)}`);
  }
}

/** The file with the entry replaced, or appended if new, and without other markets. */
function withEntry(
  file: CatalogueFile,
  { planLimits }: CatalogueSettings,
  entry: CatalogueEntry,
): CatalogueFile {
  switch (entry.kind) {
    case "coin":
      return { ...file, coins: replaceOrAppend(file.coins, entry.coin, ({ symbol }) => symbol) };
    case "plan": {
      const plan = { ...entry.plan, ...planLimits(entry.plan.slug) };
      return { ...file, plans: replaceOrAppend(file.plans, plan, ({ slug }) => slug) };
    }
    case "market":
      return { ...file, markets: [entry.market] };
    default:
      throw new TypeError(`no entry is ${String(entry satisfies never)}`);
  }
}

function replaceOrAppend<Entry>(
  entries: readonly Entry[],
  entry: Entry,
  nameOf: (each: Entry) => string,
): Entry[] {
  const at = entries.findIndex((each) => nameOf(each) === nameOf(entry));
  return at < 0 ? [...entries, entry] : entries.with(at, entry);
}

function coinChanges(
  listing: Listing,
  file: CatalogueFile,
  declared: DeclaredCatalogue,
): CatalogueChange[] {
  const changes: CatalogueChange[] = [];
  const coins = new Map(listing.coins().map((coin) => [coin.definition.symbol, coin]));
  for (const [index, coin] of declared.coins.entries()) {
    const subject = `coin ${coin.symbol}`;
    const listed = coins.get(coin.symbol);
    if (listed === undefined) {
      const sentence = `${subject}: new, ${coin.name}`;
      const command = { type: "listCoin", coin } as const;
      changes.push({ subject, sentence, differences: differences({}, file.coins[index]), command });
      continue;
    }
    const found = differences(describeCoin(listed.definition), file.coins[index]);
    if (found.length === 0) continue;
    changes.push({
      subject,
      sentence: `${subject}: ${found.map(({ words }) => words).join(", ")}`,
      differences: found,
      command: { type: "updateCoin", assetId: listed.assetId, coin },
    });
  }
  return changes;
}

function planChanges(
  listing: Listing,
  file: CatalogueFile,
  declared: DeclaredCatalogue,
): CatalogueChange[] {
  const changes: CatalogueChange[] = [];
  const plans = new Map(listing.plans().map((plan) => [plan.definition.slug, plan]));
  for (const [index, plan] of declared.plans.entries()) {
    const subject = `plan ${plan.slug}`;
    const listed = plans.get(plan.slug);
    if (listed === undefined) {
      const sentence = `${subject}: new, ${plan.name}`;
      const command = { type: "definePlan", plan } as const;
      changes.push({
        subject,
        sentence,
        differences: differences({}, partsOf(file.plans[index]).terms),
        command,
      });
      continue;
    }
    // Plan limits are read at each start, like the practice funds.
    const found = differences(
      { place: listed.definition.position, ...describePlan(listed.definition) },
      { place: plan.position, ...partsOf(file.plans[index]).terms },
    );
    if (found.length === 0) continue;
    changes.push({
      subject,
      sentence: `${subject}: ${found.map(({ words }) => words).join(", ")}; for new orders`,
      differences: found,
      command: { type: "updatePlan", planId: listed.planId, plan },
    });
  }
  return changes;
}

function marketChanges(
  listing: Listing,
  file: CatalogueFile,
  declared: DeclaredCatalogue,
): CatalogueChange[] {
  const changes: CatalogueChange[] = [];
  const markets = new Map(listing.markets().map((market) => [market.definition.symbol, market]));
  const scales = scalesIn(listing);
  for (const [index, market] of declared.markets.entries()) {
    const subject = `market ${market.symbol}`;
    const listed = markets.get(market.symbol);
    if (listed === undefined) {
      const sentence = `${subject}: new, ${market.status}`;
      const command = { type: "listMarket", market } as const;
      changes.push({
        subject,
        sentence,
        differences: differences({}, file.markets[index]),
        command,
      });
      continue;
    }
    const { status } = listed.definition;
    const found = differences(describeMarket(listed.definition, scales(listed.definition)), {
      ...file.markets[index],
      // Administrators change the status, with a reason; a file only sets a market's initial one.
      status,
    });
    if (found.length === 0) continue;
    changes.push({
      subject,
      sentence: `${subject}: ${found.map(({ words }) => words).join(", ")}`,
      differences: found,
      command: { type: "updateMarket", marketId: listed.marketId, market: { ...market, status } },
    });
  }
  return changes;
}

function notInFile(
  listing: Listing,
  { participants }: Pick<CatalogueSettings, "participants">,
  file: CatalogueFile,
): string[] {
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
    ...(mentionsParticipants(file)
      ? missing(
          "participant",
          participants.map(({ name }) => name),
          participantsOf(file).map(({ name }) => name),
        )
      : []),
  ];
}
