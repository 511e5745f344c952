/**
 * Computes the changes that a catalogue file, or one of its entries, would make, and refuses those that
 * are not allowed.
 */
import type { CatalogueEntry } from "#contract/catalogue.ts";
import type { CommandOf } from "#engine/commands.ts";
import { CatalogueError, type CatalogueFile } from "./catalogue-file.ts";
import { declareCatalogue, type DeclaredCatalogue, partsOf } from "./declared-catalogue.ts";
import {
  type CatalogueSettings,
  describeCoin,
  describeListing,
  describeMarket,
  describePlan,
  type Listing,
  scalesIn,
} from "./described-catalogue.ts";
import { fieldDifferences, type FieldDifference } from "./differences.ts";
import { participantsOf } from "./participants.ts";

type CatalogueCommand = CommandOf<
  "listCoin" | "updateCoin" | "definePlan" | "updatePlan" | "listMarket" | "updateMarket"
>;

export interface CatalogueChange {
  /** Such as "market TOK-PTS". */
  readonly subject: string;
  /** Such as `market TOK-PTS: largestOrder 1000 → 2000`. */
  readonly sentence: string;
  /** The changes, field by field; for a new entry all fields. */
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
  const declared = declareCatalogue(file, part);
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
    for (const { name: field, words } of fieldDifferences(before, after)) {
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
    return fieldDifferences(running, declared).map(({ name: field, before, after }) => ({
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

interface Comparison {
  readonly subject: string;
  /** The entry as it is listed; undefined if it is new. */
  readonly before: object | undefined;
  readonly after: object;
  /** The description of a new entry. */
  readonly introduction: string;
  /** The time from which a change of a listed entry holds, to be added to its sentence. */
  readonly holds?: string;
  readonly command: CatalogueCommand;
}

/** The change of one entry; none if it is declared as it is listed. */
function changeOf(entry: Comparison): CatalogueChange[] {
  const { subject, before, after, introduction, holds = "", command } = entry;
  const found = fieldDifferences(before ?? {}, after);
  if (before !== undefined && found.length === 0) return [];
  const words =
    before === undefined
      ? `new, ${introduction}`
      : `${found.map((difference) => difference.words).join(", ")}${holds}`;
  return [{ subject, sentence: `${subject}: ${words}`, differences: found, command }];
}

function coinChanges(
  listing: Listing,
  file: CatalogueFile,
  declared: DeclaredCatalogue,
): CatalogueChange[] {
  const coins = new Map(listing.coins().map((coin) => [coin.definition.symbol, coin]));
  return declared.coins.flatMap((coin, index) => {
    const listed = coins.get(coin.symbol);
    return changeOf({
      subject: `coin ${coin.symbol}`,
      before: listed && describeCoin(listed.definition),
      after: file.coins[index],
      introduction: coin.name,
      command: listed
        ? { type: "updateCoin", assetId: listed.assetId, coin }
        : { type: "listCoin", coin },
    });
  });
}

function planChanges(
  listing: Listing,
  file: CatalogueFile,
  declared: DeclaredCatalogue,
): CatalogueChange[] {
  const plans = new Map(listing.plans().map((plan) => [plan.definition.slug, plan]));
  return declared.plans.flatMap((plan, index) => {
    const listed = plans.get(plan.slug);
    // Without the plan's limits, which are read at each start, like the practice funds.
    const { terms } = partsOf(file.plans[index]);
    return changeOf({
      subject: `plan ${plan.slug}`,
      before: listed && {
        place: listed.definition.position,
        ...describePlan(listed.definition),
      },
      after: listed ? { place: plan.position, ...terms } : terms,
      introduction: plan.name,
      holds: "; for new orders",
      command: listed
        ? { type: "updatePlan", planId: listed.planId, plan }
        : { type: "definePlan", plan },
    });
  });
}

function marketChanges(
  listing: Listing,
  file: CatalogueFile,
  declared: DeclaredCatalogue,
): CatalogueChange[] {
  const markets = new Map(listing.markets().map((market) => [market.definition.symbol, market]));
  const scales = scalesIn(listing);
  return declared.markets.flatMap((market, index) => {
    const listed = markets.get(market.symbol);
    // Administrators change the status, with a reason; a file only sets a market's initial one.
    const { status } = listed?.definition ?? market;
    return changeOf({
      subject: `market ${market.symbol}`,
      before: listed && describeMarket(listed.definition, scales(listed.definition)),
      after: listed ? { ...file.markets[index], status } : file.markets[index],
      introduction: status,
      command: listed
        ? { type: "updateMarket", marketId: listed.marketId, market: { ...market, status } }
        : { type: "listMarket", market },
    });
  });
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
