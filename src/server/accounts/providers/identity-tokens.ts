/**
 * Drops provider tokens that are too long to store, and encrypts identity tokens as the library
 * encrypts access tokens. Tokens are written in several places and read in one.
 */
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type { BetterAuthOptions } from "better-auth";

type AccountHooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["account"]>;

/** The library's method that reads a user's linked accounts. */
interface AccountReader {
  findAccounts: (userId: string) => Promise<{ idToken?: string | null | undefined }[]>;
}

/** Counted in characters as stored: encryption doubles a token's length. */
const TOKEN_LENGTH_MAX = 65_536;
const SCOPE_LENGTH_MAX = 2_048;

/** Hooks for every write. */
export function storedTokenHooks(secret: string): AccountHooks {
  const toStored = async (account: StoredTokens) => {
    const bounded = { ...account, ...outOfBounds(account) };
    const { idToken } = bounded;
    if (typeof idToken !== "string" || !isPlain(idToken)) return { data: bounded };
    return {
      data: { ...bounded, idToken: await symmetricEncrypt({ key: secret, data: idToken }) },
    };
  };
  return { create: { before: toStored }, update: { before: toStored } };
}

type StoredTokens = {
  readonly [name in "accessToken" | "refreshToken" | "idToken" | "scope"]?:
    | string
    | null
    | undefined;
};

/** Null for each token that is too long to store; a shortened token would be of no use. */
function outOfBounds(account: StoredTokens): StoredTokens {
  const { scope } = account;
  const tooLong = (["accessToken", "refreshToken", "idToken"] as const).filter(
    (name) => (account[name]?.length ?? 0) > TOKEN_LENGTH_MAX,
  );
  return {
    ...Object.fromEntries(tooLong.map((name) => [name, null])),
    ...(typeof scope === "string" && { scope: scope.slice(0, SCOPE_LENGTH_MAX) }),
  };
}

/**
 * Decrypts on every read. A token that cannot be decrypted, for example after a change of the
 * secret, counts as absent.
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

/** A signed token contains dots, an encrypted token does not. */
function isPlain(token: string): boolean {
  return token.includes(".");
}
