/**
 * The thread for password operations. It hashes with the authentication library's parameters, so
 * that the hashes are compatible, and rates how easy a password is to guess, which takes 10 ms.
 */
import { scryptSync } from "node:crypto";
import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { isWeakPassword } from "./password-strength.ts";

export type ToPasswordWorker =
  | { readonly type: "hash"; readonly password: string; readonly salt: string }
  | { readonly type: "judge"; readonly password: string; readonly about: readonly string[] };

/** The key of a hash, or whether the password is weak. */
export type FromPasswordWorker = { readonly key: Uint8Array } | { readonly isWeak: boolean };

if (parentPort === null) throw new Error("password-worker.ts runs as a worker only");
const port = parentPort;

const KEY_BYTES = 64;
const COST = { N: 16_384, r: 16, p: 1 } as const;
const MEMORY_BYTES_MAX = 2 * 128 * COST.N * COST.r;

// On Linux this sets the calling thread's priority only: hashing uses the time that orders leave.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);

port.on("message", (message: ToPasswordWorker) => {
  // An error ends the thread and fails its task.
  void answer(message).then((answered) => port.postMessage(answered));
});

async function answer(message: ToPasswordWorker): Promise<FromPasswordWorker> {
  const { password } = message;
  if (message.type === "judge") return { isWeak: await isWeakPassword(password, message.about) };
  const options = { ...COST, maxmem: MEMORY_BYTES_MAX };
  return { key: scryptSync(password.normalize("NFKC"), message.salt, KEY_BYTES, options) };
}
