/** The calls of listen keys, which Binance removed in 2026 and programs made before still use. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { text } from "../parameters.ts";
import { listenKeysOf } from "../user-data/listen-keys.ts";

const PATH = "/api/v3/userDataStream";
const WEIGHT = 2;
const listenKey = text.meta({ description: "The listen key." });

export const createListenKey = endpoint({
  method: "POST",
  path: PATH,
  summary: "A listen key, valid for an hour, with which `/ws/<listen key>` sends user data.",
  security: "userData",
  isSignatureOptional: true,
  weight: WEIGHT,
  parameters: z.object({}),
  answer: (services, _, caller) => ({ listenKey: listenKeysOf(services).create(caller) }),
});

export const extendListenKey = endpoint({
  method: "PUT",
  path: PATH,
  summary: "Makes a listen key valid for another hour.",
  security: "userData",
  isSignatureOptional: true,
  weight: WEIGHT,
  errors: [-1125],
  parameters: z.object({ listenKey }),
  answer(services, given, caller) {
    listenKeysOf(services).extend(given.listenKey, caller);
    return {};
  },
});

export const closeListenKey = endpoint({
  method: "DELETE",
  path: PATH,
  summary: "Ends a listen key and what is sent with it.",
  security: "userData",
  isSignatureOptional: true,
  weight: WEIGHT,
  errors: [-1125],
  parameters: z.object({ listenKey }),
  answer(services, given, caller) {
    listenKeysOf(services).close(given.listenKey, caller);
    return {};
  },
});
