/** The calls of listen keys, which Binance removed in 2026 and programs made before still use. */
import { z } from "zod";
import { invalidListenKey } from "../api-error.ts";
import { endpoint } from "../endpoint.ts";
import { text } from "../parameters.ts";

const CALL = {
  path: "/api/v3/userDataStream",
  security: "userData",
  isSignatureOptional: true,
  weight: 2,
} as const;
const listenKey = text.meta({ description: "The listen key." });

export const createListenKey = endpoint({
  ...CALL,
  method: "POST",
  summary: "A listen key, valid for an hour, with which `/ws/<listen key>` sends user data.",
  parameters: z.object({}),
  answer: (services, _, caller) => ({ listenKey: services.listenKeys.create(caller) }),
});

export const extendListenKey = endpoint({
  ...CALL,
  method: "PUT",
  summary: "Makes a listen key valid for another hour.",
  errors: [-1125],
  parameters: z.object({ listenKey }),
  answer(services, given, caller) {
    if (!services.listenKeys.extend(given.listenKey, caller)) throw invalidListenKey();
    return {};
  },
});

export const closeListenKey = endpoint({
  ...CALL,
  method: "DELETE",
  summary: "Ends a listen key and what is sent with it.",
  errors: [-1125],
  parameters: z.object({ listenKey }),
  answer(services, given, caller) {
    if (!services.listenKeys.close(given.listenKey, caller)) throw invalidListenKey();
    return {};
  },
});
