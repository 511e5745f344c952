/** Collects what a batch of events changed and tells it once, as topics. */
import type { Urgency } from "../reactive/executor.ts";

type Listener = (topics: ReadonlyMap<string, Urgency>) => void;

/** How often the worth of things is told: it is in every balance and portfolio of everybody. */
const PRICES_EVERY_MS = 1_000;

export class Changes {
  readonly #listeners = new Set<Listener>();
  #catalogue = false;
  #adjustments = false;
  readonly #users = new Set<string>();
  readonly #accounts = new Set<number>();
  readonly #books = new Set<number>();
  readonly #traded = new Set<number>();
  #pricesTimer: NodeJS.Timeout | undefined;

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  catalogue(): void {
    this.#catalogue = true;
  }
  adjustments(): void {
    this.#adjustments = true;
  }
  accountOpened(userId: string): void {
    this.#users.add(userId);
  }
  account(account: number): void {
    this.#accounts.add(account);
  }
  book(marketId: number): void {
    this.#books.add(marketId);
  }
  traded(marketId: number): void {
    this.#traded.add(marketId);
  }

  publish(): void {
    const topics = this.#take();
    if (topics.size > 0) for (const listener of this.#listeners) listener(topics);
  }

  #take(): Map<string, Urgency> {
    const topics = new Map<string, Urgency>();
    // Nobody listens while the journal is replayed.
    if (this.#listeners.size > 0) {
      if (this.#catalogue) topics.set("catalogue", "now");
      if (this.#adjustments) topics.set("adjustments", "now");
      if (this.#users.size > 0) topics.set("accounts", "now");
      for (const userId of this.#users) topics.set(`user:${userId}`, "now");
      for (const account of this.#accounts) topics.set(`account:${account}`, "now");
      for (const marketId of this.#books) topics.set(`book:${marketId}`, "conflated");
      for (const marketId of this.#traded) {
        topics.set(`book:${marketId}`, "conflated");
        topics.set(`trades:${marketId}`, "conflated");
        topics.set(`candles:${marketId}`, "conflated");
      }
      if (this.#books.size + this.#traded.size > 0) topics.set("tickers", "conflated");
      if (this.#traded.size > 0) this.#publishPricesSoon();
    }
    this.#catalogue = false;
    this.#adjustments = false;
    this.#users.clear();
    this.#accounts.clear();
    this.#books.clear();
    this.#traded.clear();
    return topics;
  }

  #publishPricesSoon(): void {
    if (this.#pricesTimer !== undefined) return;
    this.#pricesTimer = setTimeout(() => {
      this.#pricesTimer = undefined;
      for (const listener of this.#listeners) listener(new Map([["prices", "conflated"]]));
    }, PRICES_EVERY_MS);
    this.#pricesTimer.unref();
  }
}
