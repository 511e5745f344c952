/** Lists and changes coins, plans and markets, one at a time. For administrators. */
import { createHash } from "node:crypto";
import type { CatalogueEntry } from "#contract/catalogue.ts";
import { CatalogueError } from "../catalogue/catalogue-file.ts";
import { differenceOfEntry, nameOf, subjectOf } from "../catalogue/catalogue-changes.ts";
import {
  type CatalogueSettings,
  describeCoin,
  describeEntry,
  describeListing,
  describeMarket,
  describePlan,
  scalesIn,
} from "../catalogue/described-catalogue.ts";
import { operatorFieldIn } from "../catalogue/operator-fields.ts";
import { catalogueOf } from "../settings/config.ts";
import { submitCommand } from "./caller.ts";
import { requireProposer } from "./dual-control.ts";
import type { Handlers } from "./handlers.ts";
import { invalidArgument } from "./refusals.ts";
import type { Services } from "./services.ts";

export const entries: Handlers["catalogue"]["entries"] = (context) => {
  context.dependsOn("catalogue");
  const { config, views } = context.services;
  const { catalogue } = views;
  const { settlementCoin } = describeListing(catalogue, settingsOf(config));
  const scales = scalesIn(catalogue);
  const coins = catalogue.coins().map(({ definition }) => describeCoin(definition));
  const plans = catalogue.plans().map(({ definition }) => describePlan(definition));
  const markets = catalogue
    .markets()
    .map(({ definition }) => describeMarket(definition, scales(definition)));
  const versions = [
    ...coins.map(
      (coin) => ({ kind: "coin", name: coin.symbol, version: versionOf(coin) }) as const,
    ),
    ...plans.map((each) => ({ kind: "plan", name: each.slug, version: versionOf(each) }) as const),
    ...markets.map(
      (each) => ({ kind: "market", name: each.symbol, version: versionOf(each) }) as const,
    ),
  ];
  return { settlementCoin, coins, plans, markets, versions };
};

export const preview: Handlers["catalogue"]["preview"] = async (context, { entry, seen }) => {
  await requireProposer(context);
  requireNoOperatorField(context.services, entry);
  const changes = changesBy(context.services, entry);
  if (changes.length > 0) requireSeen(context.services, entry, seen);
  return {
    changes: changes.map(({ sentence }) => sentence),
    differences: changes
      .flatMap((each) => each.differences)
      .map(({ name, before, after }) => ({ name, before, after })),
  };
};

export const change: Handlers["catalogue"]["change"] = async (
  context,
  { entry, seen, shown, reason, validUntil: validUntilMs },
) => {
  const byAdmin = await requireProposer(context);
  requireNoOperatorField(context.services, entry);
  const changes = changesBy(context.services, entry);
  // A repeated request finds the change already made.
  if (changes.length === 0) return null;
  requireSeen(context.services, entry, seen);
  const sentences = changes.map(({ sentence }) => sentence);
  if (sentences.join("\n") !== shown.join("\n")) {
    const message = `It would do something else now: ${sentences.join("; ")}. Look at it again.`;
    throw invalidArgument("shown", message);
  }
  for (const { command } of changes) {
    await submitCommand(context, { ...command, decision: { byAdmin, reason }, validUntilMs });
  }
  return null;
};

/** A digest of the listed entry, so that an entry which is changed back has its earlier version. */
function versionOf(described: object): string {
  return createHash("sha256").update(JSON.stringify(described)).digest("base64url").slice(0, 16);
}

/**
 * @throws FunctionError if the entry has changed since the administrator saw it: their change would
 * overwrite that
 */
function requireSeen({ views }: Services, entry: CatalogueEntry, seen: string | null): void {
  const listed = describeEntry(views.catalogue, entry.kind, nameOf(entry));
  if ((listed === undefined ? null : versionOf(listed)) === seen) return;
  const subject = subjectOf(entry);
  const message =
    listed === undefined
      ? `There is no ${subject}.`
      : seen === null
        ? `The ${subject} is listed already: change it there.`
        : `The ${subject} was changed in the meantime. Close this and look at what it is now.`;
  throw invalidArgument("seen", message);
}

/** @throws FunctionError that names the field if only the operator may change it */
function requireNoOperatorField({ views }: Services, entry: CatalogueEntry): void {
  const field = operatorFieldIn(views.catalogue, entry);
  if (field === undefined) return;
  const what =
    { slug: "A new plan", symbol: "A new market of a coin that is paid in" }[field] ?? field;
  const message = `${what} is for the operator's command line: openbell catalogue apply.`;
  throw invalidArgument(pathOf(entry, field), message);
}

function settingsOf(config: Services["config"]): CatalogueSettings {
  const { participants, planLimits } = catalogueOf(config);
  return { practiceFunds: config.PRACTICE_FUNDS, planLimits, participants };
}

/** @throws FunctionError that names the field if the entry is invalid */
export function changesBy(
  { config, views }: Pick<Services, "config" | "views">,
  entry: CatalogueEntry,
) {
  try {
    const settings = settingsOf(config);
    const { changes, refusals } = differenceOfEntry(views.catalogue, settings, entry);
    const [refusal] = refusals;
    if (refusal === undefined) return changes;
    const { field, reason } = refusal;
    throw invalidArgument(pathOf(entry, field), `${field} ${reason}.`);
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    const sentence = error.sentences[0]
      .replace(`${subjectOf(entry)}: `, "")
      // There is no file if the request comes from a page.
      .replace("the file has no", "There is no");
    throw invalidArgument(pathOf(entry, sentence.split(" ")[0]), sentence);
  }
}

/** The argument path of an entry's field; of the entry itself if there is no field. */
function pathOf(entry: CatalogueEntry, field: string): string {
  const fields: unknown = Object.entries(entry).find(([name]) => name === entry.kind)?.[1];
  const isField =
    typeof fields === "object" && fields !== null && Object.hasOwn(fields, field.split(".")[0]);
  return isField ? `entry.${entry.kind}.${field}` : `entry.${entry.kind}`;
}
