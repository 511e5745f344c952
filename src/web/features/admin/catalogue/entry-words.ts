/** Changes of coins, plans and markets in words: the labels of their forms, and values as pages print them. */
import { isDecimal } from "#contract/decimal.ts";
import type { FieldChange } from "#contract/users.ts";
import { formatExact } from "../../../format/decimal-text.ts";
import { formatBps } from "../../../format/money.ts";
import { ENTRY_FIELDS, type EntryField, type EntryKind } from "./entry-fields.ts";

/** Fields that the forms lack: only the command line changes them. */
const OTHER_LABELS: Readonly<Record<string, string>> = {
  place: "Place in the list",
  simulated: "Simulated",
  withdrawalDailyMax: "Withdrawn per day at most",
  withdrawalMonthlyMax: "Withdrawn per month at most",
  "transfers.depositMin": "Smallest deposit",
  "transfers.depositHours": "Hours until a deposit expires",
  "transfers.withdrawalMin": "Smallest withdrawal",
  "transfers.withdrawalFee": "Withdrawal fee",
};

/** The texts of a field that has no value, and of an empty text. */
const NO_VALUES: ReadonlySet<string> = new Set(["none", "empty"]);

/** A change of a field of a coin, a plan or a market, as administrators read it. */
export function fieldChangeWords(kind: EntryKind, { name, before, after }: FieldChange) {
  const field = ENTRY_FIELDS[kind].find((each) => each.name === name);
  const words = (value: string) => (NO_VALUES.has(value) ? value : valueWords(field, value));
  return {
    name: field?.label ?? OTHER_LABELS[name] ?? name,
    before: words(before),
    after: words(after),
  };
}

/** The sentence with labels instead of field names. */
export function labelFields(kind: EntryKind, sentence: string): string {
  return ENTRY_FIELDS[kind]
    .toSorted((a, b) => b.name.length - a.name.length)
    .reduce((text, { name, label }) => text.replaceAll(wordOf(name), label), sentence);
}

/** Matches names of several words or parts only: others, such as "name" and "status", are words. */
function wordOf(name: string): RegExp {
  return /[A-Z.]/.test(name)
    ? new RegExp(`(?<![\\w.])${name.replaceAll(".", "\\.")}(?!\\w|\\.\\w)`, "g")
    : /(?!)/g;
}

function valueWords(field: EntryField | undefined, value: string): string {
  const kind = field?.kind;
  switch (kind) {
    case "choice":
      return field?.options?.find((option) => option.value === value)?.label ?? value;
    case "percent":
      return isDecimal(value) ? formatBps(Number(value)) : value;
    case "minutes":
      return isDecimal(value) ? durationWords(Number(value)) : value;
    case "whole":
    case "decimal":
      return isDecimal(value) ? formatExact(value) : value;
    case "lines":
      return (JSON.parse(value) as readonly string[]).join("; ");
    case "ladder":
      return (JSON.parse(value) as readonly Tier[]).map(tierWords).join("; ");
    case "networks":
      return (JSON.parse(value) as readonly Network[]).map(networkWords).join("; ");
    case "text":
    case "area":
    case "image":
      return value;
    case undefined:
      return isDecimal(value) ? formatExact(value) : value;
    default:
      throw new TypeError(`no field is ${String(kind satisfies never)}`);
  }
}

interface Tier {
  readonly volumeMin: string;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
}

function tierWords({ volumeMin, makerFeeBps, takerFeeBps }: Tier): string {
  return `from ${formatExact(volumeMin)}: ${formatBps(makerFeeBps)} maker, ${formatBps(takerFeeBps)} taker`;
}

interface Network {
  readonly name: string;
  readonly deposits: boolean;
  readonly withdrawals: boolean;
}

function networkWords({ name, deposits, withdrawals }: Network): string {
  const open = (isOpen: boolean) => (isOpen ? "open" : "closed");
  return `${name}: deposits ${open(deposits)}, withdrawals ${open(withdrawals)}`;
}

/** "5 min", "1 min 30 s", "0.25 s". */
function durationWords(ms: number): string {
  const minutes = Math.trunc(ms / 60_000);
  const seconds = (ms % 60_000) / 1000;
  const whole = minutes === 0 ? "" : `${formatExact(String(minutes))} min`;
  const rest = seconds === 0 && minutes > 0 ? "" : `${formatExact(String(seconds))} s`;
  return `${whole} ${rest}`.trim();
}
