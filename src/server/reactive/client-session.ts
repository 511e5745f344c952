/** The client's data from its Connect message. */
import { type ClientMessage, type ConnectMessage, ProtocolError } from "./messages.ts";
import { decodeTimestamp } from "./timestamps.ts";

export class ClientSession {
  #id: string | undefined;
  /**
   * The client's clock minus the server's in milliseconds, at most 0; undefined if the client sent
   * no time.
   */
  clockSkewMs: number | undefined;

  /**
   * Processes the Connect message.
   * @returns the newest timestamp that the client has seen, 0 if none
   * @throws ProtocolError
   */
  begin(message: ConnectMessage, nowMs: number): bigint {
    if (this.#id !== undefined) throw new ProtocolError("Connect came twice.");
    this.#id = message.sessionId;
    if (typeof message.clientTs === "number") {
      // A client that seems ahead counts as exact: its estimate includes the page's loading time. A
      // token renewed a little early does no harm; one renewed late does.
      this.clockSkewMs = Math.min(0, Math.round(message.clientTs - nowMs));
    }
    const { maxObservedTimestamp } = message;
    if (maxObservedTimestamp === undefined || maxObservedTimestamp === null) return 0n;
    const observed = decodeTimestamp(maxObservedTimestamp);
    if (observed !== undefined) return observed;
    throw new ProtocolError("The Connect message is wrong: field maxObservedTimestamp.");
  }

  /**
   * The random session id that the client chose for its page.
   * @throws ProtocolError before Connect
   */
  requireId(type: ClientMessage["type"]): string {
    if (this.#id !== undefined) return this.#id;
    throw new ProtocolError(`${type} came before Connect.`);
  }
}
