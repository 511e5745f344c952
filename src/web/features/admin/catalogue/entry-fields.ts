/** Defines the form fields of coins, plans and markets, and converts between their texts and entries. */
import type { CatalogueEntries, CatalogueEntryArgs } from "#contract/functions.ts";
import { COIN_STATUSES, MARKET_STATUSES, SELF_TRADE_PREVENTIONS } from "#contract/types.ts";
import { coinStatusText } from "../../../format/coin-status.ts";
import type { SelectOption } from "../../../ui/select.tsx";
import { STATUS_TEXTS } from "../market-texts.ts";

export type EntryKind = CatalogueEntryArgs["kind"];

export interface EntryField {
  /** Path of the field in the entry, such as "fees.makerFeeBps". */
  readonly name: string;
  readonly label: string;
  /**
   * "lines" has one text per line, "ladder" volume, maker fee and taker fee per line, "image" is a
   * file in base64, "networks" a coin's networks as JSON.
   */
  readonly kind:
    | "text"
    | "area"
    | "whole"
    | "decimal"
    | "choice"
    | "lines"
    | "ladder"
    | "image"
    | "networks";
  readonly options?: readonly SelectOption<string>[];
  /** Whether only a new entry has the field. */
  readonly isOfNew?: true;
  readonly isOptional?: true;
  /** Whether only a funded coin has the field. */
  readonly isOfFunded?: true;
  readonly hint?: string;
  readonly unit?: string;
}

const SELF_TRADE_TEXTS = {
  expireTaker: "Expire the arriving order",
  expireMaker: "Expire the waiting order",
  expireBoth: "Expire both",
  decrement: "Reduce both",
} as const;

export const ELIGIBILITY_TEXTS = {
  everyone: "Everyone",
  volume: "Earned by volume",
  paid: "Paid",
  assigned: "Assigned by administrators",
} as const;

const options = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, label]) => ({ value, label }));
const bps = (name: string, label: string): EntryField => ({
  name,
  label,
  kind: "whole",
  unit: "bps",
});

const ENTRY_FIELDS: Readonly<Record<EntryKind, readonly EntryField[]>> = {
  coin: [
    { name: "symbol", label: "Symbol", kind: "text", isOfNew: true },
    { name: "name", label: "Name", kind: "text" },
    {
      name: "kind",
      label: "Kind",
      kind: "choice",
      options: options({ token: "Token", points: "Points", crypto: "Crypto", fiat: "Fiat" }),
    },
    {
      name: "status",
      label: "Status",
      kind: "choice",
      options: COIN_STATUSES.map((value) => ({ value, label: coinStatusText(value) })),
    },
    { name: "decimals", label: "Decimals", kind: "whole", hint: "Fixed once it is listed." },
    { name: "shownDecimals", label: "Decimals shown", kind: "whole" },
    { name: "website", label: "Website", kind: "text" },
    {
      name: "icon",
      label: "Icon",
      kind: "image",
      isOptional: true,
      hint: "A square PNG of 16 to 256 pixels, at most 16 KiB.",
    },
    { name: "description", label: "Description", kind: "area" },
    { name: "riskNote", label: "Risk note", kind: "area" },
    {
      name: "transfers.oneApprovalMax",
      label: "One decides alone",
      kind: "decimal",
      isOptional: true,
      isOfFunded: true,
      hint: "Per day; only less.",
    },
    {
      name: "transfers.withdrawalMax",
      label: "Largest withdrawal",
      kind: "decimal",
      isOptional: true,
      isOfFunded: true,
      hint: "Only less.",
    },
    {
      name: "transfers.networks",
      label: "Open",
      kind: "networks",
      isOptional: true,
      isOfFunded: true,
      hint: "Close it here at once. More is for the command line: openbell catalogue apply.",
    },
  ],
  plan: [
    { name: "slug", label: "Short name", kind: "text", isOfNew: true },
    { name: "name", label: "Name", kind: "text" },
    {
      name: "eligibility",
      label: "Who gets it",
      kind: "choice",
      options: options(ELIGIBILITY_TEXTS),
    },
    {
      name: "interval",
      label: "Paid",
      kind: "choice",
      options: options({ none: "Never or once", month: "Each month" }),
    },
    { name: "price", label: "Price", kind: "decimal" },
    { name: "volumeMin", label: "Volume that earns it", kind: "decimal" },
    bps("makerFeeBps", "Maker fee"),
    bps("takerFeeBps", "Taker fee"),
    { name: "openOrdersMax", label: "Open orders", kind: "whole" },
    { name: "waitingOrdersMax", label: "Waiting orders", kind: "whole", isOptional: true },
    { name: "largestOrder", label: "Largest order", kind: "decimal", isOptional: true },
    { name: "description", label: "Description", kind: "area" },
    { name: "features", label: "Features", kind: "lines", hint: "One a line." },
    {
      name: "volumeLadder",
      label: "Ladder",
      kind: "ladder",
      isOptional: true,
      hint: "One fee tier a line: 30-day volume, maker fee and taker fee in bps.",
    },
  ],
  market: [
    { name: "symbol", label: "Symbol", kind: "text", isOfNew: true, hint: "BASE-QUOTE" },
    {
      name: "status",
      label: "First state",
      kind: "choice",
      isOfNew: true,
      options: MARKET_STATUSES.map((value) => ({ value, label: STATUS_TEXTS[value].label })),
    },
    { name: "priceStep", label: "Price step", kind: "decimal", hint: "Fixed once it is listed." },
    {
      name: "quantityStep",
      label: "Quantity step",
      kind: "decimal",
      hint: "Fixed once it is listed.",
    },
    { name: "smallestOrder", label: "Smallest order", kind: "decimal" },
    { name: "largestOrder", label: "Largest order", kind: "decimal", isOptional: true },
    { name: "largestQuantity", label: "Largest quantity", kind: "decimal" },
    { name: "referencePrice", label: "Reference price", kind: "decimal", isOptional: true },
    { ...bps("priceBandBps", "Band for trades"), isOptional: true },
    { ...bps("passiveBandBps", "Band for waiting orders"), isOptional: true },
    { ...bps("protectionBps", "Protection of triggered buys"), isOptional: true },
    {
      name: "selfTradePrevention",
      label: "Self-trades",
      kind: "choice",
      isOptional: true,
      options: [
        { value: "", label: "By default, expire the arriving" },
        ...SELF_TRADE_PREVENTIONS.map((value) => ({ value, label: SELF_TRADE_TEXTS[value] })),
      ],
    },
    { ...bps("fees.makerFeeBps", "Own maker fee"), isOptional: true },
    { ...bps("fees.takerFeeBps", "Own taker fee"), isOptional: true },
    { ...bps("breaker.bps", "Breaker at"), isOptional: true },
    { ...milliseconds("breaker.windowMs", "Breaker window") },
    { ...milliseconds("breaker.haltMs", "Halt") },
    { ...milliseconds("breaker.auctionMs", "Auction after it") },
  ],
};

function milliseconds(name: string, label: string): EntryField {
  return { name, label, kind: "whole", unit: "ms", isOptional: true };
}

/** The version of the coin, plan or market with this name; null if it is new. */
export function versionIn(
  { versions }: CatalogueEntries,
  kind: EntryKind,
  name: string,
): string | null {
  return versions.find((each) => each.kind === kind && each.name === name)?.version ?? null;
}

export type EntryTexts = Readonly<Record<string, string>>;

/** Initial texts of the form for a new entry. */
export const NEW_TEXTS: Readonly<Record<EntryKind, EntryTexts>> = {
  coin: { kind: "token", status: "listed", decimals: "8", shownDecimals: "4" },
  plan: {
    eligibility: "assigned",
    interval: "none",
    price: "0",
    volumeMin: "0",
    openOrdersMax: "200",
  },
  market: { status: "preOpen", priceStep: "0.01", quantityStep: "0.01", smallestOrder: "1" },
};

/** The fields of the form: some are only for a new entry, some only for a funded coin. */
export function fieldsOf(
  kind: EntryKind,
  isNew: boolean,
  texts: EntryTexts,
): readonly EntryField[] {
  const isFunded = (texts["transfers.networks"] ?? "") !== "";
  return ENTRY_FIELDS[kind].filter(
    ({ isOfFunded, isOfNew }) => (isNew || isOfNew !== true) && (isFunded || isOfFunded !== true),
  );
}

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
        [volumeMin, makerFeeBps, takerFeeBps].join(" "),
      )
      .join("\n");
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function valueOf({ kind }: EntryField, text: string): unknown {
  switch (kind) {
    case "whole":
      return wholeOf(text);
    case "lines":
      return linesOf(text);
    case "ladder":
      return linesOf(text).map((line) => {
        const [volumeMin = "", maker = "", taker = ""] = line.split(/\s+/);
        return { volumeMin, makerFeeBps: wholeOf(maker), takerFeeBps: wholeOf(taker) };
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

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
