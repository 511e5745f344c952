/**
 * A change of address that waits for its mails. The accounts store nothing of it until it is done,
 * so the tab remembers the request for as long as the mailed links are valid.
 */
import { useSyncExternalStore } from "react";
import { isEmail } from "../../session/email.ts";

export interface PendingEmail {
  readonly userId: string;
  readonly newEmail: string;
  readonly askedAtMs: number;
}

const KEY = "pendingEmail";
const LINKS_LIVE_MS = 3600 * 1000;

/** @param text as stored; null if nothing was */
export function readPendingEmail(
  text: string | null,
  user: { readonly id: string; readonly email: string },
  nowMs: number,
): PendingEmail | null {
  if (text === null) return null;
  let kept: Partial<PendingEmail> | null;
  try {
    kept = JSON.parse(text) as Partial<PendingEmail> | null;
  } catch {
    return null;
  }
  const { userId, newEmail, askedAtMs } = kept ?? {};
  if (userId !== user.id || !isEmail(newEmail) || typeof askedAtMs !== "number") return null;
  const isDone = newEmail === user.email;
  return isDone || nowMs - askedAtMs > LINKS_LIVE_MS ? null : { userId, newEmail, askedAtMs };
}

const listeners = new Set<() => void>();

/** @param pending null if the user abandoned the change */
export function keepPendingEmail(pending: PendingEmail | null): void {
  try {
    if (pending === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(pending));
  } catch {
    // Storage is disabled: there will be no notice, and the mails say the same.
  }
  for (const listener of listeners) listener();
}

/** The requested new address, while it waits for its mails. */
export function usePendingEmail(user: { readonly id: string; readonly email: string }) {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => readPendingEmail(loadPendingEmail(), user, Date.now())?.newEmail ?? null,
    () => null,
  );
}

function loadPendingEmail(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
