/** What an operator asks of a running exchange's catalogue: to be shown, compared with a file, changed. */
import { stringify } from "yaml";
import type { CoinAmount } from "#contract/types.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Log } from "../log.ts";
import { CatalogueError, readCatalogueFile } from "./catalogue-file.ts";
import { type CatalogueDifference, differenceFrom } from "./catalogue-changes.ts";
import { describeListing, type Listing } from "./described-catalogue.ts";
import type { PlanLimits } from "./plans.ts";
import type { ReadCatalogue } from "./read-catalogue.ts";

interface CatalogueAnswer {
  readonly lines: readonly string[];
  /** True if nothing was changed because of what the lines say. */
  readonly isRefused: boolean;
}

interface CatalogueSources {
  readonly listing: Listing;
  readonly exchange: Pick<Exchange, "submit">;
  /** For the file that `show` writes. */
  readonly practiceFunds: readonly CoinAmount[];
  readonly planLimits: (slug: string) => PlanLimits;
}

/** What can be asked of a running exchange, by path. */
export function catalogueRequests(sources: CatalogueSources) {
  return {
    "/catalogue/show": () => showCatalogue(sources),
    "/catalogue/plan": (text: string) => planCatalogue(sources, text),
    "/catalogue/apply": (text: string) => applyCatalogue(sources, text),
  };
}

/** At a start: a file says how an exchange begins; later changes are applied on purpose. */
export function warnOfDifference(listing: Listing, { file, path }: ReadCatalogue, log: Log): void {
  const { changes, refusals } = differenceFrom(listing, file);
  if (changes.length + refusals.length === 0) return;
  const differs = [...changes.map(({ sentence }) => sentence), ...refusals];
  log.warn(
    { differs },
    `the exchange is not as ${path} says; see openbell catalogue plan and apply`,
  );
}

/** The file that declares the exchange as it is. */
function showCatalogue({ listing, planLimits, practiceFunds }: CatalogueSources): CatalogueAnswer {
  const text = stringify(
    describeListing(listing, {
      practiceFunds: Object.fromEntries(practiceFunds.map(({ coin, amount }) => [coin, amount])),
      planLimits,
    }),
    { lineWidth: 100, aliasDuplicateObjects: false },
  );
  return { lines: [text.trimEnd()], isRefused: false };
}

/** What applying the file would change; changes nothing. */
function planCatalogue({ listing }: CatalogueSources, text: string): Promise<CatalogueAnswer> {
  return orRefused(() => {
    const difference = differenceFrom(listing, readCatalogueFile(text));
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
        ...untouched(difference),
      ],
      isRefused: false,
    };
  });
}

/** Carries the changes out as commands, each durable before the next. Done twice, it changes nothing. */
async function applyCatalogue(
  { listing, exchange }: CatalogueSources,
  text: string,
): Promise<CatalogueAnswer> {
  return orRefused(async () => {
    const difference = differenceFrom(listing, readCatalogueFile(text));
    if (difference.refusals.length > 0) return refusedBy(difference);
    const done: string[] = [];
    for (const { sentence, command } of difference.changes) {
      const { rejected } = await exchange.submit(command);
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
    return { lines: [...lines, ...untouched(difference)], isRefused: false };
  });
}

function refusedBy({ refusals }: CatalogueDifference): CatalogueAnswer {
  return {
    lines: ["Nothing was changed:", ...refusals.map((refusal) => `  ${refusal}`)],
    isRefused: true,
  };
}

function untouched({ notInFile }: CatalogueDifference): string[] {
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
