/**
 * The answer if a session or a verification cannot be stored: the library would pass on the
 * database's error, which does not help a caller. The operator finds it in the log.
 */
import { isAPIError } from "better-auth/api";
import type { Log } from "../../log.ts";
import { refusal } from "../library-calls.ts";

interface Storage {
  createSession: (...given: never[]) => Promise<unknown>;
  createVerificationValue: (...given: never[]) => Promise<unknown>;
}

export function nameStorageFailures(storage: Storage, log: Log): void {
  const { createSession, createVerificationValue } = storage;

  /** null if it failed, as the library returns if a hook refused. */
  async function orNull<Value>(what: string, store: () => Promise<Value>): Promise<Value | null> {
    try {
      return await store();
    } catch (error) {
      if (isAPIError(error)) throw error;
      log.error({ error: String(error) }, `${what} could not be stored`);
      return null;
    }
  }

  // Each caller then answers FAILED_TO_CREATE_SESSION, or redirects with unable_to_create_session.
  storage.createSession = (...given) => orNull("a session", () => createSession(...given));
  storage.createVerificationValue = async (...given) => {
    const stored = await orNull("a verification", () => createVerificationValue(...given));
    if (stored !== null) return stored;
    const message = "Unable to create verification";
    throw refusal("INTERNAL_SERVER_ERROR", "FAILED_TO_CREATE_VERIFICATION", message);
  };
}
