import { HistoryUnavailableError } from "../history/history.ts";
import { FunctionError } from "./function-error.ts";
import type { Services } from "./services.ts";

/**
 * Waits, for a few seconds at most, until the history contains all of a user's past: a file with
 * missing rows would not be noticed.
 * @throws FunctionError `unavailable` if the history does not catch up in time
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
