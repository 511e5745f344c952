/**
 * A thread that hashes passwords, with the parameters and in the format of the accounts library, so that
 * either reads what the other wrote.
 */
import { scryptSync } from "node:crypto";
import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { FromHashingWorker, ToHashingWorker } from "./hashing-messages.ts";

if (parentPort === null) throw new Error("hashing-worker.ts runs as a worker only");
const port = parentPort;

const KEY_BYTES = 64;
const COST = { N: 16_384, r: 16, p: 1 } as const;
const MEMORY_BYTES_MAX = 2 * 128 * COST.N * COST.r;

// On Linux this is the priority of the calling thread alone: hashes take what orders leave.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);

port.on("message", ({ password, salt }: ToHashingWorker) => {
  const options = { ...COST, maxmem: MEMORY_BYTES_MAX };
  const key = scryptSync(password.normalize("NFKC"), salt, KEY_BYTES, options);
  const answer: FromHashingWorker = { key };
  port.postMessage(answer);
});
