/** Sends user data to the market streams' connections that name a listen key. */
import type { Exchange } from "../../exchange/exchange.ts";
import { whenSettled } from "../../exchange/when-settled.ts";
import { ApiError } from "../api-error.ts";
import type { FaultLab } from "../fault-lab/fault-lab.ts";
import type { ClientSocket } from "../sockets/client-socket.ts";
import type { UserPlaces } from "../ws-api/user-places.ts";
import type { ListenKeys } from "../../api-keys/listen-keys.ts";
import type { UserDataEventName } from "./user-data-events.ts";
import type { UserDataFeeds } from "./user-data-feeds.ts";

interface ListenKeyStreamsOptions {
  readonly listenKeys: ListenKeys;
  readonly feeds: Pick<UserDataFeeds, "follow">;
  readonly places: Pick<UserPlaces, "subscribe">;
  readonly exchange: Pick<Exchange, "unsettled">;
  readonly lab: Pick<FaultLab, "trafficOf">;
  /** Whether the API key with this id may be used from the address. */
  readonly mayUse: (keyId: string, address: string) => boolean;
  /** The API key with this id. */
  readonly apiKeyOf: (keyId: string) => string | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly nowMs: () => number;
}

/**
 * Receives an event as JSON.
 * @param earlier the number of earlier messages about the same command
 */
type Send = (event: string, delayMs: number, earlier: number) => void;

export class ListenKeyStreams {
  readonly #options: ListenKeyStreamsOptions;

  constructor(options: ListenKeyStreamsOptions) {
    this.#options = options;
  }

  /**
   * @returns ends it, and may be called twice; undefined if there is no such listen key, its API key may
   * not be used from the connection's address, or its user has too many subscriptions
   */
  follow(
    listenKey: string,
    connection: Pick<ClientSocket, "address" | "apiKey" | "userId">,
    send: Send,
  ): (() => void) | undefined {
    const { exchange, feeds, lab, listenKeys, mayUse, nowMs } = this.#options;
    const grant = listenKeys.find(listenKey);
    if (grant === undefined || !mayUse(grant.keyId, connection.address)) return undefined;
    const leave = this.#takePlace(grant);
    if (leave === undefined) return undefined;
    connection.userId = grant.userId;
    const apiKey = this.#options.apiKeyOf(grant.keyId);
    // Faults of the key concern the whole connection, unless it has named another key.
    connection.apiKey ??= apiKey;
    const sendLater = (event: string, earlier: number) =>
      send(event, lab.trafficOf(apiKey)?.latencyMs() ?? 0, earlier);
    let unfollow: (() => void) | undefined;
    let isOver = false;
    const end = () => {
      isOver = true;
      leave();
      unfollow?.();
      forget();
    };
    const forget = listenKeys.onEnded((ended) => {
      if (ended !== listenKey) return;
      const e: UserDataEventName = "listenKeyExpired";
      sendLater(JSON.stringify({ e, E: nowMs(), listenKey }), 0);
      end();
    });
    // A follower that began within a command would be sent all of its events.
    void whenSettled(exchange).then(() => {
      if (!isOver) unfollow = feeds.follow(grant.account, sendLater);
    });
    return end;
  }

  #takePlace(grant: Parameters<UserPlaces["subscribe"]>[0]): (() => void) | undefined {
    try {
      return this.#options.places.subscribe(grant);
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }
}
