/** A connection's Transitions: each starts at the version at which the previous one ended. */
import type { ConnectionHost } from "./connection-host.ts";
import { encodeTransition, type StateVersion } from "./messages.ts";
import { ZERO_TIMESTAMP } from "./timestamps.ts";

/** The parts of the version that a Transition raises besides its time. */
export type StateChange = Partial<Pick<StateVersion, "querySet" | "identity">>;

export class Transitions {
  readonly #host: Pick<ConnectionHost, "serverTime" | "timestamps">;
  readonly #withLengths: boolean;
  #version: StateVersion = { querySet: 0, identity: 0, ts: ZERO_TIMESTAMP };

  /** @param withLengths for a client that takes increments */
  constructor(host: Pick<ConnectionHost, "serverTime" | "timestamps">, withLengths: boolean) {
    this.#host = host;
    this.#withLengths = withLengths;
  }

  /** The state version at the end of the last Transition. */
  get version(): StateVersion {
    return this.#version;
  }

  /**
   * Encodes the Transition to the present time. It must be sent: the next one starts at its end.
   * @param clientClockSkewMs see `ClientSession.clockSkewMs`
   */
  encode(
    change: StateChange,
    modifications: readonly string[],
    clientClockSkewMs: number | undefined,
  ): string {
    const start = this.#version;
    this.#version = { ...start, ...change, ts: this.#host.timestamps.encoded };
    return encodeTransition(start, this.#version, modifications, {
      clientClockSkewMs,
      serverNowMs: this.#host.serverTime(),
      withLengths: this.#withLengths,
    });
  }
}
