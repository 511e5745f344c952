import { JournalOutcomeUnknownError } from "./journal.ts";

/**
 * Waits until it is known that an append is durable, and asks as often as it is not.
 * @param written what `Journal.append` returned
 * @param onUnknown is called before each question
 * @throws as `append` does, except for JournalOutcomeUnknownError
 */
export async function settled(
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
