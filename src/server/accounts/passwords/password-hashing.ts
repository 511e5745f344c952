/**
 * Password hashing that barely delays other requests. A hash costs about 80 ms of one core and 32
 * MB, so few run at a time, in dedicated threads, and addresses take turns: however many sign-ins
 * of one address are queued, others wait for one of them, not for all. Two of three turns go to
 * devices on which the user has signed in before, so a flood from many addresses does not lock out
 * known users; each such device has its own queue. Attempts on one user are counted before they get
 * here (account-limit.ts), so no user has more than a handful of hashes queued.
 *
 * At sign-up, the hash is computed before the database transaction begins: otherwise the library
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

const HASH_QUEUE = {
  what: "password checks",
  underWay: HASHES_AT_ONCE,
  // One address never occupies every thread.
  underWayPerClient: Math.max(1, HASHES_AT_ONCE - 1),
  waiting: 200,
  // As many sign-ins and sign-ups as an address may request in a minute.
  waitingPerClient: 40,
} as const;
/** A full queue of one address is done within about this time. */
const RETRY_AFTER_SECONDS = 5;

/** A request during which passwords are hashed. */
export interface HashingRequest {
  /** The client in whose queue the hashes wait. */
  readonly client: ClientKey;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
}

interface RequestState extends HashingRequest {
  /** Set if the user has signed in on this device before. */
  knownDevice?: string;
  preparedPassword?: string;
  preparedHash?: string;
}

export type PasswordHashing = ReturnType<typeof createPasswordHashing>;

/** @param functions the password operations; by default, those of the dedicated threads */
export function createPasswordHashing(
  { hash, verify, isWeak } = {
    hash: hashInThread,
    verify: verifyInThread,
    isWeak: isWeakInThread,
  },
) {
  const requests = new AsyncLocalStorage<RequestState>();
  const queue = new FairQueue(HASH_QUEUE);

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    // Outside a request, an operator's command is hashing.
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
        // Used once only: two users must never share a salt.
        delete request.preparedHash;
        delete request.preparedPassword;
        return Promise.resolve(preparedHash);
      }
      return inTurn(() => hash(password));
    },
    verify: (input: { hash: string; password: string }): Promise<boolean> =>
      inTurn(() => verify(input)),
    /** Runs one request; the hash that it prepares is private to it. */
    duringRequest: <T>(request: HashingRequest, run: () => T): T =>
      requests.run({ ...request }, run),
    /**
     * Whether a new password is easy to guess for someone with this information about its owner.
     */
    isWeak: (password: string, about: readonly string[]): Promise<boolean> =>
      inTurn(() => isWeak(password, about)),
    /** Marks the request as coming from a device on which its user has signed in before. */
    recognize(device: string): void {
      const request = requests.getStore();
      if (request !== undefined) request.knownDevice = device;
    },
    /** Computes the hash now; the next `hash` of the same password in this request returns it. */
    async prepare(password: string): Promise<void> {
      const request = requests.getStore();
      if (request === undefined) return;
      request.preparedHash = await inTurn(() => hash(password));
      request.preparedPassword = password;
    },
  };
}

/**
 * Has the same header as the library's other limits, which a hook would drop from a plain error.
 */
function tooBusy(scope: QueueFullError["scope"]): APIError {
  const code = scope === "all" ? "SERVICE_UNAVAILABLE" : "TOO_MANY_REQUESTS";
  const what =
    scope === "all"
      ? "Too many people are signing in at this moment."
      : "Too many sign-ins from your address wait at this moment.";
  const headers = { "X-Retry-After": String(RETRY_AFTER_SECONDS) };
  return refusal(code, code, `${what} Try again in a few seconds.`, headers);
}
