/** The period after which past work counts half. */
const HALF_LIFE_MS = 5_000;

/** The recent work done for one client, or for one of its connections. */
export class RecentWork {
  #ms = 0;
  #atMs = 0;

  add(ms: number, nowMs: number): void {
    this.#ms = this.msAt(nowMs) + ms;
    this.#atMs = nowMs;
  }

  msAt(nowMs: number): number {
    return this.#ms * 2 ** ((this.#atMs - nowMs) / HALF_LIFE_MS);
  }
}
