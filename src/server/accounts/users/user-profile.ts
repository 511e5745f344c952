/** The profile of a user that the rest of the server may read. */
import type { Role } from "#contract/users.ts";
import { flagOf, timeMsOf, type UserTable } from "../../database/accounts-tables.ts";

export interface UserProfile {
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  readonly lastname: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly image: string | null;
  readonly createdAtMs: number;
}

export type UserRow = Pick<
  UserTable,
  "id" | "role" | "name" | "lastname" | "email" | "emailVerified" | "image" | "createdAt"
>;

export const USER_COLUMNS = [
  "user.id",
  "user.role",
  "user.name",
  "user.lastname",
  "user.email",
  "user.emailVerified",
  "user.image",
  "user.createdAt",
] as const;

/** @param adminIds users who are administrators regardless of role */
export function toProfile(row: UserRow, adminIds: readonly string[]): UserProfile {
  return {
    id: row.id,
    role: isAdmin(row.role) || adminIds.includes(row.id) ? "admin" : "user",
    name: row.name,
    lastname: row.lastname ?? "",
    email: row.email,
    emailVerified: flagOf(row.emailVerified),
    image: row.image,
    createdAtMs: timeMsOf(row.createdAt),
  };
}

/** @param stored one role or several joined by commas */
export function isAdmin(stored: string | null | undefined): boolean {
  return (stored ?? "").split(",").includes("admin");
}

export function sameProfile(left: UserProfile, right: UserProfile): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
