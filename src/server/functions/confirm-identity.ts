import { NotConfirmedError } from "../accounts/own-changes.ts";
import type { Identity } from "../reactive/executor.ts";
import { admitOwnChange, requireInTime } from "./caller.ts";
import { FunctionError } from "./function-error.ts";
import type { Contexts } from "./handlers.ts";
import { unauthorized } from "./refusals.ts";

/**
 * Requires a recent sign-in and, if the user has a second factor, a code.
 * @throws FunctionError if the caller may not change anything now or has not confirmed their identity
 */
export async function confirmIdentity(
  context: Contexts["action"],
  identity: Identity,
  code: string | undefined,
  validUntil?: number,
): Promise<void> {
  const { accounts } = context.services;
  admitOwnChange(context, validUntil);
  try {
    await accounts.confirmIdentity(identity, code);
  } catch (error) {
    if (!(error instanceof NotConfirmedError)) throw error;
    const { message, reason, retryAfterMs } = error;
    throw new FunctionError({
      code: reason,
      ...(reason === "codeNeeded" || reason === "wrongCode" ? { field: "code" } : {}),
      message,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }
  // The session or the allowed time may have ended in the meantime.
  if (!accounts.isSessionLive(identity.sessionId)) throw unauthorized();
  requireInTime(context.services, validUntil);
}
