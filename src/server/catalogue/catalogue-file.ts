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
import { issueReason } from "./issue-reason.ts";

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
    result.error.issues.map(({ path, message }) =>
      sentenceAbout(written, path, issueReason(message)),
    ),
  );
}

function parseText(text: string): unknown {
  try {
    // Aliases could expand a small file into a huge one.
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof ReferenceError) {
      // The library's message continues with an excerpt of the file.
      const [reason] = error.message.split("\n", 1);
      const sentence = `The file is neither YAML nor JSON: ${reason.replace(/:$/, "")}.`;
      throw new CatalogueError([sentence]);
    }
    throw error;
  }
}

/** The parts of a file with entries of their own: the noun for an entry, and the field with its name. */
const ENTRIES: Readonly<Record<string, readonly [noun: string, name: string]>> = {
  coins: ["coin", "symbol"],
  plans: ["plan", "slug"],
  markets: ["market", "symbol"],
  participants: ["participant", "name"],
};

/** Such as "plan member: takerFeeBps is missing.", and "plan 2 of the file: …" if it has no name. */
function sentenceAbout(written: unknown, path: readonly PropertyKey[], reason: string): string {
  const [part, index, ...field] = path;
  const entry =
    typeof part === "string" && Object.hasOwn(ENTRIES, part) ? ENTRIES[part] : undefined;
  if (entry === undefined || typeof index !== "number") {
    return `${fieldNameOf(path) || "The file"}: ${reason}.`;
  }
  const [noun, nameField] = entry;
  const name: unknown = (written as Record<string, Record<string, unknown>[]>)[String(part)][
    index
  ]?.[nameField];
  const isNamed = typeof name === "string" && name !== "";
  const subject = isNamed ? `${noun} ${name}` : `${noun} ${index + 1} of the file`;
  if (field.length === 0) return `${subject}: ${reason}.`;
  const isSentence = /^(?:is|must) /.test(reason);
  return `${subject}: ${fieldNameOf(field)}${isSentence ? "" : ":"} ${reason}.`;
}

/** The name of a field, such as `breaker.bps` or `networks (entry 2).minimum`. */
function fieldNameOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? ` (entry ${part + 1})` : `.${String(part)}`))
    .join("")
    .replace(/^[. ]/, "");
}
