/** Finds the faulty traffic of a key, if the key has faults. */
import { setTimeout as pause } from "node:timers/promises";
import type { ActiveKeyFaults } from "#contract/key-faults.ts";
import type { KeyFaultSettings } from "../../api-keys/key-faults.ts";
import { FaultyTraffic } from "./faulty-traffic.ts";
import { HeldBooks } from "./held-books.ts";

export interface FaultLabOptions {
  readonly settings: Pick<KeyFaultSettings, "ofNamed">;
  readonly weightLimit: number;
  readonly wait?: (ms: number) => Promise<void>;
}

export class FaultLab {
  readonly #options: FaultLabOptions;
  readonly #books = new HeldBooks(() => performance.now());
  /** The random sequence continues for as long as a key's faults stay the same. */
  readonly #traffic = new WeakMap<ActiveKeyFaults, FaultyTraffic>();

  constructor(options: FaultLabOptions) {
    this.#options = options;
  }

  /**
   * Undefined if the key has no faults.
   * @param apiKey the key named by a request or a connection, not yet verified: a client that names
   * another user's key only disturbs its own traffic.
   */
  trafficOf(apiKey: string | undefined): FaultyTraffic | undefined {
    if (apiKey === undefined) return undefined;
    const { settings, wait = waitFor, weightLimit } = this.#options;
    const active = settings.ofNamed(apiKey);
    if (active === undefined) return undefined;
    let traffic = this.#traffic.get(active);
    if (traffic === undefined) {
      traffic = new FaultyTraffic({ apiKey, active, weightLimit, books: this.#books, wait });
      this.#traffic.set(active, traffic);
    }
    return traffic;
  }
}

async function waitFor(ms: number): Promise<void> {
  await pause(ms, undefined, { ref: false });
}
