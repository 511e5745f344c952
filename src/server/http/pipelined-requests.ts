/**
 * Handles pipelined requests, which a client sends on one connection before earlier ones are
 * answered, one after another: a cancellation that follows an order must not overtake it
 * (RFC 9112, 9.3.2). HTTP/1.1 permits pipelining and few clients use it, but an attacker
 * could make the server parse tens of thousands of requests that it then refuses one by one. Such a
 * connection is closed.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Unanswered requests per connection. */
const UNANSWERED_MAX = 8;

export class PipelinedRequests {
  /** The callbacks that begin the unanswered requests of a connection, the one under way first. */
  readonly #unanswered = new WeakMap<Socket, (() => void)[]>();

  /**
   * Calls back when all earlier requests of the connection are answered, unless the connection is closed
   * by then, or the last answer said that it will be; requests that Node has already parsed from it are
   * then dropped: they would be executed and never answered (RFC 9112, 9.6).
   */
  handle({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    if (socket.destroyed) return;
    const unanswered = this.#unanswered.get(socket) ?? [];
    if (unanswered.length >= UNANSWERED_MAX) {
      socket.destroy();
      return;
    }
    this.#unanswered.set(socket, unanswered);
    // The end of another request begins it, but it keeps its own asynchronous context.
    unanswered.push(unanswered.length === 0 ? begin : AsyncLocalStorage.bind(begin));
    response.on("close", () => {
      unanswered.shift();
      if (!socket.destroyed && !isLast(response)) unanswered[0]?.();
    });
    if (unanswered.length === 1) begin();
  }
}

/** Whether the connection ends with this answer. */
function isLast(response: ServerResponse): boolean {
  // Node does not withdraw `shouldKeepAlive` when the header is set.
  return !response.shouldKeepAlive || response.getHeader("connection") === "close";
}
