/**
 * Encrypts providers' identity tokens at rest, as the library does for access tokens. They are
 * written in several places and read in one.
 */
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type { BetterAuthOptions } from "better-auth";

type AccountHooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["account"]>;

/** The library's call to read a user's accounts. */
interface AccountReader {
  findAccounts: (userId: string) => Promise<{ idToken?: string | null | undefined }[]>;
}

/** Encrypts on every write. */
export function identityTokenHooks(secret: string): AccountHooks {
  const encrypted = async (account: { idToken?: string | null | undefined }) => {
    const { idToken } = account;
    if (typeof idToken !== "string" || !isPlain(idToken)) return undefined;
    return {
      data: { ...account, idToken: await symmetricEncrypt({ key: secret, data: idToken }) },
    };
  };
  return { create: { before: encrypted }, update: { before: encrypted } };
}

/**
 * Decrypts on every read. A token that cannot be decrypted, such as after a change of secret,
 * counts as none.
 */
export function decryptIdentityTokens(reader: AccountReader, secret: string): void {
  const { findAccounts } = reader;
  reader.findAccounts = async (userId) => {
    const accounts = await findAccounts(userId);
    for (const account of accounts) {
      if (typeof account.idToken !== "string" || isPlain(account.idToken)) continue;
      account.idToken = await symmetricDecrypt({ key: secret, data: account.idToken }).catch(
        () => null,
      );
    }
    return accounts;
  };
}

/** A signed token contains dots, an encrypted one does not. */
function isPlain(token: string): boolean {
  return token.includes(".");
}
