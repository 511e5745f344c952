/**
 * Limits pipelining: requests that a client sends on one connection before earlier ones are
 * answered. HTTP/1.1 permits it and hardly any client uses it, but an attacker could make the
 * server parse tens of thousands of requests that it then refuses one by one. Such a connection is
 * closed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Unanswered requests per connection. */
const UNANSWERED_MAX = 8;

export class PipelinedRequests {
  readonly #unanswered = new WeakMap<Socket, number>();

  /** False if the connection is closed; what Node has already parsed from it is then dropped. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    if (socket.destroyed) return false;
    const unanswered = this.#unanswered.get(socket) ?? 0;
    if (unanswered >= UNANSWERED_MAX) {
      socket.destroy();
      return false;
    }
    this.#unanswered.set(socket, unanswered + 1);
    response.once("close", () => {
      this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1);
    });
    return true;
  }
}
