/** The values of a user's record before an administrator changed it, in the words of the audit log. */
import type { SecurityEventKind } from "#contract/users.ts";
import { fieldOf, textOf } from "../requests/fields.ts";
import { banOf, banStateOf } from "./ban-text.ts";

/** Longer than a name and a reason; a picture may be an address of 2,048 characters or data. */
const VALUE_LENGTH_MAX = 200;

/**
 * A change as the audit log words it: the value after it, unless the event's title has it, and the one
 * before.
 */
export function changedFrom(before: string, after = ""): string {
  const was = `before: ${shown(before)}`;
  return after === "" ? was : `${shown(after)} (${was})`;
}

/** The previous value in a text of `changedFrom`, if it was short; "" for other texts. */
export function valueBefore(detail: string): string {
  return /\(before: (.*)\)$/.exec(detail)?.[1] ?? "";
}

/**
 * The details of the kinds of events that a change of a user makes.
 * @param fields names of the profile's fields that the change sets
 */
export function changeDetails(
  before: object | null,
  after: object,
  fields: readonly string[],
): Partial<Record<SecurityEventKind, string>> {
  return {
    roleChanged: changedFrom(roleOf(before), roleOf(after)),
    banned: changedFrom(banStateOf(before), banOf(after)),
    unbanned: changedFrom(banStateOf(before)),
    profileChangedByAdmin: fields
      .map((name) => `${name}: ${changedFrom(quoted(before, name), quoted(after, name))}`)
      .join(", "),
  };
}

export function roleOf(user: object | null): string {
  return textOf(user, "role") ?? "user";
}

function quoted(user: object | null, name: string): string {
  const value = fieldOf(user, name);
  return value === null || value === undefined ? "none" : JSON.stringify(value);
}

function shown(value: string): string {
  return value.length <= VALUE_LENGTH_MAX ? value : `${value.slice(0, VALUE_LENGTH_MAX - 1)}…`;
}
