import { queryOptions } from "@tanstack/react-query";
import { askAccounts } from "../../session/account-refusals.ts";
import { isPasskeyCancelled } from "../../session/passkey-support.ts";
import { retryFailures } from "./account-state.ts";

export interface ListedPasskey {
  readonly id: string;
  readonly name: string;
  readonly addedAtMs: number;
  /** When the passkey last signed in, in milliseconds since 1970; null if never. */
  readonly lastUsedAtMs: number | null;
  /** Whether a service syncs the passkey to the user's other devices. */
  readonly isSynced: boolean;
}

interface PasskeyRow {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly createdAt?: Date | string | undefined;
  /** A field of our own, which the client's type does not include. */
  readonly lastUsedAtMs?: number | null;
  readonly backedUp?: boolean | null | undefined;
}

/** Sorts passkeys for display, newest first. */
export function listedPasskeys(rows: readonly PasskeyRow[]): ListedPasskey[] {
  return rows
    .map(({ id, name, createdAt, lastUsedAtMs = null, backedUp }) => ({
      id,
      name: name?.trim() || "Passkey",
      addedAtMs: createdAt === undefined ? 0 : new Date(createdAt).getTime(),
      lastUsedAtMs,
      isSynced: backedUp === true,
    }))
    .toSorted((left, right) => right.addedAtMs - left.addedAtMs);
}

async function client() {
  const { passkeyClient } = await import("../../session/passkey-client.ts");
  return passkeyClient.passkey;
}

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: async () => listedPasskeys(await askAccounts((await client()).listUserPasskeys())),
  retry: retryFailures,
});

/** Creates a passkey. @returns false if the user closed the browser's dialog */
export async function addPasskey(name: string): Promise<boolean> {
  try {
    await askAccounts((await client()).addPasskey({ name }));
    return true;
  } catch (error) {
    if (isPasskeyCancelled(error)) return false;
    throw error;
  }
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await askAccounts((await client()).updatePasskey({ id, name }));
}

export async function removePasskey(id: string): Promise<void> {
  await askAccounts((await client()).deletePasskey({ id }));
}

const NAME_LENGTH_MAX = 60;

export function passkeyNameError(value: string): string | undefined {
  if (value.trim() === "") return "Give it a name that you will recognise";
  return value.trim().length > NAME_LENGTH_MAX
    ? `Use at most ${NAME_LENGTH_MAX} characters`
    : undefined;
}
