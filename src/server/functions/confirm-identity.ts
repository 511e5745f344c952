import { NotConfirmedError } from "../accounts/own-changes.ts";
import type { Identity } from "../reactive/executor.ts";
import { admitOwnChange } from "./caller.ts";
import { FunctionError } from "./function-error.ts";
import type { Contexts } from "./handlers.ts";
import { unauthorized } from "./refusals.ts";

/**
 * A recent sign-in and, of a user with a second factor, a code.
 * @throws FunctionError unless the caller may change something now, and has shown who they are
 */
export async function confirmIdentity(
  context: Contexts["action"],
  identity: Identity,
  code: string | undefined,
): Promise<void> {
  const { accounts } = context.services;
  admitOwnChange(context);
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
  // It may have ended meanwhile.
  if (!accounts.isSessionLive(identity.sessionId)) throw unauthorized();
}
