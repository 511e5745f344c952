/**
 * Runs password operations in dedicated threads, one task at a time in each, off the event loop and
 * off Node's thread pool, which also serves the disk. The threads start with the first task, serve
 * the whole process and do not keep it alive.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FromPasswordWorker, ToPasswordWorker } from "./password-worker.ts";

const WORKER = new URL("./password-worker.ts", import.meta.url);
/** With a lower priority, hashing may use every core; otherwise one is left for orders. */
const CORES = availableParallelism() - (process.platform === "linux" ? 0 : 1);
/** Each hash takes 32 MB while it is computed. */
export const HASHES_AT_ONCE = Math.min(4, Math.max(1, CORES));
const SALT_BYTES = 16;

const idle: Worker[] = [];
let started = 0;
const waiting: ((thread: Worker) => void)[] = [];

/** @returns salt and key, in the authentication library's format */
export async function hashInThread(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES).toString("hex");
  return `${salt}:${(await keyOf(password, salt)).toString("hex")}`;
}

/** Whether the password matches the hash. */
export async function verifyInThread({
  hash,
  password,
}: {
  hash: string;
  password: string;
}): Promise<boolean> {
  const [salt = "", key = ""] = hash.split(":");
  if (salt === "" || key === "") throw new Error("A stored password is no hash.");
  const expected = Buffer.from(key, "hex");
  const actual = await keyOf(password, salt);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Whether the password is easy to guess; see password-strength.ts. */
export async function isWeakInThread(password: string, about: readonly string[]): Promise<boolean> {
  const answer = await ask({ type: "judge", password, about });
  return "isWeak" in answer && answer.isWeak;
}

async function keyOf(password: string, salt: string): Promise<Buffer> {
  const answer = await ask({ type: "hash", password, salt });
  if (!("key" in answer)) throw new Error("A thread answered something else.");
  return Buffer.from(answer.key);
}

async function ask(message: ToPasswordWorker): Promise<FromPasswordWorker> {
  const thread = await takeThread();
  return new Promise<FromPasswordWorker>((resolve, reject) => {
    const onMessage = (answer: FromPasswordWorker) => {
      thread.off("exit", onExit);
      thread.unref();
      releaseThread(thread);
      resolve(answer);
    };
    const onExit = () => {
      thread.off("message", onMessage);
      started -= 1;
      startForWaiting();
      reject(new Error("A thread that works on passwords ended."));
    };
    thread.once("message", onMessage);
    thread.once("exit", onExit);
    thread.ref();
    thread.postMessage(message, []);
  });
}

function takeThread(): Promise<Worker> {
  const thread = idle.pop();
  if (thread !== undefined) return Promise.resolve(thread);
  return new Promise((resolve) => {
    waiting.push(resolve);
    startForWaiting();
  });
}

function startForWaiting(): void {
  while (waiting.length > 0 && started < HASHES_AT_ONCE) {
    const thread = new Worker(WORKER, { name: "passwords" });
    // The exit event reports the failure.
    thread.on("error", () => {});
    thread.on("exit", () => {
      const index = idle.indexOf(thread);
      if (index === -1) return;
      idle.splice(index, 1);
      started -= 1;
    });
    started += 1;
    waiting.shift()?.(thread);
  }
}

function releaseThread(thread: Worker): void {
  const next = waiting.shift();
  if (next === undefined) idle.push(thread);
  else next(thread);
}
