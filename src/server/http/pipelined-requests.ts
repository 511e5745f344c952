/**
 * Handles pipelined requests, which a client sends on one connection before earlier ones are
 * answered, in their order: a cancellation that follows an order must not overtake it
 * (RFC 9112, 9.3.2). A request begins when all before it are answered; of requests that overlap, such as
 * orders, when all before it are submitted: what they do is done in the order of their submission, and
 * Node sends the answers in the order of the requests.
 *
 * HTTP/1.1 permits pipelining and hardly any client uses it, but an attacker could make the server parse
 * tens of thousands of requests that it then refuses one by one. Such a connection is closed.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Unanswered requests per connection. */
const UNANSWERED_MAX = 8;

/** @param onSubmitted must be called when the request has been submitted, if it overlaps */
type Begin = (onSubmitted: () => void) => void;

interface Unanswered {
  readonly begin: Begin;
  readonly response: ServerResponse;
  /** Whether it may begin, and let others of its kind begin, before what is submitted is answered. */
  readonly overlaps: boolean;
  hasBegun: boolean;
  isSubmitted: boolean;
}

export class PipelinedRequests {
  /** The unanswered requests of each connection, in their order. */
  readonly #unanswered = new WeakMap<Socket, Unanswered[]>();

  /**
   * Calls back in the request's turn, unless the connection is closed by then, or an answer said that it
   * will be; what Node has already parsed from it is then dropped: it would be executed and never
   * answered (RFC 9112, 9.6).
   */
  handle(
    { socket }: IncomingMessage,
    response: ServerResponse,
    overlaps: boolean,
    begin: Begin,
  ): void {
    if (socket.destroyed) return;
    const unanswered = this.#unanswered.get(socket) ?? [];
    if (unanswered.length >= UNANSWERED_MAX) {
      socket.destroy();
      return;
    }
    this.#unanswered.set(socket, unanswered);
    const beginsNow = unanswered.length === 0 || (overlaps && unanswered.every(isOvertaken));
    // Another request begins it, and its asynchronous context is its own all the same.
    const bound = beginsNow ? begin : AsyncLocalStorage.bind(begin);
    const request = { begin: bound, response, overlaps, hasBegun: false, isSubmitted: false };
    unanswered.push(request);
    response.on("close", () => {
      unanswered.splice(unanswered.indexOf(request), 1);
      if (!socket.destroyed && !isLast(response)) beginNext(unanswered);
    });
    beginNext(unanswered);
  }
}

/** Begins the requests whose turn has come. */
function beginNext(unanswered: readonly Unanswered[]): void {
  for (const [at, request] of unanswered.entries()) {
    if (!request.hasBegun) {
      if (at > 0 && !request.overlaps) return;
      request.hasBegun = true;
      request.begin(() => {
        request.isSubmitted = true;
        // What began at once would count as the work of the request that is being submitted.
        if (unanswered.length > 1) process.nextTick(beginNext, unanswered);
      });
    }
    if (!isOvertaken(request)) return;
  }
}

/** Whether a request that overlaps may begin behind this one. */
function isOvertaken({ isSubmitted, overlaps, response }: Unanswered): boolean {
  return overlaps && isSubmitted && !isLast(response);
}

/** Whether the connection ends with this answer. */
function isLast(response: ServerResponse): boolean {
  // Node does not withdraw `shouldKeepAlive` when the header is set.
  return !response.shouldKeepAlive || response.getHeader("connection") === "close";
}
