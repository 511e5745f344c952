/** Administrators' calls to the authentication API, apart from those that every page loads. */
import { adminClient } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";
import type { Role } from "#contract/users.ts";
import { askAdmin } from "./admin-refusals.ts";

const client = createAuthClient({ plugins: [adminClient()] });

/** A user as stored by the authentication library. */
export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly lastname: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly role: Role;
  readonly createdAt: number;
  readonly hasSecondFactor: boolean;
  readonly ban: { readonly reason: string; readonly until: number | null } | null;
}

/** Fields of our own, which the library's client type does not include. */
interface OwnFields {
  readonly lastname?: string | null;
  readonly twoFactorEnabled?: boolean | null;
}

/**
 * Reads a user's record.
 * @throws AccountError with the code USER_NOT_FOUND if there is no such user
 */
export async function readUser(userId: string): Promise<UserRecord> {
  const user = await askAdmin(client.admin.getUser({ query: { id: userId } }));
  const own = user as OwnFields;
  const until = user.banExpires ? new Date(user.banExpires).getTime() : null;
  const isBanned = user.banned === true && (until === null || until > Date.now());
  return {
    id: user.id,
    name: user.name,
    lastname: own.lastname ?? "",
    email: user.email,
    emailVerified: user.emailVerified,
    role: (user.role ?? "user").split(",").includes("admin") ? "admin" : "user",
    createdAt: new Date(user.createdAt).getTime(),
    hasSecondFactor: own.twoFactorEnabled === true,
    ban: isBanned ? { reason: user.banReason ?? "", until } : null,
  };
}

export interface UserSession {
  readonly id: string;
  readonly token: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly startedAt: number;
  readonly usedAt: number;
  /** An administrator's session that views as this user. */
  readonly isImpersonation: boolean;
}

/** A user's sessions, most recently used first. */
export async function readSessions(userId: string): Promise<UserSession[]> {
  const { sessions } = await askAdmin(client.admin.listUserSessions({ userId }));
  return sessions
    .map((session) => ({
      id: session.id,
      token: session.token,
      userAgent: session.userAgent ?? null,
      address: session.ipAddress ?? null,
      startedAt: new Date(session.createdAt).getTime(),
      usedAt: new Date(session.updatedAt).getTime(),
      isImpersonation: typeof session.impersonatedBy === "string",
    }))
    .toSorted((left, right) => right.usedAt - left.usedAt);
}

export function setRole(userId: string, role: Role) {
  return askAdmin(client.admin.setRole({ userId, role }));
}

/**
 * Bans a user from signing in.
 * @param seconds duration of the ban; null for a ban without an end
 */
export function banUser(userId: string, reason: string, seconds: number | null) {
  const until = seconds === null ? {} : { banExpiresIn: seconds };
  return askAdmin(client.admin.banUser({ userId, banReason: reason, ...until }));
}

export function unbanUser(userId: string) {
  return askAdmin(client.admin.unbanUser({ userId }));
}

export function impersonateUser(userId: string) {
  return askAdmin(client.admin.impersonateUser({ userId }));
}

export function setPassword(userId: string, newPassword: string) {
  return askAdmin(client.admin.setUserPassword({ userId, newPassword }));
}

export function revokeSession(sessionToken: string) {
  return askAdmin(client.admin.revokeUserSession({ sessionToken }));
}

export function revokeSessions(userId: string) {
  return askAdmin(client.admin.revokeUserSessions({ userId }));
}

export function removeUser(userId: string) {
  return askAdmin(client.admin.removeUser({ userId }));
}

/** Also signs the user out everywhere: an attacker who took the app may be signed in. */
export function removeSecondFactor(userId: string) {
  const asked = { method: "POST", body: { userId } } as const;
  return askAdmin(client.$fetch("/admin/remove-second-factor", asked));
}
