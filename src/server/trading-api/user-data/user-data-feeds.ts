/**
 * User data feeds of accounts that have followers. Each message is encoded once for all followers
 * of its account.
 */
import type { ExchangeEvent } from "#engine/events.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { ChunkedWork } from "../../limits/chunked-work.ts";
import type { Views } from "../../views/views.ts";
import { AccountEvents, type Emit } from "./account-events.ts";
import { OrderOutcomes } from "./order-outcomes.ts";

/** Messages per chunk: encoding and sending this many takes about 2 ms. */
const CHUNK_MESSAGES = 64;
/** Events per chunk: skipping this many takes about 2 ms if none concerns a followed account. */
const CHUNK_EVENTS = 4_096;

/**
 * Receives a message as JSON.
 * @param earlier how many messages about the same command the follower received before
 */
type Follower = (message: string, earlier: number) => void;

interface Feed {
  readonly events: AccountEvents;
  /** Each follower, with the views' sequence when it began to follow. */
  readonly followers: Map<Follower, number>;
  /** The views' sequence when the account's first follower began. */
  readonly since: number;
  /** The sequence of the last message's command, and the number of messages about it before this one. */
  last: { readonly sequence: number; readonly earlier: number };
}

export class UserDataFeeds {
  readonly #views: Views;
  readonly #exchange: Pick<Exchange, "subscribe">;
  readonly #feeds = new Map<number, Feed>();
  readonly #departures = new ChunkedWork();
  #unsubscribe: (() => void) | undefined;

  constructor(views: Views, exchange: Pick<Exchange, "subscribe">) {
    this.#views = views;
    this.#exchange = exchange;
  }

  /**
   * Must be called between commands: the follower receives every message about commands after the
   * views' sequence.
   * @returns ends it; may be called twice
   */
  follow(account: number, follower: Follower): () => void {
    const since = this.#views.sequence;
    let feed = this.#feeds.get(account);
    if (feed === undefined) {
      const last = { sequence: since, earlier: 0 };
      feed = { events: new AccountEvents(this.#views, account), followers: new Map(), since, last };
      this.#feeds.set(account, feed);
      this.#unsubscribe ??= this.#exchange.subscribe((events) => this.#messagesOf(events));
    }
    const { followers } = feed;
    // A separate function, so that the same follower can follow twice.
    const own: Follower = (...message) => follower(...message);
    followers.set(own, since);
    return () => {
      if (!followers.delete(own) || followers.size > 0) return;
      this.#feeds.delete(account);
      if (this.#feeds.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  }

  /** Ends the subscriptions of the followers on a closed connection: at once or soon. */
  endAll(ends: readonly (() => void)[]): void {
    this.#departures.add(callEach(ends));
  }

  /**
   * The views already include all of these events; some commands may have been included when an
   * account's first follower began.
   */
  *#messagesOf(events: readonly ExchangeEvent[]): Iterable<void> {
    const outcomes = new OrderOutcomes();
    for (const [at, event] of events.entries()) {
      outcomes.add(event);
      if (endsChunk(at)) yield;
    }
    const taken = new Set<Feed>();
    let sent = 0;
    const emitTo =
      (feed: Feed): Emit =>
      (message, sequence) => {
        const { followers, last } = feed;
        const earlier = sequence === last.sequence ? last.earlier + 1 : 0;
        feed.last = { sequence, earlier };
        const text = JSON.stringify(message);
        for (const [follower, since] of followers) if (sequence > since) follower(text, earlier);
        sent += 1 + followers.size;
      };
    for (const [at, event] of events.entries()) {
      for (const account of accountsOf(event)) {
        const feed = this.#feeds.get(account);
        if (feed === undefined || event.sequence <= feed.since) continue;
        taken.add(feed);
        feed.events.take(event, outcomes, emitTo(feed));
      }
      if (sent < CHUNK_MESSAGES && !endsChunk(at)) continue;
      sent = 0;
      yield;
    }
    for (const feed of taken) {
      feed.events.emitBalances(emitTo(feed));
      if (sent < CHUNK_MESSAGES) continue;
      sent = 0;
      yield;
    }
  }
}

function* callEach(ends: readonly (() => void)[]): Generator<void> {
  for (const end of ends) {
    end();
    yield;
  }
}

function endsChunk(at: number): boolean {
  return at % CHUNK_EVENTS === CHUNK_EVENTS - 1;
}

/** The accounts that an event concerns. */
function accountsOf(event: ExchangeEvent): readonly number[] {
  if (event.type === "traded") {
    const { makerAccount, takerAccount } = event;
    return makerAccount === takerAccount ? [makerAccount] : [makerAccount, takerAccount];
  }
  return "account" in event ? [event.account] : [];
}
