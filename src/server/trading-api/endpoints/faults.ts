/**
 * Sets the faults of a key. The call itself is exempt from them, so that they can always be ended.
 */
import { z } from "zod";
import {
  type ActiveKeyFaults,
  FAULT_SECONDS,
  FAULT_SEED_MAX,
  KEY_FAULT_NAMES,
  KEY_FAULTS,
  type KeyFaultName,
} from "#contract/key-faults.ts";
import { keyRefused } from "../api-error.ts";
import { endpoint } from "../endpoint.ts";
import { integerFrom } from "../parameters.ts";

const PATH = "/api/v3/openbell/faults";

const NONE = { faults: {}, seed: null, endsAt: null };

/** The active faults. */
function describe(active: ActiveKeyFaults | undefined) {
  if (active === undefined) return NONE;
  const { endsAt, faults, seed } = active;
  const activeNames = KEY_FAULT_NAMES.filter((name) => faults[name] !== 0);
  return {
    faults: Object.fromEntries(activeNames.map((name) => [name, faults[name]])),
    seed,
    endsAt,
  };
}

export const readFaults = endpoint({
  method: "GET",
  path: PATH,
  summary: "The faults that the caller's key has, and until when.",
  security: "userData",
  weight: 1,
  isWithoutFaults: true,
  parameters: z.object({}),
  answer: ({ apiKeys }, _, { keyId }) => describe(apiKeys.faults.of(keyId)),
});

const integerOf = (name: KeyFaultName) => integerFrom(KEY_FAULTS[name].min, KEY_FAULTS[name].max);

const parameters = z.object({
  ...(Object.fromEntries(
    KEY_FAULT_NAMES.map((name) => [name, integerOf(name).optional()]),
  ) as Record<KeyFaultName, z.ZodOptional<ReturnType<typeof integerOf>>>),
  seconds: integerFrom(FAULT_SECONDS.min, FAULT_SECONDS.max).default(FAULT_SECONDS.otherwise),
  seed: integerFrom(0, FAULT_SEED_MAX).optional(),
});

export const setFaults = endpoint({
  method: "PUT",
  path: PATH,
  summary: "Sets the faults of the caller's key; those left out are off.",
  security: "userData",
  weight: 1,
  isWithoutFaults: true,
  parameters,
  answer({ apiKeys }, { seconds, seed, ...faults }, { keyId }) {
    const key = apiKeys.recordOf(keyId);
    // The key was revoked a moment ago.
    if (key === undefined) throw keyRefused();
    return describe(apiKeys.faults.set(key, { faults, seconds, seed }));
  },
});

export const endFaults = endpoint({
  method: "DELETE",
  path: PATH,
  summary: "Ends all faults of the caller's key.",
  security: "userData",
  weight: 1,
  isWithoutFaults: true,
  parameters: z.object({}),
  answer({ apiKeys }, _, { keyId }) {
    apiKeys.faults.clear(keyId);
    return NONE;
  },
});
