/** Converts between the key form's entries and the terms that are sent. */
import {
  API_KEY_NAME_LENGTH_MAX,
  API_KEY_RANGES_MAX,
  type ApiKey,
  type ApiKeyKind,
} from "#contract/api-keys.ts";
import { startOfDay } from "../../../format/day.ts";
import { errorDataOf } from "../../../session/error-sentence.ts";

export interface KeyEntries {
  readonly name: string;
  readonly kind: ApiKeyKind;
  readonly publicKey: string;
  readonly mayTrade: boolean;
  /** IP addresses and ranges, separated by line breaks, spaces or commas. */
  readonly addresses: string;
  /** The last day on which the key may be used, such as "2026-11-21"; "" if it does not expire. */
  readonly lastDay: string;
}

export const NEW_KEY: KeyEntries = {
  name: "",
  kind: "hmac",
  publicKey: "",
  mayTrade: false,
  addresses: "",
  lastDay: "",
};

/**
 * The form's entries for an existing key.
 * @param timeZone the time zone of days
 */
export function entriesOf(key: ApiKey, timeZone: string): KeyEntries {
  return {
    ...NEW_KEY,
    name: key.name,
    kind: key.kind,
    mayTrade: key.permissions.includes("trade"),
    addresses: key.addressRanges.join("\n"),
    lastDay: key.expiresAt === null ? "" : dayOf(key.expiresAt - 1, timeZone),
  };
}

type TermEntries = Pick<KeyEntries, "addresses" | "lastDay" | "mayTrade">;

export function termsOf({ addresses, lastDay, mayTrade }: TermEntries, timeZone: string) {
  return {
    permissions: mayTrade ? (["read", "trade"] as const) : (["read"] as const),
    addressRanges: addresses.split(/[\s,;]+/).filter((each) => each !== ""),
    expiresAt: lastDay === "" ? null : startOfDay(lastDay, timeZone, 1),
  };
}

export function nameError(name: string): string | undefined {
  if (name.trim() === "") return "Give it a name that you will recognise";
  return name.trim().length > API_KEY_NAME_LENGTH_MAX
    ? `Use at most ${API_KEY_NAME_LENGTH_MAX} characters`
    : undefined;
}

export function addressesError(addresses: string): string | undefined {
  const count = addresses.split(/[\s,;]+/).filter((each) => each !== "").length;
  return count > API_KEY_RANGES_MAX ? `Use at most ${API_KEY_RANGES_MAX}` : undefined;
}

const FIELDS: Readonly<Record<string, keyof KeyEntries>> = {
  name: "name",
  publicKey: "publicKey",
  permissions: "mayTrade",
  addressRanges: "addresses",
  expiresAt: "lastDay",
};

/** The form field that the server refused, and why; undefined if the error is about no field. */
export function fieldErrorOf(
  error: unknown,
): { readonly field: keyof KeyEntries; readonly message: string } | undefined {
  const data = errorDataOf(error);
  const field = FIELDS[data?.field?.split(".")[0] ?? ""];
  return data === null || field === undefined ? undefined : { field, message: data.message };
}

/** Whether the error is that the authenticator app's code is missing or wrong. */
export function isAboutCode(error: unknown): boolean {
  return ["codeNeeded", "wrongCode"].includes(errorDataOf(error)?.code ?? "");
}

/** The day of a time, such as "2026-11-21". */
function dayOf(timeMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(timeMs);
}
