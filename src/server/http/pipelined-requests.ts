/**
 * Requests that a client sends on one connection before it has the answers to those before. HTTP/1.1
 * permits it and hardly any client does it, while a stranger could make the server parse tens of
 * thousands of requests that it would then refuse one by one: such a connection is ended.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Of one connection. */
const UNANSWERED_MAX = 8;

export class PipelinedRequests {
  readonly #unanswered = new WeakMap<Socket, number>();

  /** False if the connection has been ended: what Node has parsed of it already is dropped unread. */
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
