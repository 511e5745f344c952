/**
 * Password hashing that barely delays others. A hash costs about 80 ms of one core and 32 MB, so
 * few run at a time, in dedicated threads, and addresses take turns: however many sign-ins one
 * address has waiting, others wait for one turn of it and not for its whole line. Two of three
 * turns are those of devices on which the user has signed in before, so a flood from many addresses
 * does not lock out known users; such a device has its own line. The attempts on one account are
 * counted before they get here (account-limit.ts), so no account has more than a handful of hashes
 * waiting.
 *
 * At sign-up the hash is computed before its database transaction begins: otherwise the library
 * would hash while it holds the only writing connection.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { APIError } from "better-auth/api";
import type { ClientKey } from "../../limits/client-key.ts";
import { CallerLeftError, FairQueue, QueueFullError } from "../../limits/fair-queue.ts";
import { refusal } from "../library-calls.ts";
import {
  HASHES_AT_ONCE,
  hashInThread,
  isWeakInThread,
  verifyInThread,
} from "./password-threads.ts";

const HASHES = {
  what: "password checks",
  underWay: HASHES_AT_ONCE,
  // One address never uses every thread.
  underWayPerClient: Math.max(1, HASHES_AT_ONCE - 1),
  waiting: 200,
  // As many sign-ins and sign-ups as an address may request in a minute.
  waitingPerClient: 40,
} as const;
/** A full line of one address finishes within about this time. */
const RETRY_AFTER_SECONDS = 5;

/** One request for which passwords are hashed. */
export interface HashingRequest {
  /** The line in which its hashes wait. */
  readonly client: ClientKey;
  /** Aborted when the caller leaves. */
  readonly signal?: AbortSignal;
}

interface RequestState extends HashingRequest {
  /** Set if the user has signed in on the device before. */
  knownDevice?: string;
  preparedPassword?: string;
  preparedHash?: string;
}

export type PasswordHashing = ReturnType<typeof createPasswordHashing>;

/** @param functions that do the work; those in threads by default */
export function createPasswordHashing(
  { hash, verify, isWeak } = {
    hash: hashInThread,
    verify: verifyInThread,
    isWeak: isWeakInThread,
  },
) {
  const requests = new AsyncLocalStorage<RequestState>();
  const queue = new FairQueue(HASHES);

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    // Outside of requests an operator waits, at a command.
    const { client = "operator", signal, knownDevice } = requests.getStore() ?? {};
    try {
      if (knownDevice === undefined) return await queue.run(client, work, signal);
      return await queue.run(`device:${knownDevice}`, work, signal, "preferred");
    } catch (error) {
      if (error instanceof QueueFullError) throw tooBusy(error.scope);
      if (error instanceof CallerLeftError) throw tooBusy("client");
      throw error;
    }
  }

  return {
    hash(password: string): Promise<string> {
      const request = requests.getStore();
      if (request?.preparedHash !== undefined && request.preparedPassword === password) {
        const { preparedHash } = request;
        // Only once: a second user must never share a salt with the first.
        delete request.preparedHash;
        delete request.preparedPassword;
        return Promise.resolve(preparedHash);
      }
      return inTurn(() => hash(password));
    },
    verify: (input: { hash: string; password: string }): Promise<boolean> =>
      inTurn(() => verify(input)),
    /** Runs one request; what it prepares is private to it. */
    duringRequest: <T>(request: HashingRequest, run: () => T): T =>
      requests.run({ ...request }, run),
    /** Whether a new password is easy to guess for people who know this about its owner. */
    isWeak: (password: string, about: readonly string[]): Promise<boolean> =>
      inTurn(() => isWeak(password, about)),
    /** The request comes from a device on which its user has signed in before. */
    recognize(device: string): void {
      const request = requests.getStore();
      if (request !== undefined) request.knownDevice = device;
    },
    /** Hashes now; the next `hash` of the same password in this request returns this one. */
    async prepare(password: string): Promise<void> {
      const request = requests.getStore();
      if (request === undefined) return;
      request.preparedHash = await inTurn(() => hash(password));
      request.preparedPassword = password;
    },
  };
}

/** The same header as the accounts' other limits; a hook would lose the plain one. */
function tooBusy(scope: QueueFullError["scope"]): APIError {
  const code = scope === "all" ? "SERVICE_UNAVAILABLE" : "TOO_MANY_REQUESTS";
  const what =
    scope === "all"
      ? "Too many people are signing in at this moment."
      : "Too many sign-ins from your address wait at this moment.";
  const headers = { "X-Retry-After": String(RETRY_AFTER_SECONDS) };
  return refusal(code, code, `${what} Try again in a few seconds.`, headers);
}
