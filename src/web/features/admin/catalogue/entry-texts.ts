/** Converts between coins, plans and markets and the texts of their form. */
import { isDecimal } from "#contract/decimal.ts";
import type { CatalogueEntryArgs } from "#contract/functions.ts";
import { minutesText, parseMinutes } from "../minutes.ts";
import { ENTRY_FIELDS, type EntryField, type EntryKind, type EntryTexts } from "./entry-fields.ts";

/** Error texts of fields, by their names. */
export type EntryProblems = Readonly<Record<string, string>>;

const CAN_BE_EMPTY: ReadonlySet<EntryField["kind"]> = new Set(["area", "lines", "choice"]);
/** Bands may be wider than the price. */
const FEE_BPS_MAX = 10_000;
const IS_FEE = /FeeBps$/;
/** A fee tier: volume, maker fee and taker fee. */
const TIER = /^\d+(?:\.\d+)?(?:\s+\d{1,9}(?:\.\d{1,2})?){2}$/;

/** Converts a listed entry to the form's texts. */
export function textsOf(kind: EntryKind, listed: object): EntryTexts {
  return Object.fromEntries(
    ENTRY_FIELDS[kind].map((field) => [field.name, textOf(field, valueAt(listed, field.name))]),
  );
}

/**
 * Converts the form's texts to an entry, which the server validates.
 * @param listed the present entry, for fields that the form lacks
 */
export function entryOf(kind: EntryKind, texts: EntryTexts, listed: object): CatalogueEntryArgs {
  const fields: Record<string, unknown> = { ...listed };
  for (const field of ENTRY_FIELDS[kind]) {
    const [outer, inner] = field.name.split(".");
    const text = (texts[field.name] ?? "").trim();
    const value = text === "" && field.isOptional === true ? undefined : valueOf(field, text);
    if (inner === undefined) fields[outer] = value;
    else fields[outer] = withInner(fields[outer], inner, value);
  }
  // Undefined fields are omitted when the entry is serialized.
  return { kind, [kind]: fields } as unknown as CatalogueEntryArgs;
}

/** Sets a field of an inner object, which exists if any of its fields does. */
function withInner(before: unknown, name: string, value: unknown): object | undefined {
  const fields = Object.entries({ ...(before as object | undefined), [name]: value });
  const given = fields.filter(([, each]) => each !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function valueAt(entry: object, name: string): unknown {
  let value: unknown = entry;
  for (const key of name.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

interface Step {
  readonly volumeMin: string;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
}

function textOf({ kind }: EntryField, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (kind === "lines") return (value as readonly string[]).join("\n");
  if (kind === "ladder") {
    return (value as readonly Step[])
      .map(({ volumeMin, makerFeeBps, takerFeeBps }) =>
        [volumeMin, percentText(makerFeeBps), percentText(takerFeeBps)].join(" "),
      )
      .join("\n");
  }
  if (typeof value === "number" && kind === "percent") return percentText(value);
  if (typeof value === "number" && kind === "minutes") return minutesText(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function valueOf({ kind }: EntryField, text: string): unknown {
  switch (kind) {
    case "whole":
      return wholeOf(text);
    case "percent":
      return bpsOf(text);
    case "minutes":
      return parseMinutes(text) ?? text;
    case "lines":
      return linesOf(text);
    case "ladder":
      return linesOf(text).map((line) => {
        const [volumeMin = "", maker = "", taker = ""] = line.split(/\s+/);
        return { volumeMin, makerFeeBps: bpsOf(maker), takerFeeBps: bpsOf(taker) };
      });
    case "text":
    case "area":
    case "decimal":
    case "choice":
    case "image":
      return text;
    case "networks":
      return JSON.parse(text);
    default:
      throw new TypeError(`no field is ${String(kind satisfies never)}`);
  }
}

/** Parses a whole number; other texts are returned unchanged, and the server refuses them with the reason. */
function wholeOf(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** The basis points of a percentage with at most two decimals; other texts are returned unchanged. */
function bpsOf(text: string): number | string {
  const [, whole, fraction = ""] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? text : Number(whole + fraction.padEnd(2, "0"));
}

/** The text that {@link bpsOf} reads as these basis points: 25 → "0.25", 500 → "5". */
function percentText(bps: number): string {
  const digits = String(bps).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/\.?0+$/, "");
}

/** The client-side error of a field's text; undefined if it may be sent. */
function problemOf(field: EntryField, text: string): string | undefined {
  if (text === "") {
    return field.isOptional === true || CAN_BE_EMPTY.has(field.kind) ? undefined : "Fill this in";
  }
  switch (field.kind) {
    case "whole":
      return typeof wholeOf(text) === "number" ? undefined : "Enter a whole number";
    case "decimal":
      return isDecimal(text) ? undefined : "Enter a number such as 0.01";
    case "percent": {
      const bps = bpsOf(text);
      if (typeof bps === "string") return "Enter percent such as 0.25";
      return bps > FEE_BPS_MAX && IS_FEE.test(field.name) ? "At most 100" : undefined;
    }
    case "minutes":
      return parseMinutes(text) === undefined ? "Enter minutes such as 5 or 0:30" : undefined;
    case "ladder": {
      const wrong = linesOf(text).findIndex((line) => !TIER.test(line));
      return wrong < 0 ? undefined : `Line ${wrong + 1} is not a volume and two fees`;
    }
    case "text":
    case "area":
    case "choice":
    case "lines":
    case "image":
    case "networks":
      return undefined;
    default:
      throw new TypeError(`no field is ${String(field.kind satisfies never)}`);
  }
}

/** The client-side errors of the form's fields, by the fields' names. */
export function problemsOf(fields: readonly EntryField[], texts: EntryTexts): EntryProblems {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const problem = problemOf(field, (texts[field.name] ?? "").trim());
      return problem === undefined ? [] : [[field.name, problem]];
    }),
  );
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
