/**
 * Identity tokens of other providers rest encrypted like the access tokens beside them, which the
 * library encrypts by itself. They are written in several places and read in one.
 */
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type { BetterAuthOptions } from "better-auth";

type AccountHooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["account"]>;

/** What the library reads a user's accounts with. */
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

/** Decrypts on every read. One that cannot be, such as under another secret, is none. */
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

/** A signed token has dots, an encrypted one has not. */
function isPlain(token: string): boolean {
  return token.includes(".");
}
