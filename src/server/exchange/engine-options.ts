/** The options of every engine of the server. */
import { randomInt } from "node:crypto";
import type { EngineOptions } from "#engine/engine.ts";

/**
 * The hash secret differs in each thread: it affects no result, so a replay in another thread
 * matches.
 */
export const engineOptions: EngineOptions = {
  hashSecret: [randomInt(2 ** 32), randomInt(2 ** 32)],
};
