/** Node's HTTP server with timeouts for slow clients. */
import { createServer } from "node:http";
import type { Server } from "node:http";
import { boundConnections, type ConnectionBounds } from "./client-connections.ts";
import { limitParsing } from "./parsing-limits.ts";

/** Time to receive a request, from the first byte to the last byte of its body, which is small. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** How often Node checks for connections that took too long. */
const CHECK_INTERVAL_MS = 5_000;
/** Time without a byte in either direction, such as for a response that is not read. */
const INACTIVITY_MS = 60_000;
/**
 * Keep-alive timeout; longer than the usual 60 s of proxies, so that the proxy closes an idle
 * connection first.
 */
const KEEP_ALIVE_MS = 65_000;

/** Many times the number that browsers and programs send. Node refuses a request with more. */
const HEADERS_MAX = 200;

const ERROR_STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** A server without handlers that is not listening yet. */
export function createHttpServer(connections: ConnectionBounds): Server {
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Node's own answer would be counted by no limit (body-limit.ts).
    requireHostHeader: false,
    // A client that offers another protocol, such as h2c, gets an HTTP/1.1 response.
    shouldUpgradeCallback: ({ headers }) => /^websocket$/i.test(headers.upgrade ?? ""),
  });
  server.timeout = INACTIVITY_MS;
  server.maxHeadersCount = HEADERS_MAX;
  boundConnections(server, connections);
  limitParsing(server);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const status = ERROR_STATUSES[error.code ?? ""] ?? "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  return server;
}
