/**
 * Dual control takes two people: otherwise an intruder with one administrator's session could
 * create or take over a second administrator and act as both.
 */
import type { Accounts } from "../accounts/accounts.ts";
import type { Config } from "../settings/config.ts";
import { requireAdmin } from "./caller.ts";
import { FunctionError } from "./function-error.ts";
import type { MutationContext } from "./handlers.ts";
import { unauthorized } from "./refusals.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * @throws FunctionError `forbidden` if another administrator changed the caller's access too
 * recently
 */
export async function requireProposer(context: TwoAdministratorsContext): Promise<string> {
  const userId = requireAdmin(context);
  await requireOwnAccess(context, userId);
  return userId;
}

/**
 * Checks again before each of many steps, or after a wait: the caller may have been signed out, banned
 * or demoted in the meantime.
 * @throws FunctionError `unauthorized` or `forbidden`
 */
export async function requireStillProposer(context: MutationContext): Promise<void> {
  await requireProposer(context);
  const { identity, services } = context;
  if (identity === null || !services.accounts.isSessionLive(identity.sessionId)) {
    throw unauthorized();
  }
}

/**
 * @param proposedAtMs when the change was proposed
 * @throws FunctionError `forbidden` as for a proposer, and if the caller became an administrator
 * after the proposal
 */
export async function requireApprover(
  context: TwoAdministratorsContext,
  proposedAtMs: number,
): Promise<void> {
  const userId = requireAdmin(context);
  await requireOwnAccess(context, userId);
  const { accounts } = context.services;
  const { roleAtMs } = await accounts.changesByOtherAdmins(userId, proposedAtMs);
  if (roleAtMs === null) return;
  throw new FunctionError({
    code: "forbidden",
    message:
      "You were made an administrator after this was proposed. It needs an administrator who was " +
      "one before.",
  });
}

interface TwoAdministratorsContext extends Pick<MutationContext, "identity"> {
  readonly services: {
    readonly accounts: Pick<Accounts, "profileOf" | "changesByOtherAdmins">;
    readonly config: Pick<Config, "ADMIN_APPROVAL_WAIT_HOURS">;
  };
}

async function requireOwnAccess(
  { services }: TwoAdministratorsContext,
  userId: string,
): Promise<void> {
  const { accounts, config } = services;
  // Recorded changes are stamped with the same clock.
  const nowMs = Date.now();
  const waitMs = config.ADMIN_APPROVAL_WAIT_HOURS * HOUR_MS;
  const { accessAtMs } = await accounts.changesByOtherAdmins(userId, nowMs - waitMs);
  const retryAfterMs = (accessAtMs ?? -Infinity) + waitMs - nowMs;
  if (retryAfterMs <= 0) return;
  throw new FunctionError({
    code: "forbidden",
    message:
      "Another administrator changed your role or how you sign in. You may propose and approve from " +
      `${formatNextMinute(nowMs + retryAfterMs)} UTC.`,
    retryAfterMs,
  });
}

/** The next full minute, such as "2026-03-01 14:05". */
function formatNextMinute(timeMs: number): string {
  const minute = new Date(Math.ceil(timeMs / MINUTE_MS) * MINUTE_MS);
  return minute.toISOString().slice(0, 16).replace("T", " ");
}
