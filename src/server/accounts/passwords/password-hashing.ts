/**
 * Password hashing that nobody else waits for. A hash costs about 80 ms of one core and 32 MB, so
 * few run at a time (the thread pool also serves the disk), a queue of fixed length waits, and the
 * hash of a sign-up is made before its database transaction begins: the library would otherwise
 * hash while it holds the only connection that writes.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { availableParallelism } from "node:os";
import { APIError } from "better-auth/api";
import { hashPassword, verifyPassword } from "better-auth/crypto";

const CONCURRENT_MAX = Math.min(3, Math.max(1, availableParallelism() - 1));
const WAITING_MAX = 100;

export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 128;

interface Prepared {
  password?: string;
  hash?: string;
}

export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(input: { hash: string; password: string }): Promise<boolean>;
  /** Runs one request; what it prepares is known to nobody else. */
  duringRequest<T>(run: () => T): T;
  /** Hashes now; the next `hash` of the same password in this request answers with it. */
  prepare(password: string): Promise<void>;
}

export function createPasswordHashing(): PasswordHashing {
  const requests = new AsyncLocalStorage<Prepared>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= CONCURRENT_MAX) {
      if (waiting.length >= WAITING_MAX) {
        throw new APIError("SERVICE_UNAVAILABLE", {
          code: "SERVICE_UNAVAILABLE",
          message: "Too many people are signing in at this moment. Try again in a few seconds.",
        });
      }
      // Whoever finishes hands its place on, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    hash(password) {
      const prepared = requests.getStore();
      if (prepared?.hash !== undefined && prepared.password === password) {
        const { hash } = prepared;
        // Only once: a second user must never share a salt with the first.
        delete prepared.hash;
        delete prepared.password;
        return Promise.resolve(hash);
      }
      return inTurn(() => hashPassword(password));
    },
    verify: ({ hash, password }) => inTurn(() => verifyPassword({ hash, password })),
    duringRequest: (run) => requests.run({}, run),
    async prepare(password) {
      const prepared = requests.getStore();
      if (prepared === undefined) return;
      prepared.hash = await inTurn(() => hashPassword(password));
      prepared.password = password;
    },
  };
}
