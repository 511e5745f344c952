/** The fault lab: finds what the traffic suffers that names a key. */
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
  /** For as long as the faults stay as they are, their chance continues. */
  readonly #traffic = new WeakMap<ActiveKeyFaults, FaultyTraffic>();

  constructor(options: FaultLabOptions) {
    this.#options = options;
  }

  /**
   * Undefined if nothing is to happen.
   * @param apiKey what a request or a connection names, if it does. Nobody has verified it: who names
   * the key of another only spoils their own traffic.
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
