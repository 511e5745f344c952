import { JournalOutcomeUnknownError } from "./journal.ts";

/**
 * Waits until an append is known to be durable, and asks the journal while its outcome is unknown.
 * @param written the promise that `Journal.append` returned
 * @param onUnknown is called before each attempt
 * @throws as `append` does, except for JournalOutcomeUnknownError
 */
export async function whenDurable(
  written: Promise<void>,
  onUnknown: (error: JournalOutcomeUnknownError) => void,
): Promise<void> {
  let outcome = written;
  for (;;) {
    try {
      return await outcome;
    } catch (error) {
      if (!(error instanceof JournalOutcomeUnknownError)) throw error;
      onUnknown(error);
      outcome = error.settle();
    }
  }
}
