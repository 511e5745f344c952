/** Coins, plans and markets, listed and changed one at a time. For administrators. */
import type { CatalogueEntry } from "#contract/catalogue.ts";
import { CatalogueError } from "../catalogue/catalogue-file.ts";
import { differenceOfEntry, subjectOf } from "../catalogue/catalogue-changes.ts";
import {
  type CatalogueSettings,
  describeCoin,
  describeListing,
  describeMarket,
  describePlan,
  scalesIn,
} from "../catalogue/described-catalogue.ts";
import { catalogueOf } from "../settings/config.ts";
import { requireAdmin, submit } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { invalidArgument } from "./refusals.ts";
import type { Services } from "./services.ts";

export const entries: Handlers["catalogue"]["entries"] = (context) => {
  requireAdmin(context);
  context.dependsOn("catalogue");
  const { config, views } = context.services;
  const { catalogue } = views;
  const { settlementCoin } = describeListing(catalogue, settingsOf(config));
  const scales = scalesIn(catalogue);
  return {
    settlementCoin,
    coins: catalogue.coins().map(({ definition }) => describeCoin(definition)),
    plans: catalogue.plans().map(({ definition }) => describePlan(definition)),
    markets: catalogue
      .markets()
      .map(({ definition }) => describeMarket(definition, scales(definition))),
  };
};

export const preview: Handlers["catalogue"]["preview"] = (context, { entry }) => {
  requireAdmin(context);
  const changes = changesBy(context.services, entry).map(({ sentence }) => sentence);
  return Promise.resolve({ changes });
};

export const change: Handlers["catalogue"]["change"] = async (
  context,
  { entry, shown, reason, validUntil: validUntilMs },
) => {
  const byAdmin = requireAdmin(context);
  const changes = changesBy(context.services, entry);
  // A repeated request finds it done.
  if (changes.length === 0) return null;
  const sentences = changes.map(({ sentence }) => sentence);
  if (sentences.join("\n") !== shown.join("\n")) {
    const message = `It would do something else now: ${sentences.join("; ")}. Look at it again.`;
    throw invalidArgument("shown", message);
  }
  for (const { command } of changes) {
    await submit(context, { ...command, decision: { byAdmin, reason }, validUntilMs });
  }
  return null;
};

function settingsOf(config: Services["config"]): CatalogueSettings {
  const { planLimits } = catalogueOf(config);
  return { practiceFunds: config.PRACTICE_FUNDS, planLimits };
}

/** @throws FunctionError that names the field if the entry cannot be so */
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
    const sentence = error.sentences[0].replace(`${subjectOf(entry)}: `, "");
    throw invalidArgument(pathOf(entry, sentence.split(" ")[0]), sentence);
  }
}

/** Of a field by its name, as for arguments that are wrong in themselves; of the entry if it has none. */
function pathOf(entry: CatalogueEntry, field: string): string {
  const fields: unknown = Object.entries(entry).find(([name]) => name === entry.kind)?.[1];
  const isField =
    typeof fields === "object" && fields !== null && Object.hasOwn(fields, field.split(".")[0]);
  return isField ? `entry.${entry.kind}.${field}` : `entry.${entry.kind}`;
}
