/** What every engine of the server is made with. */
import { randomInt } from "node:crypto";
import type { EngineOptions } from "#engine/engine.ts";

/** Of this thread alone: a thread that replays what another did comes to the same with its own. */
export const engineOptions: EngineOptions = {
  hashSecret: [randomInt(2 ** 32), randomInt(2 ** 32)],
};
