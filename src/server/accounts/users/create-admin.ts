/**
 * Creates administrators from the command line, for operators, who can access the database anyway.
 */
import type { Auth } from "../auth.ts";
import { hasSecondFactor } from "../second-factor/held-sessions.ts";
import { WEAK_PASSWORD_SENTENCE } from "../passwords/password-guard.ts";
import type { Config } from "../../settings/config.ts";
import type { PasswordHashing } from "../passwords/password-hashing.ts";
import { replacePassword } from "./operator-changes.ts";
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

/**
 * Creates an administrator with a verified address. An existing user with that address becomes an
 * administrator, gets the password, loses the second factor and is signed out everywhere, so that
 * an interrupted call can be repeated.
 * @throws NewAdminError
 */
export async function createAdmin(
  auth: Auth,
  hashing: PasswordHashing,
  { PASSWORD_LENGTH_MIN: lengthMin, PASSWORD_LENGTH_MAX: lengthMax }: Config,
  { email, password, name }: NewAdmin,
): Promise<{ userId: string; created: boolean }> {
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
  const hash = await hashing.hash(password);
  const found = await internalAdapter.findUserByEmail(address);
  const user =
    found?.user ??
    (await internalAdapter.createUser(
      { email: address, name, role: "admin", emailVerified: true },
      { method: "admin" },
    ));
  await replacePassword(auth, user.id, hash);
  if (found !== null) {
    await internalAdapter.updateUser(user.id, { role: "admin", emailVerified: true });
    if (hasSecondFactor(found.user)) await auth.forgetSecondFactor(user.id);
    await internalAdapter.deleteUserSessions(user.id);
  }
  return { userId: user.id, created: found === null };
}
