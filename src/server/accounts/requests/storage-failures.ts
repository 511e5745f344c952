/**
 * Answers requests whose session or verification cannot be stored. The library would pass on the
 * database's error, which does not help the caller; operators find it in the log.
 */
import { isAPIError } from "better-auth/api";
import type { Log } from "../../log.ts";
import { refusal } from "../library-calls.ts";

interface Storage {
  createSession: (...given: never[]) => Promise<unknown>;
  createVerificationValue: (...given: never[]) => Promise<unknown>;
}

export function reportStorageFailures(storage: Storage, log: Log): void {
  const { createSession, createVerificationValue } = storage;

  /** null on failure, which the library also returns if a hook has refused. */
  async function orNull<Value>(what: string, store: () => Promise<Value>): Promise<Value | null> {
    try {
      return await store();
    } catch (error) {
      if (isAPIError(error)) throw error;
      log.error({ error: String(error) }, `${what} could not be stored`);
      return null;
    }
  }

  // The callers then answer FAILED_TO_CREATE_SESSION, or redirect with unable_to_create_session.
  storage.createSession = (...given) => orNull("a session", () => createSession(...given));
  storage.createVerificationValue = async (...given) => {
    const stored = await orNull("a verification", () => createVerificationValue(...given));
    if (stored !== null) return stored;
    const message = "Unable to create verification";
    throw refusal("INTERNAL_SERVER_ERROR", "FAILED_TO_CREATE_VERIFICATION", message);
  };
}
