/**
 * Counts the connections and user data subscriptions of each user, against the limits of the user's
 * plan.
 */
import type { CommandRates } from "../../functions/command-rates.ts";
import { tooManyConnections, tooManySubscriptions } from "../api-error.ts";

export class UserPlaces {
  readonly #plans: Pick<CommandRates, "limitsOfUser">;
  /** Connections on which a key of the user has signed a request. */
  readonly #connections = new Map<string, Set<object>>();
  readonly #subscriptions = new Map<string, number>();

  constructor(plans: Pick<CommandRates, "limitsOfUser">) {
    this.#plans = plans;
  }

  /**
   * Counts a connection on which a key of the user has signed. @throws ApiError if the user has too
   * many
   */
  enter(userId: string, connection: object): void {
    const known = this.#connections.get(userId);
    if (known?.has(connection) === true) return;
    const { connectionsMax } = this.#plans.limitsOfUser(userId);
    if ((known?.size ?? 0) >= connectionsMax) throw tooManyConnections(connectionsMax);
    if (known === undefined) this.#connections.set(userId, new Set([connection]));
    else known.add(connection);
  }

  /** Must be called when the connection has closed. */
  leave(userId: string, connection: object): void {
    const known = this.#connections.get(userId);
    known?.delete(connection);
    if (known?.size === 0) this.#connections.delete(userId);
  }

  /**
   * @returns ends the subscription; may be called twice. @throws ApiError if the user has too many
   */
  subscribe(userId: string): () => void {
    const { userDataStreamsMax } = this.#plans.limitsOfUser(userId);
    const count = this.#subscriptions.get(userId) ?? 0;
    if (count >= userDataStreamsMax) throw tooManySubscriptions(userDataStreamsMax);
    this.#subscriptions.set(userId, count + 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      const left = (this.#subscriptions.get(userId) ?? 0) - 1;
      if (left > 0) this.#subscriptions.set(userId, left);
      else this.#subscriptions.delete(userId);
    };
  }
}
