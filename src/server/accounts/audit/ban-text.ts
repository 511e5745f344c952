import { fieldOf, textOf } from "../requests/fields.ts";

/** The reason and the end of a banned user's ban, as the record says them. */
export function banOf(user: object): string {
  const expires = fieldOf(user, "banExpires");
  const until =
    expires instanceof Date ? `until ${expires.toISOString().slice(0, 16)}Z` : undefined;
  return [textOf(user, "banReason"), until].filter(Boolean).join(", ");
}

/** Whether the user is banned, and how, as the record says it. */
export function banStateOf(user: object | null): string {
  if (fieldOf(user, "banned") !== true) return "not banned";
  return ["banned", banOf(user ?? {})].filter(Boolean).join(", ");
}
