/**
 * Runs a mutation once, however often its client sends it. A reconnecting client sends again all that
 * it has not seen confirmed: such a repeat joins the run that is under way, or gets the remembered
 * answer. What outlives this process is the executor's business; it is given the same key.
 */
import { createHash } from "node:crypto";
import { argumentsKey } from "./encoding.ts";
import type { Executor, FunctionCall, FunctionResult } from "./executor.ts";

const REMEMBERED_MAX = 20_000;
const REMEMBERED_MS = 15 * 60 * 1000;

/**
 * The same for every repeat of one request; 43 characters. The client draws its `clientSessionId` at
 * random, one per page, and numbers its requests. What is asked for is part of the key, so that a
 * client that uses a number again is never given the success of something else.
 */
export function idempotencyKeyOf(
  call: FunctionCall,
  clientSessionId: string,
  requestId: number,
): string {
  const { identity, path, args } = call;
  return createHash("sha256")
    .update(JSON.stringify([identity?.subject ?? null, clientSessionId, requestId, path]))
    .update(argumentsKey(args))
    .digest("base64url");
}

export class MutationRunner {
  #executor: Executor;
  #clock: () => number;
  #underWay = new Map<string, Promise<FunctionResult>>();
  /** In the order of insertion, the oldest first. */
  #remembered = new Map<string, { result: FunctionResult; untilMs: number }>();

  constructor(executor: Executor, clock: () => number) {
    this.#executor = executor;
    this.#clock = clock;
  }

  run(call: FunctionCall, idempotencyKey: string): Promise<FunctionResult> {
    const underWay = this.#underWay.get(idempotencyKey);
    if (underWay !== undefined) return underWay;
    const remembered = this.#remembered.get(idempotencyKey);
    if (remembered !== undefined && remembered.untilMs > this.#clock()) {
      return Promise.resolve(remembered.result);
    }
    // `finally` runs in a later microtask, so never before the run is in the map.
    const run = this.#start(call, idempotencyKey).finally(() =>
      this.#underWay.delete(idempotencyKey),
    );
    this.#underWay.set(idempotencyKey, run);
    return run;
  }

  async #start(call: FunctionCall, idempotencyKey: string): Promise<FunctionResult> {
    const result = await this.#executor.mutation(call, idempotencyKey);
    // A refusal changed nothing, so a repeat may well be tried again.
    if (result.status === "success") this.#remember(idempotencyKey, result);
    return result;
  }

  #remember(key: string, result: FunctionResult): void {
    const nowMs = this.#clock();
    this.#remembered.set(key, { result, untilMs: nowMs + REMEMBERED_MS });
    for (const [oldest, { untilMs }] of this.#remembered) {
      if (untilMs > nowMs && this.#remembered.size <= REMEMBERED_MAX) break;
      this.#remembered.delete(oldest);
    }
  }
}
