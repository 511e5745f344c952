/** The form fields of coins, plans and markets. */
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
   * "percent" is of basis points, "minutes" of milliseconds; "lines" has one text per line, "ladder" volume,
   * maker fee and taker fee per line, "image" is a file in base64, "networks" a coin's networks as JSON.
   */
  readonly kind:
    | "text"
    | "area"
    | "whole"
    | "percent"
    | "minutes"
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

export const COIN_KIND_TEXTS = {
  token: "Token",
  points: "Points",
  crypto: "Crypto",
  fiat: "Fiat",
} as const;

export const ELIGIBILITY_TEXTS = {
  everyone: "Everyone",
  volume: "Earned by volume",
  paid: "Paid",
  assigned: "Assigned by administrators",
} as const;

const options = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, label]) => ({ value, label }));
const percent = (name: string, label: string): EntryField => ({
  name,
  label,
  kind: "percent",
  unit: "%",
});
const minutes = (name: string, label: string): EntryField => ({
  name,
  label,
  kind: "minutes",
  unit: "minutes",
  isOptional: true,
});

export const ENTRY_FIELDS: Readonly<Record<EntryKind, readonly EntryField[]>> = {
  coin: [
    { name: "symbol", label: "Symbol", kind: "text", isOfNew: true },
    { name: "name", label: "Name", kind: "text" },
    {
      name: "kind",
      label: "Kind",
      kind: "choice",
      options: options(COIN_KIND_TEXTS),
    },
    {
      name: "status",
      label: "Status",
      kind: "choice",
      options: COIN_STATUSES.map((value) => ({ value, label: coinStatusText(value) })),
    },
    { name: "decimals", label: "Decimals", kind: "whole", hint: "Fixed once it is listed." },
    { name: "shownDecimals", label: "Decimals shown", kind: "whole" },
    { name: "website", label: "Website", kind: "text", isOptional: true },
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
      label: "Networks",
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
    percent("makerFeeBps", "Maker fee"),
    percent("takerFeeBps", "Taker fee"),
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
      hint: "One fee tier a line: 30-day volume, maker fee and taker fee in percent, such as 100000 0.18 0.22.",
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
    { ...percent("priceBandBps", "Band for trades"), isOptional: true },
    { ...percent("passiveBandBps", "Band for waiting orders"), isOptional: true },
    { ...percent("protectionBps", "Protection of triggered buys"), isOptional: true },
    {
      name: "selfTradePrevention",
      label: "Self-trades",
      kind: "choice",
      hint: "By default the arriving order expires.",
      isOptional: true,
      options: [
        { value: "", label: "By default" },
        ...SELF_TRADE_PREVENTIONS.map((value) => ({ value, label: SELF_TRADE_TEXTS[value] })),
      ],
    },
    { ...percent("fees.makerFeeBps", "Own maker fee"), isOptional: true },
    { ...percent("fees.takerFeeBps", "Own taker fee"), isOptional: true },
    { ...percent("breaker.bps", "Breaker at"), isOptional: true },
    minutes("breaker.windowMs", "Breaker window"),
    minutes("breaker.haltMs", "Breaker halt"),
    minutes("breaker.auctionMs", "Auction after a halt"),
  ],
};

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
