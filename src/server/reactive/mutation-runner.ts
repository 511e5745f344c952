/**
 * Runs a mutation once, however often its client sends it. A reconnecting client re-sends every
 * mutation that was not confirmed: a repeat joins the call in progress or gets the remembered
 * answer. After a restart the executor de-duplicates by the same key.
 */
import { createHash } from "node:crypto";
import type { ClientKey } from "../limits/client-key.ts";
import { argumentsKey, EncodedValue, UnsendableAnswerError } from "./encoding.ts";
import type { Executor, FunctionCall, FunctionResult } from "./executor.ts";
import { RememberedAnswers } from "./remembered-answers.ts";

/**
 * The idempotency key of a mutation, the same for every repeat of a request; 43 characters. The
 * client chooses its `clientSessionId` at random, one per page, and numbers its requests. The
 * request itself is part of the key, so that a client that reuses a number never gets another
 * request's answer.
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
  #remembered: RememberedAnswers;

  constructor(executor: Executor, clock: () => number, remembered = new RememberedAnswers()) {
    this.#executor = executor;
    this.#clock = clock;
    this.#remembered = remembered;
  }

  /** @param client the client that is charged for the memory of the answer */
  run(call: FunctionCall, idempotencyKey: string, client: ClientKey): Promise<FunctionResult> {
    const underWay = this.#underWay.get(idempotencyKey);
    if (underWay !== undefined) return underWay;
    const value = this.#remembered.get(idempotencyKey, this.#clock());
    if (value !== undefined) return Promise.resolve({ status: "success", value });
    // `finally` runs in a later microtask, so after the call was added to the map.
    const run = this.#start(call, idempotencyKey, client).finally(() =>
      this.#underWay.delete(idempotencyKey),
    );
    this.#underWay.set(idempotencyKey, run);
    return run;
  }

  async #start(
    call: FunctionCall,
    idempotencyKey: string,
    client: ClientKey,
  ): Promise<FunctionResult> {
    const result = await this.#executor.mutation(call, idempotencyKey);
    // A refusal changed nothing, so a repeat may run again.
    if (result.status === "error") return result;
    const value = encoded(result.value);
    this.#remembered.add(idempotencyKey, client, value, this.#clock());
    return { ...result, value };
  }
}

/**
 * Encodes the value of a mutation.
 * @throws UnsendableAnswerError
 */
function encoded(value: unknown): EncodedValue {
  try {
    return new EncodedValue(value);
  } catch (error) {
    throw new UnsendableAnswerError("a mutation answered what cannot be sent", { cause: error });
  }
}
