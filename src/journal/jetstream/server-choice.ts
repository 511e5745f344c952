/**
 * Moves to the next server when the connected one responds, but JetStream requests through it go unanswered:
 * it may be cut off from the leaders. The client alone would stay with it.
 */
import type { NatsConnection } from "@nats-io/transport-node";

/** Longer than most elections, during which no server has an answer. */
const SILENT_MS_MAX = 6_000;

export class ServerChoice {
  readonly #connection: Pick<NatsConnection, "reconnect" | "isClosed">;
  readonly #now: () => number;
  /** Since when nothing was answered; undefined after an answer. */
  #silentSinceMs: number | undefined;

  /** @param now a steady clock, in milliseconds */
  constructor(
    connection: Pick<NatsConnection, "reconnect" | "isClosed">,
    now: () => number = () => performance.now(),
  ) {
    this.#connection = connection;
    this.#now = now;
  }

  onAnswer(): void {
    this.#silentSinceMs = undefined;
  }

  /** Call when a JetStream request went unanswered; after some seconds of this, moves to the next server. */
  onSilence(): void {
    const nowMs = this.#now();
    this.#silentSinceMs ??= nowMs;
    if (nowMs - this.#silentSinceMs < SILENT_MS_MAX || this.#connection.isClosed()) return;
    // The next server has as long to answer.
    this.#silentSinceMs = nowMs;
    this.#connection.reconnect().catch(() => undefined);
  }
}
