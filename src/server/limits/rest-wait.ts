/** Waits until a resting client may have work done again; one wait at a time. */
import type { ClientKey } from "./client-key.ts";
import type { RecentWork, WorkShares } from "./work-shares.ts";

export class RestWait {
  readonly #shares: WorkShares;
  readonly #onRested: () => void;
  /** The client that rests. */
  #client: ClientKey | undefined;

  constructor(shares: WorkShares, onRested: () => void) {
    this.#shares = shares;
    this.#onRested = onRested;
  }

  get isWaiting(): boolean {
    return this.#client !== undefined;
  }

  /** False if the client is not resting; otherwise `onRested` is called when its rest is over. */
  begin(client: ClientKey, work: RecentWork): boolean {
    if (!this.#shares.isResting(client)) return false;
    if (this.#client === undefined) {
      this.#client = client;
      this.#shares.whenRested(client, this.#end, work);
    }
    return true;
  }

  close(): void {
    if (this.#client !== undefined) this.#shares.forget(this.#client, this.#end);
  }

  readonly #end = (): void => {
    this.#client = undefined;
    this.#onRested();
  };
}
