import { HistoryUnavailableError } from "../history/history.ts";
import { FunctionError } from "./function-error.ts";
import type { Services } from "./services.ts";

/**
 * Waits, for a few seconds at most, until the history has all of a user's past: nobody would notice what
 * a file lacks.
 * @throws FunctionError `unavailable` if it does not get there
 */
export async function requireWholePast(services: Services, userId: string): Promise<void> {
  const { views, history } = services;
  const account = views.accounts.ofUser(userId)?.account;
  if (account === undefined) return;
  try {
    await history.readsCaughtUpTo(views.people.lastSequence(account));
  } catch (error) {
    if (!(error instanceof HistoryUnavailableError)) throw error;
    throw new FunctionError({ code: "unavailable", message: error.message });
  }
}
