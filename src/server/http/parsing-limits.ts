/**
 * Limits how many of a connection's received bytes are parsed at once. Node reads up to 64 KB and
 * parses all of it, regardless of the first request's outcome: two thousand pipelined requests after
 * the one for which the connection was closed, or ten thousand chunks of a body that is refused. That
 * takes some ten milliseconds, which no client would be charged for.
 *
 * - Behind a request that ends its connection nothing is parsed: one after which the connection is
 *   destroyed, or one of undeclared length, which is always refused (body-limit.ts).
 * - Every request is passed on: those that Node would answer by itself would be counted by no limit.
 */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** With this answer to a request's headers, the parser leaves all later bytes to another protocol. */
const IS_UPGRADED = 2;

/** The part of Node's parser that is used; it is not public. */
interface Parser {
  onIncoming: ((request: IncomingMessage, keepsAlive: boolean) => number) | null;
}

/** Call once, before the server listens. */
export function limitParsing(server: Server): void {
  // Without a listener Node answers 417, however many such requests a connection sends.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connection", (socket: Socket & { readonly parser?: Parser | null }) => {
    const { parser } = socket;
    const take = parser?.onIncoming;
    // Without this part of the parser everything is parsed, which is Node's default.
    if (parser === undefined || parser === null || typeof take !== "function") return;
    let isLast = false;
    parser.onIncoming = (request, keepsAlive) => {
      // The bytes that follow may be the rest of a body, and are not a request even if they look like one.
      if (isLast) return IS_UPGRADED;
      const answer = take(request, keepsAlive);
      isLast = socket.destroyed || isOfUndeclaredLength(request);
      return isLast ? IS_UPGRADED : answer;
    };
  });
}

export function isOfUndeclaredLength({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined;
}
