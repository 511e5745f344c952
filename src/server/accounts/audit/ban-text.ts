import { fieldOf, textOf } from "../requests/fields.ts";

/** The reason and the end of a banned user's ban, as the audit log words them. */
export function banOf(user: object): string {
  const expires = fieldOf(user, "banExpires");
  const until =
    expires instanceof Date ? `until ${expires.toISOString().slice(0, 16)}Z` : undefined;
  return [textOf(user, "banReason"), until].filter(Boolean).join(", ");
}

/** Whether the user is banned, and how, as the audit log words it. */
export function banStateOf(user: object | null): string {
  if (fieldOf(user, "banned") !== true) return "not banned";
  return ["banned", banOf(user ?? {})].filter(Boolean).join(", ");
}
