/**
 * Cleans up after a change of AUTH_SECRET. The keys that sign backend tokens are encrypted with the
 * secret: a key that cannot be decrypted would fail every sign-in, so it is deleted and the next
 * sign-in creates another. Cookies and mailed links of the old secret become invalid, so all users
 * must sign in again. Nothing else is deleted, so that restoring the old secret makes it readable
 * again.
 */
import { symmetricDecrypt } from "better-auth/crypto";
import type { AuthOptions } from "./auth-terms.ts";

/** Must be called at the start, before the first key is used. */
export async function removeUnreadableKeys({ database, log, secret }: AuthOptions): Promise<void> {
  const rows = await database.read.selectFrom("jwks").select(["id", "privateKey"]).execute();
  const unreadable: string[] = [];
  for (const { id, privateKey } of rows) {
    if (!(await isReadable(privateKey, secret))) unreadable.push(id);
  }
  if (unreadable.length === 0) return;
  await database.write.deleteFrom("jwks").where("id", "in", unreadable).execute();
  const { secondFactors } = await database.read
    .selectFrom("twoFactor")
    .select(({ fn }) => fn.countAll<number>().as("secondFactors"))
    .executeTakeFirstOrThrow();
  const { apiKeys } = await database.read
    .selectFrom("api_keys")
    .where("kind", "=", "hmac")
    .select(({ fn }) => fn.countAll<number>().as("apiKeys"))
    .executeTakeFirstOrThrow();
  log.warn(
    { keys: unreadable.length, secondFactors, apiKeys },
    "AUTH_SECRET is another one than before: all users sign in again, second factors, tokens of other " +
      "providers and secrets of API keys cannot be read (docs/accounts.md, A new AUTH_SECRET)",
  );
}

async function isReadable(privateKey: string, secret: string): Promise<boolean> {
  try {
    // In the library's format: the encrypted text as JSON.
    await symmetricDecrypt({ key: secret, data: String(JSON.parse(privateKey)) });
    return true;
  } catch {
    return false;
  }
}
