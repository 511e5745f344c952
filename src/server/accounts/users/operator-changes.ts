/**
 * The operator's changes to users on the command line: bans, roles and passwords. No session and no
 * call of the library is involved, so each change is recorded here, as done by the operator and with
 * the value before.
 */
import { OPERATOR_ID, type Role } from "#contract/users.ts";
import type { Auth } from "../auth.ts";
import { banOf, banStateOf } from "../audit/ban-text.ts";
import { changedFrom } from "../audit/previous-values.ts";
import type { SecurityEvents } from "../audit/security-events.ts";
import type { PasswordHashing } from "../passwords/password-hashing.ts";
import type { Administrators } from "./administrators.ts";
import type { LeavingAdministrators } from "./leaving-administrators.ts";
import type { UserProfile } from "./user-profile.ts";

export interface Ban {
  /** Shown to the user. */
  readonly reason: string;
  /** Milliseconds since 1970 UTC; null for a ban without an end. */
  readonly untilMs: number | null;
}

/** The user is the last administrator who could sign in. */
export class LastAdministratorError extends Error {
  override readonly name = "LastAdministratorError";
}

interface OperatorChangesOptions {
  readonly auth: Auth;
  readonly hashing: PasswordHashing;
  readonly administrators: Pick<Administrators, "ids">;
  readonly leavingAdministrators: LeavingAdministrators;
  readonly securityEvents: Pick<SecurityEvents, "record">;
}

export type OperatorChanges = ReturnType<typeof createOperatorChanges>;

export function createOperatorChanges(options: OperatorChangesOptions) {
  const { administrators, auth, hashing, leavingAdministrators, securityEvents } = options;
  const record = (event: Omit<Parameters<SecurityEvents["record"]>[0], "actorId">) =>
    securityEvents.record({ ...event, actorId: OPERATOR_ID });

  /**
   * Runs an action that removes an administrator, if another one remains. @throws LastAdministratorError
   */
  async function removing(userId: string, remove: () => Promise<unknown>): Promise<void> {
    const removal = await leavingAdministrators.begin(userId);
    if (removal === null) {
      throw new LastAdministratorError(
        "There is no other administrator. Make another user one first.",
      );
    }
    try {
      await remove();
    } finally {
      await leavingAdministrators.end([removal.id]);
    }
  }

  return {
    /** Bans the user, or replaces the ban, and ends all sessions. @throws LastAdministratorError */
    async ban({ id }: UserProfile, { reason, untilMs }: Ban): Promise<void> {
      const { internalAdapter } = await auth.context;
      const before = banStateOf(await internalAdapter.findUserById(id));
      const banExpires = untilMs === null ? null : new Date(untilMs);
      const ban = { banned: true, banReason: reason, banExpires };
      await removing(id, () => internalAdapter.updateUser(id, ban));
      await internalAdapter.deleteUserSessions(id);
      record({ userId: id, kind: "banned", detail: changedFrom(before, banOf(ban)) });
    },
    async unban({ id }: UserProfile): Promise<void> {
      const { internalAdapter } = await auth.context;
      const before = banStateOf(await internalAdapter.findUserById(id));
      const none = { banned: false, banReason: null, banExpires: null };
      await internalAdapter.updateUser(id, none);
      record({ userId: id, kind: "unbanned", detail: changedFrom(before) });
    },
    /**
     * Gives the user a role; other administrators are notified of a new one.
     * @throws LastAdministratorError
     */
    async setRole(
      { email, id, role: before }: Pick<UserProfile, "email" | "id"> & { readonly role: string },
      role: Role,
    ): Promise<void> {
      const { internalAdapter } = await auth.context;
      const update = () => internalAdapter.updateUser(id, { role });
      await (role === "admin" ? update() : removing(id, update));
      record({ userId: id, kind: "roleChanged", detail: changedFrom(before, role) });
      if (role !== "admin") return;
      for (const other of await administrators.ids()) {
        if (other !== id) record({ userId: other, kind: "administratorAdded", detail: email });
      }
    },
    /** Replaces the password and ends all sessions. The second factor stays. */
    async setPassword({ id }: Pick<UserProfile, "id">, password: string): Promise<void> {
      const { internalAdapter } = await auth.context;
      const had = (await internalAdapter.findCredentialAccount(id)) !== null;
      await replacePassword(auth, id, await hashing.hash(password));
      await internalAdapter.deleteUserSessions(id);
      const detail = changedFrom(had ? "another" : "none", "on the command line");
      record({ userId: id, kind: "passwordChanged", detail });
    },
  };
}

/** Gives a user a password, also one who has signed in without one so far. */
export async function replacePassword(auth: Auth, userId: string, hash: string): Promise<void> {
  const { internalAdapter } = await auth.context;
  if ((await internalAdapter.findCredentialAccount(userId)) !== null) {
    await internalAdapter.updatePassword(userId, hash);
    return;
  }
  const account = { userId, providerId: "credential", accountId: userId, password: hash };
  await internalAdapter.linkAccount(account);
}
