/** Waits until a throttled client may have work done again; one wait at a time. */
import type { ClientKey } from "./client-key.ts";
import type { RecentWork } from "./recent-work.ts";
import type { WorkShares } from "./work-shares.ts";

export class ThrottleWait {
  readonly #shares: WorkShares;
  readonly #onThrottleEnd: () => void;
  /** The throttled client; undefined if there is no wait. */
  #client: ClientKey | undefined;

  constructor(shares: WorkShares, onThrottleEnd: () => void) {
    this.#shares = shares;
    this.#onThrottleEnd = onThrottleEnd;
  }

  get isWaiting(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Returns false if the client is not throttled; otherwise `onThrottleEnd` is called when it no
   * longer is.
   */
  begin(client: ClientKey, work: RecentWork): boolean {
    if (!this.#shares.isThrottled(client)) return false;
    if (this.#client === undefined) {
      this.#client = client;
      this.#shares.whenUnthrottled(client, this.#end, work);
    }
    return true;
  }

  close(): void {
    if (this.#client !== undefined) this.#shares.forget(this.#client, this.#end);
  }

  readonly #end = (): void => {
    this.#client = undefined;
    this.#onThrottleEnd();
  };
}
