import { useSyncExternalStore } from "react";
import { AccountError } from "./account-error.ts";
import { askAccounts } from "./account-refusals.ts";

const subscribeToNothing = () => () => undefined;

/** Whether this browser supports passkeys; browsers do in secure contexts only. */
export function usePasskeySupport(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => window.PublicKeyCredential !== undefined,
    () => true,
  );
}

/** Error codes for a passkey dialog that the user closed. */
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
 * Signs in with a passkey.
 * @returns false if the user cancelled
 * @throws AccountError if the passkey was refused
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
 * Lets the browser offer passkeys in its autofill, for the page's lifetime.
 * @returns whether the user picked a passkey and was signed in; false at once if unsupported
 */
export async function awaitAutofilledPasskey(): Promise<boolean> {
  const canAutofill = await window.PublicKeyCredential?.isConditionalMediationAvailable?.();
  if (!canAutofill) return false;
  const { passkeyClient } = await import("./passkey-client.ts");
  const { data } = await passkeyClient.signIn.passkey({ autoFill: true });
  return data !== null;
}
