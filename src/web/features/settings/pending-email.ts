/**
 * A change of email address that waits for confirmation by mail. The server stores nothing about it
 * until it is done, so the tab remembers the request while the mailed links are valid.
 */
import { useSyncExternalStore } from "react";
import { isEmail } from "../../session/email.ts";

export interface PendingEmail {
  readonly userId: string;
  readonly newEmail: string;
  readonly askedAtMs: number;
}

const KEY = "pendingEmail";
const LINK_LIFETIME_MS = 3600 * 1000;

/** @param text the stored text; null if nothing was stored */
export function parsePendingEmail(
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
  return isDone || nowMs - askedAtMs > LINK_LIFETIME_MS ? null : { userId, newEmail, askedAtMs };
}

const listeners = new Set<() => void>();

/**
 * Stores the requested change.
 * @param pending null if the user abandoned the change
 */
export function keepPendingEmail(pending: PendingEmail | null): void {
  try {
    if (pending === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(pending));
  } catch {
    // Storage is disabled: the page shows no notice, but the mails contain the same.
  }
  for (const listener of listeners) listener();
}

/** The requested change of the user's address, while it waits for confirmation. */
export function usePendingEmail(user: { readonly id: string; readonly email: string }) {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => parsePendingEmail(loadPendingEmail(), user, Date.now())?.newEmail ?? null,
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
