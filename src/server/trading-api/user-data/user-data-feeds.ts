/** The accounts that have followers. Each message is encoded once for all who follow its account. */
import type { ExchangeEvent } from "#engine/events.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Views } from "../../views/views.ts";
import { AccountEvents } from "./account-events.ts";

/** Takes a message as JSON. */
type Follower = (message: string) => void;

interface Feed {
  readonly events: AccountEvents;
  readonly followers: Set<Follower>;
}

export class UserDataFeeds {
  readonly #views: Views;
  readonly #exchange: Pick<Exchange, "subscribe">;
  readonly #feeds = new Map<number, Feed>();
  #unsubscribe: (() => void) | undefined;

  constructor(views: Views, exchange: Pick<Exchange, "subscribe">) {
    this.#views = views;
    this.#exchange = exchange;
  }

  /**
   * Call it between commands: the follower gets every message of what comes after what the views show.
   * @returns ends it; may be called twice
   */
  follow(account: number, follower: Follower): () => void {
    let feed = this.#feeds.get(account);
    if (feed === undefined) {
      feed = { events: new AccountEvents(this.#views, account), followers: new Set() };
      this.#feeds.set(account, feed);
      this.#unsubscribe ??= this.#exchange.subscribe((events) => this.#take(events));
    }
    const { followers } = feed;
    // One of its own, so that following twice means two.
    const own: Follower = (message) => follower(message);
    followers.add(own);
    return () => {
      if (!followers.delete(own) || followers.size > 0) return;
      this.#feeds.delete(account);
      if (this.#feeds.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  }

  #take(events: readonly ExchangeEvent[]): void {
    for (const account of accountsIn(events)) {
      const feed = this.#feeds.get(account);
      feed?.events.take(events, (message) => {
        const text = JSON.stringify(message);
        for (const follower of feed.followers) follower(text);
      });
    }
  }
}

function accountsIn(events: readonly ExchangeEvent[]): Set<number> {
  const accounts = new Set<number>();
  for (const event of events) {
    if (event.type === "traded") accounts.add(event.makerAccount).add(event.takerAccount);
    else if ("account" in event) accounts.add(event.account);
  }
  return accounts;
}
