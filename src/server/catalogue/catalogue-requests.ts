/**
 * The operator's requests to a running exchange's catalogue: to show it, to compare it with a file
 * and to apply a file.
 */
import { stringify } from "yaml";
import type { Decision } from "#engine/commands.ts";
import { OPERATOR_ID } from "#contract/users.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Log } from "../log.ts";
import { CatalogueError, readCatalogueFile } from "./catalogue-file.ts";
import { type CatalogueDifference, differenceFrom, sentenceOf } from "./catalogue-changes.ts";
import { type CatalogueSettings, describeListing, type Listing } from "./described-catalogue.ts";
import { declareCatalogue, type DeclaredCatalogue } from "./declared-catalogue.ts";
import { feeWarnings } from "./fee-warnings.ts";
import { planWarnings } from "./plan-warnings.ts";
import type { ReadCatalogue } from "./read-catalogue.ts";

const OPERATOR_DECISION: Decision = { byAdmin: OPERATOR_ID, reason: "openbell catalogue apply" };

interface CatalogueAnswer {
  readonly lines: readonly string[];
  /** True if the request was refused, for the reasons in the lines. */
  readonly isRefused: boolean;
}

interface CatalogueSources extends CatalogueSettings {
  readonly listing: Listing;
  readonly exchange: Pick<Exchange, "submit">;
}

/** The handlers of requests to a running exchange, by path. */
export function catalogueRequests(sources: CatalogueSources) {
  return {
    "/catalogue/show": () => showCatalogue(sources),
    "/catalogue/plan": (text: string) => planCatalogue(sources, text),
    "/catalogue/apply": (text: string) => applyCatalogue(sources, text),
  };
}

/**
 * Called at the start. A file describes how an exchange begins; later changes to it must be applied
 * explicitly.
 */
export function warnOfDifference(
  listing: Listing,
  settings: Pick<CatalogueSettings, "participants">,
  { declared, file, path }: ReadCatalogue,
  log: Log,
): void {
  for (const warning of warningsOf(declared)) log.warn(warning);
  const { changes, refusals } = differenceFrom(listing, settings, file);
  if (changes.length + refusals.length === 0) return;
  const differs = [...changes.map(({ sentence }) => sentence), ...refusals.map(sentenceOf)];
  log.warn(
    { differs },
    `the exchange is not as ${path} says; see openbell catalogue plan and apply`,
  );
}

function warningsOf(declared: DeclaredCatalogue): string[] {
  return [...feeWarnings(declared), ...planWarnings(declared)];
}

/** The file that declares the exchange in its current state. */
function showCatalogue(sources: CatalogueSources): CatalogueAnswer {
  const file = describeListing(sources.listing, sources);
  const text = stringify(file, { lineWidth: 100, aliasDuplicateObjects: false });
  return { lines: [text.trimEnd()], isRefused: false };
}

/** Lists the changes that applying the file would make, without making them. */
function planCatalogue(sources: CatalogueSources, text: string): Promise<CatalogueAnswer> {
  return orRefused(() => {
    const file = readCatalogueFile(text);
    const difference = differenceFrom(sources.listing, sources, file);
    if (difference.refusals.length > 0) return refusedBy(difference);
    return {
      lines: [
        ...(difference.changes.length === 0
          ? ["Nothing would change."]
          : [
              "This would change:",
              ...difference.changes.map(({ sentence }) => `  ${sentence}`),
              "Carry it out with: openbell catalogue apply FILE",
            ]),
        ...describeNotInFile(difference),
        ...warningsOf(declareCatalogue(file)),
      ],
      isRefused: false,
    };
  });
}

/** Applies the changes as commands, each durable before the next. Idempotent. */
async function applyCatalogue(sources: CatalogueSources, text: string): Promise<CatalogueAnswer> {
  return orRefused(async () => {
    const difference = differenceFrom(sources.listing, sources, readCatalogueFile(text));
    if (difference.refusals.length > 0) return refusedBy(difference);
    const done: string[] = [];
    for (const { sentence, command } of difference.changes) {
      const { rejected } = await sources.exchange.submit({
        ...command,
        decision: OPERATOR_DECISION,
      });
      if (rejected !== undefined) {
        return {
          lines: [
            ...(done.length > 0 ? ["Changed:", ...done, "Then it stopped:"] : []),
            `  ${sentence}: the exchange refused it (${rejected})`,
          ],
          isRefused: true,
        };
      }
      done.push(`  ${sentence}`);
    }
    const lines = done.length === 0 ? ["Nothing had to change."] : ["Changed:", ...done];
    return { lines: [...lines, ...describeNotInFile(difference)], isRefused: false };
  });
}

function refusedBy({ refusals }: CatalogueDifference): CatalogueAnswer {
  return {
    lines: ["Nothing was changed:", ...refusals.map((refusal) => `  ${sentenceOf(refusal)}`)],
    isRefused: true,
  };
}

function describeNotInFile({ notInFile }: CatalogueDifference): string[] {
  return notInFile.length === 0
    ? []
    : ["Listed but not in the file, so left as it is:", ...notInFile.map((name) => `  ${name}`)];
}

async function orRefused(
  answer: () => CatalogueAnswer | Promise<CatalogueAnswer>,
): Promise<CatalogueAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    return {
      lines: ["Nothing was changed:", ...error.sentences.map((sentence) => `  ${sentence}`)],
      isRefused: true,
    };
  }
}
