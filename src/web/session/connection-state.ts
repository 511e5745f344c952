/**
 * The state of the live connection, derived from events and their times alone. The exchange sends a
 * heartbeat every second to every visible page. A page that misses two is considered disconnected
 * even if its socket is open, because sockets take a minute to notice a dead network. Late
 * heartbeats count as missed: the data that arrives with them is old.
 */

/** Two and a half heartbeat intervals: the page reports silence before the third second ends. */
const SILENCE_MS_MAX = 2_500;

export type Connection =
  | { readonly kind: "live" }
  | {
      /**
       * `connecting`: nothing was received yet. `stale`: the socket is open and silent. `offline`:
       * the browser has no network. `reconnecting`: the socket is closed, or new and still silent.
       */
      readonly kind: "connecting" | "stale" | "offline" | "reconnecting";
      /** When the page's data was last known to be current, on the monitor's clock. */
      readonly sinceMs: number;
    };

export class ConnectionMonitor {
  readonly #nowMs: () => number;
  #receivedMs: number;
  /** When the newest heartbeat left the server; on a slow connection long before its arrival. */
  #currentMs: number;
  #hasReceived = false;
  #openedMs: number | null = null;
  #wasOpen = false;
  #offlineMs: number | null = null;
  /** Since when a heartbeat has been due, for a page that became visible again. */
  #dueMs = Number.NEGATIVE_INFINITY;
  #wasLiveWhenHidden = false;
  #shown: Connection | undefined;

  /** @param nowMs a monotonic clock that also advances while the machine sleeps */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    // The page starts with data that the server has just rendered.
    this.#receivedMs = this.#currentMs = nowMs();
  }

  /**
   * Records the arrival of a heartbeat.
   * @param delayMs its estimated network delay
   */
  received(delayMs = 0): void {
    this.#receivedMs = this.#nowMs();
    this.#currentMs = Math.max(this.#currentMs, this.#receivedMs - delayMs);
    this.#hasReceived = true;
  }

  socket(isOpen: boolean): void {
    if (isOpen === (this.#openedMs !== null)) return;
    this.#openedMs = isOpen ? this.#nowMs() : null;
    if (isOpen) this.#wasOpen = true;
  }

  network(isOnline: boolean): void {
    if (isOnline) this.#offlineMs = null;
    else this.#offlineMs ??= this.#nowMs();
  }

  /** Records that the page is hidden; hidden pages request no heartbeats. */
  hidden(): void {
    this.#wasLiveWhenHidden = this.state().kind === "live";
  }

  visible(): void {
    if (this.#wasLiveWhenHidden) this.#dueMs = this.#nowMs();
  }

  /** Milliseconds since the page's data was known to be current; up to a second while live. */
  ageMs(): number {
    return this.#nowMs() - this.#currentMs;
  }

  /** Milliseconds until a live page becomes stale without another heartbeat. */
  leftMs(): number {
    return this.#silentSinceMs() + SILENCE_MS_MAX - this.#nowMs();
  }

  /** The current state; the same object until it changes. */
  state(): Connection {
    const kind = this.#kind();
    const shown = this.#shown;
    if (shown?.kind === kind && (shown.kind === "live" || shown.sinceMs === this.#currentMs)) {
      return shown;
    }
    this.#shown = kind === "live" ? { kind } : { kind, sinceMs: this.#currentMs };
    return this.#shown;
  }

  #kind(): Connection["kind"] {
    // A browser may report offline and still reach an exchange on its own machine.
    if (this.#offlineMs !== null && this.#receivedMs <= this.#offlineMs) return "offline";
    if (!this.#hasReceived) {
      return this.#wasOpen && this.#openedMs === null ? "reconnecting" : "connecting";
    }
    if (this.#openedMs === null || this.#receivedMs < this.#openedMs) return "reconnecting";
    return this.leftMs() > 0 ? "live" : "stale";
  }

  #silentSinceMs(): number {
    return Math.max(this.#currentMs, this.#dueMs);
  }
}
