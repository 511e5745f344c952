import type { AdminChange, AdminChangeKind, FieldChange } from "#contract/users.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { fieldChangeWords } from "./catalogue/entry-words.ts";
import { STATUS_TEXTS, STATUSES } from "./market-texts.ts";
import { REVIEW_TEXTS } from "./transfer-texts.ts";

export const CHANGE_TEXTS = {
  coin: "Coin",
  market: "Market terms",
  marketState: "Market state",
  schedule: "Schedule",
  plan: "Plan",
  planAssignment: "Assigned plan",
  freeze: "Freeze",
  adjustment: "Adjustment",
  transfer: "Deposit or withdrawal",
} as const satisfies Record<AdminChangeKind, string>;

/** The name of the changed object, without its kind, which is shown beside it. */
export function subjectText({ subject, userEmail }: AdminChange): string {
  return userEmail ?? subject.replace(/^(?:coin|market|plan) /, "");
}

/** The changed fields as administrators read them. */
export function differencesOf({ kind, differences }: AdminChange): FieldChange[] {
  switch (kind) {
    case "coin":
    case "market":
    case "plan":
      return differences.map((difference) => fieldChangeWords(kind, difference));
    case "marketState":
    case "schedule":
      return differences.map(({ name, ...values }) =>
        inWords({ name: name === "status" ? "state" : name, ...values }, statusWords),
      );
    case "adjustment":
    case "transfer":
      return differences.map((difference) => inWords(difference, stepWords));
    case "planAssignment":
    case "freeze":
      return differences.map((difference) => inWords(difference, (value) => value));
    default:
      throw new TypeError(`no change is ${String(kind satisfies never)}`);
  }
}

function inWords(
  { name, before, after }: FieldChange,
  words: (value: string) => string,
): FieldChange {
  const label = name.charAt(0).toUpperCase() + name.slice(1);
  return { name: label, before: words(before), after: words(after) };
}

/** The states of markets in words, such as "post-only" for "postOnly". */
function statusWords(value: string): string {
  return STATUSES.reduce(
    (text, status) =>
      text.replaceAll(new RegExp(`\\b${status}\\b`, "g"), STATUS_TEXTS[status].label.toLowerCase()),
    value,
  );
}

/** "held: 20.500000 EUR" → "requested: 20.5 EUR"; steps of adjustments are words already. */
function stepWords(value: string): string {
  const [, step, amount, coin] = /^(\w+): (-?\d+(?:\.\d+)?) (\w+)$/.exec(value) ?? [];
  if (step === undefined || amount === undefined) return value;
  const text = (REVIEW_TEXTS as Readonly<Record<string, string>>)[step] ?? step;
  return `${text.toLowerCase()}: ${formatExact(amount)} ${coin}`;
}
