/**
 * Parses a catalogue as an operator writes it, in YAML or JSON: the coins, plans, markets and simulated
 * participants of an exchange. docs/catalogue.md describes the format; docs/catalogue.schema.json is generated from the
 * schema below.
 */
import { parse, YAMLParseError } from "yaml";
import { z } from "zod";
import {
  decimal,
  declaredCoin,
  declaredMarket,
  declaredParticipant,
  declaredPlan,
} from "#contract/catalogue.ts";
import { nullCharacterAt } from "../limits/null-characters.ts";

const FILE_LENGTH_MAX = 1_000_000;

const catalogueFile = z.strictObject({
  settlementCoin: z.string().describe("In which balances, fees and volumes are valued."),
  practiceFunds: z
    .record(z.string(), decimal)
    .describe("What a user may take once a day, by coin; none if every coin has transfers."),
  coins: z.array(declaredCoin).min(1),
  plans: z.array(declaredPlan).min(1),
  markets: z.array(declaredMarket),
  participants: z
    .array(declaredParticipant)
    .max(64)
    .optional()
    .describe(
      "Who trades the simulated markets, read at each start; without it the seven of the default catalogue.",
    ),
});

export type CatalogueFile = z.output<typeof catalogueFile>;

/** A JSON schema for editors, which complete and check a file while it is written. */
export function catalogueFileSchema() {
  return z.toJSONSchema(catalogueFile, { io: "input" });
}

/** A catalogue is invalid; one sentence per reason. */
export class CatalogueError extends Error {
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[]) {
    super(sentences.join("\n"));
    this.sentences = sentences;
  }
}

/**
 * @param text YAML, which includes JSON
 * @throws CatalogueError with a sentence for each invalid field
 */
export function readCatalogueFile(text: string): CatalogueFile {
  if (text.length > FILE_LENGTH_MAX) throw new CatalogueError(["The file is longer than 1 MB."]);
  const written = parseText(text);
  const at = nullCharacterAt(written);
  if (at !== undefined) throw new CatalogueError([`${at}: must not contain null characters.`]);
  const result = catalogueFile.safeParse(written);
  if (result.success) return result.data;
  throw new CatalogueError(
    result.error.issues.map(({ path, message }) => `${fieldNameOf(path)}: ${reasonOf(message)}.`),
  );
}

/** Rewords the library's sentences about types to follow a field's name. */
function reasonOf(message: string): string {
  if (message.endsWith("received undefined")) return "is missing";
  return message
    .replace(
      /^Invalid (?:input|option): expected (.+), received (.+)$/,
      "must be a $1, and is a $2",
    )
    .replace(/^Invalid (?:input|option): expected /, "must be ");
}

function parseText(text: string): unknown {
  try {
    // Aliases could expand a small file into a huge one.
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof ReferenceError) {
      throw new CatalogueError([`The file is neither YAML nor JSON: ${error.message}`]);
    }
    throw error;
  }
}

/** The name of a field in the file, such as `markets[2].priceStep`. */
function fieldNameOf(path: readonly PropertyKey[]): string {
  const name = path
    .map((part) => (typeof part === "number" ? `[${part + 1}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
  return name === "" ? "The file" : name;
}
