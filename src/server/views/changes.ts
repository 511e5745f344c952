/** Collects the changes of a batch of events and announces them once, as topics. */
import type { Urgency } from "../reactive/executor.ts";

type Listener = (topics: ReadonlyMap<string, Urgency>) => void;

/**
 * How often summaries are announced: valuations, on which every user's balances and portfolio depend,
 * and the list of all tickers, part of which changes with every book.
 */
const SUMMARIES_EVERY_MS = 1_000;

export class Changes {
  readonly #listeners = new Set<Listener>();
  #topics = new Map<string, Urgency>();
  /** Summaries that the next tick announces. */
  #summaries = new Map<string, Urgency>();
  #summariesTimer: NodeJS.Timeout | undefined;

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  catalogue(): void {
    this.#topics.set("catalogue", "now");
  }

  adjustments(): void {
    this.#topics.set("adjustments", "now");
  }

  transfers(): void {
    this.#topics.set("transfers", "now");
  }

  accountOpened(userId: string): void {
    this.#topics.set("accounts", "now").set(`user:${userId}`, "now");
  }

  account(account: number): void {
    if (this.#hasListeners) this.#topics.set(`account:${account}`, "now");
  }

  book(marketId: number): void {
    if (!this.#hasListeners) return;
    this.#topics.set(`book:${marketId}`, "conflated");
    this.#announceSoon("tickers");
  }

  traded(marketId: number): void {
    if (!this.#hasListeners) return;
    this.book(marketId);
    this.#topics.set(`trades:${marketId}`, "conflated").set(`candles:${marketId}`, "conflated");
    this.#announceSoon("prices");
  }

  publish(): void {
    const topics = this.#topics;
    if (topics.size === 0) return;
    this.#topics = new Map();
    for (const listener of this.#listeners) listener(topics);
  }

  /**
   * Whether there are listeners; without them, as during the replay, the most frequent topics are not
   * even built.
   */
  get #hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  #announceSoon(topic: "tickers" | "prices"): void {
    this.#summaries.set(topic, "conflated");
    if (this.#summariesTimer !== undefined) return;
    this.#summariesTimer = setTimeout(() => {
      this.#summariesTimer = undefined;
      const summaries = this.#summaries;
      this.#summaries = new Map();
      for (const listener of this.#listeners) listener(summaries);
    }, SUMMARIES_EVERY_MS);
    this.#summariesTimer.unref();
  }
}
