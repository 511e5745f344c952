/**
 * Creates administrators from the command line, for operators, who can access the database anyway.
 */
import { OPERATOR_ID } from "#contract/users.ts";
import type { Auth } from "../auth.ts";
import { changedFrom, roleOf } from "../audit/previous-values.ts";
import { hasSecondFactor } from "../second-factor/held-sessions.ts";
import { WEAK_PASSWORD_SENTENCE } from "../passwords/password-guard.ts";
import type { Config } from "../../settings/config.ts";
import type { SecurityEvents } from "../audit/security-events.ts";
import type { PasswordHashing } from "../passwords/password-hashing.ts";
import { type OperatorChanges, replacePassword } from "./operator-changes.ts";
import { isWeakPassword } from "../passwords/password-strength.ts";

export interface NewAdmin {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

/** The address or password cannot be used; the message states why. */
class NewAdminError extends Error {
  override readonly name = "NewAdminError";
}

interface CreateAdminOptions {
  readonly auth: Auth;
  readonly config: Pick<Config, "PASSWORD_LENGTH_MIN" | "PASSWORD_LENGTH_MAX">;
  readonly hashing: PasswordHashing;
  readonly operatorChanges: OperatorChanges;
  readonly securityEvents: Pick<SecurityEvents, "record">;
  /** Resolves when each running server has noticed which sessions are over. */
  readonly sessionsNoticed: () => Promise<void>;
}

/**
 * Creates an administrator with a verified address. An existing user with that address becomes an
 * administrator, gets the password, loses the second factor and is signed out everywhere, so that
 * an interrupted call can be repeated. If the address was not verified, another person may have signed up
 * with it, in which case passkeys, API keys, withdrawal addresses and linked providers are removed, too.
 * @throws NewAdminError
 */
export async function createAdmin(
  options: CreateAdminOptions,
  { email, password, name }: NewAdmin,
): Promise<{ userId: string; created: boolean }> {
  const { auth, config, hashing, operatorChanges, securityEvents, sessionsNoticed } = options;
  const { PASSWORD_LENGTH_MIN: lengthMin, PASSWORD_LENGTH_MAX: lengthMax } = config;
  const address = email.trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) {
    throw new NewAdminError(`${JSON.stringify(email)} is no email address.`);
  }
  if (password.length < lengthMin || password.length > lengthMax) {
    throw new NewAdminError(`The password must have ${lengthMin} to ${lengthMax} characters.`);
  }
  if (await isWeakPassword(password, [address, name])) {
    throw new NewAdminError(WEAK_PASSWORD_SENTENCE);
  }
  const { internalAdapter } = await auth.context;
  const found = await internalAdapter.findUserByEmail(address);
  if (found === null) {
    const { id } = await internalAdapter.createUser(
      { email: address, name, role: "admin", emailVerified: true },
      { method: "admin" },
    );
    await replacePassword(auth, id, await hashing.hash(password));
    return { userId: id, created: true };
  }
  const { user } = found;
  await operatorChanges.setPassword(user, password);
  if (hasSecondFactor(user)) await auth.forgetSecondFactor(user.id);
  await auth.endUnverifiedClaim(user);
  // Before one of the ended sessions could use the role.
  if (!user.emailVerified) await sessionsNoticed();
  await operatorChanges.setRole({ id: user.id, email: address, role: roleOf(user) }, "admin");
  if (!user.emailVerified) {
    await internalAdapter.updateUser(user.id, { emailVerified: true });
    const detail = changedFrom("not confirmed", "on the command line");
    const actorId = OPERATOR_ID;
    securityEvents.record({ userId: user.id, actorId, kind: "emailVerified", detail });
  }
  return { userId: user.id, created: false };
}
