import { useSyncExternalStore } from "react";
import { AccountError } from "./account-error.ts";
import { askAccounts } from "./account-refusals.ts";

const never = () => () => undefined;

/** Whether this browser knows passkeys, which it does on safe origins only. */
export function usePasskeySupport(): boolean {
  return useSyncExternalStore(
    never,
    () => window.PublicKeyCredential !== undefined,
    () => true,
  );
}

/** Codes of somebody who closed the browser's window. */
const CANCELLED_CODES = new Set([
  "AUTH_CANCELLED",
  "ERROR_CEREMONY_ABORTED",
  "REGISTRATION_CANCELLED",
  "ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY",
]);

export function isPasskeyCancelled(error: unknown): boolean {
  return error instanceof AccountError && CANCELLED_CODES.has(error.code);
}

/**
 * Signs in with a passkey that the person picks.
 * @returns whether they did
 * @throws AccountError when the passkey was refused
 */
export async function signInWithPasskey(): Promise<boolean> {
  const { passkeyClient } = await import("./passkey-client.ts");
  try {
    await askAccounts(passkeyClient.signIn.passkey());
    return true;
  } catch (error) {
    if (isPasskeyCancelled(error)) return false;
    throw error;
  }
}

/**
 * Lets the browser offer passkeys where it offers addresses, as long as the page lives.
 * @returns whether one was picked and accepted; false at once where the browser cannot
 */
export async function awaitAutofilledPasskey(): Promise<boolean> {
  const canAutofill = await window.PublicKeyCredential?.isConditionalMediationAvailable?.();
  if (!canAutofill) return false;
  const { passkeyClient } = await import("./passkey-client.ts");
  const { data } = await passkeyClient.signIn.passkey({ autoFill: true });
  return data !== null;
}
