/** Checks that a session is recent enough for sensitive changes. */
import type { BetterAuthPlugin } from "better-auth";
import type { Config } from "../../settings/config.ts";
import type { AccountRules } from "../../settings/account-rules.ts";
import { onCalls, refusal, sessionOf } from "../library-calls.ts";

export interface Freshness {
  /** 0 disables the check. */
  readonly ageMsMax: number;
  readonly countedFrom: "createdAt" | "updatedAt";
}

interface Session {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const HOUR_MS = 3_600_000;

export function freshnessOf(
  { SESSION_FRESH_AGE_HOURS }: Pick<Config, "SESSION_FRESH_AGE_HOURS">,
  { freshFromSignIn }: AccountRules,
): Freshness {
  return {
    ageMsMax: SESSION_FRESH_AGE_HOURS * HOUR_MS,
    countedFrom: freshFromSignIn ? "createdAt" : "updatedAt",
  };
}

/** @throws APIError SESSION_NOT_FRESH */
export function requireFresh(freshness: Freshness, session: Session): void {
  if (isFresh(freshness, session)) return;
  throw refusal("FORBIDDEN", "SESSION_NOT_FRESH", "Session is not fresh");
}

export function isFresh({ ageMsMax, countedFrom }: Freshness, session: Session): boolean {
  return ageMsMax === 0 || Date.now() - new Date(session[countedFrom]).getTime() < ageMsMax;
}

/**
 * Lets users delete themselves without a password only if their session is fresh.
 * @throws APIError SESSION_EXPIRED
 */
export function requireFreshToDelete(freshness: Freshness, session: Session): void {
  if (isFresh(freshness, session)) return;
  const message = "Session expired. Re-authenticate to perform this action.";
  throw refusal("BAD_REQUEST", "SESSION_EXPIRED", message);
}

/** Calls for which the library itself requires a fresh session. */
const CHECKED_BY_LIBRARY = [
  "/list-sessions",
  "/passkey/generate-register-options",
  "/passkey/verify-registration",
  "/unlink-account",
];

/** Replaces the library's own check, which always counts from the sign-in and is disabled. */
export function freshSessions(freshness: Freshness): BetterAuthPlugin {
  return {
    id: "fresh-sessions",
    hooks: {
      before: [
        onCalls(CHECKED_BY_LIBRARY, async (context) => {
          const found = await sessionOf(context);
          if (found !== null) requireFresh(freshness, found.session);
        }),
      ],
    },
  };
}
