/**
 * Counts the connections and user data subscriptions of each user, against the limits of the user's
 * plan. Keys that may only read have at most half of them, so that a program of another
 * person with such a key never shuts out the owner's orders.
 */
import type { ApiKeyGrant } from "../../api-keys/key-gate.ts";
import type { CommandRates } from "../../functions/command-rates.ts";
import type { SharedLimits, SharedNumber } from "../../limits/shared-limits.ts";
import { tooManyConnections, tooManySubscriptions } from "../api-error.ts";

/** The owner of a key, and the key's permissions. */
type Holder = Pick<ApiKeyGrant, "permissions" | "userId">;

/** The places of one kind that a user has taken: each by a key that may only read or by another. */
interface Taken {
  readonly reading: Set<object>;
  readonly trading: Set<object>;
}

class TakenPlaces {
  readonly #byUser = new Map<string, Taken>();
  /**
   * The numbers of connections of read-only keys and of others, on all nodes; undefined if there are no
   * others.
   */
  readonly #shared: { readonly reading: SharedNumber; readonly trading: SharedNumber } | undefined;

  constructor(what: string, shared: SharedLimits | undefined) {
    this.#shared = shared && {
      reading: shared.number(`${what}Reading`),
      trading: shared.number(`${what}Trading`),
    };
  }

  has(userId: string, place: object): boolean {
    const taken = this.#byUser.get(userId);
    return taken !== undefined && (taken.reading.has(place) || taken.trading.has(place));
  }

  /** Returns the limit that the user has reached; undefined if the place is taken. */
  take({ permissions, userId }: Holder, place: object, max: number): number | undefined {
    const taken = this.#byUser.get(userId) ?? { reading: new Set(), trading: new Set() };
    const { reading, trading } = taken;
    const readingMax = Math.max(1, Math.floor(max / 2));
    const mayTrade = permissions.includes("trade");
    const readingAll = reading.size + (this.#shared?.reading.elsewhere(userId) ?? 0);
    const tradingAll = trading.size + (this.#shared?.trading.elsewhere(userId) ?? 0);
    if (!mayTrade && readingAll >= readingMax) return readingMax;
    if (readingAll + tradingAll >= max) return max;
    (mayTrade ? trading : reading).add(place);
    this.#byUser.set(userId, taken);
    this.#share(userId, taken);
    return undefined;
  }

  /** Does nothing if the place is not taken. */
  free(userId: string, place: object): void {
    const taken = this.#byUser.get(userId);
    if (taken === undefined) return;
    taken.reading.delete(place);
    taken.trading.delete(place);
    if (taken.reading.size + taken.trading.size === 0) this.#byUser.delete(userId);
    this.#share(userId, taken);
  }

  #share(userId: string, { reading, trading }: Taken): void {
    this.#shared?.reading.set(userId, reading.size);
    this.#shared?.trading.set(userId, trading.size);
  }
}

export class UserPlaces {
  readonly #plans: Pick<CommandRates, "limitsOfUser">;
  /** Connections on which a key of the user has signed a request. */
  readonly #connections: TakenPlaces;
  readonly #subscriptions: TakenPlaces;

  /** @param shared undefined if there are no other nodes */
  constructor(plans: Pick<CommandRates, "limitsOfUser">, shared?: SharedLimits) {
    this.#plans = plans;
    this.#connections = new TakenPlaces("connections", shared);
    this.#subscriptions = new TakenPlaces("subscriptions", shared);
  }

  /**
   * Counts a connection on which a key of the user has signed. @throws ApiError if the user has too
   * many
   */
  enter(holder: Holder, connection: object): void {
    const { userId } = holder;
    if (this.#connections.has(userId, connection)) return;
    const { connectionsMax } = this.#plans.limitsOfUser(userId);
    const reached = this.#connections.take(holder, connection, connectionsMax);
    if (reached !== undefined) throw tooManyConnections(reached);
  }

  /** Must be called when the connection has closed. */
  leave(userId: string, connection: object): void {
    this.#connections.free(userId, connection);
  }

  /**
   * @returns ends the subscription; may be called twice. @throws ApiError if the user has too many
   */
  subscribe(holder: Holder): () => void {
    const { userId } = holder;
    const { userDataStreamsMax } = this.#plans.limitsOfUser(userId);
    const subscription = {};
    const reached = this.#subscriptions.take(holder, subscription, userDataStreamsMax);
    if (reached !== undefined) throw tooManySubscriptions(reached);
    return () => this.#subscriptions.free(userId, subscription);
  }
}
