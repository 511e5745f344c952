/** The reactive protocol server; see docs of `createReactiveServer`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Log } from "../log.ts";
import type { Executor, Urgency } from "./executor.ts";

export interface ReactiveServerOptions {
  readonly executor: Executor;
  readonly log: Log;
  /** Wall clock in milliseconds. */
  readonly clock?: () => number;
  /** The address that browsers see, where it differs from the Host header they send. */
  readonly publicUrl?: string;
  /** Who is on the other end, where a trusted proxy stands between; the socket's peer unless told. */
  readonly clientAddress?: (request: IncomingMessage) => string;
}

export interface ReactiveServer {
  /** Answers POST /api/query, mutation, action, query_ts, query_at_ts; false for anything else. */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean | Promise<boolean>;
  /** Takes over GET /api/<version>/sync; false for anything else, with the socket untouched. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Tells that what these topics stand for has changed. Call it before the mutation resolves. */
  invalidate(topics: ReadonlyMap<string, Urgency>): void;
  /** Ends the connections of a sign-in session that is over. */
  dropSession(sessionId: string): void;
  /** Closes every connection with 1001 (going away); clients reconnect. */
  close(): Promise<void>;
}

export function createReactiveServer(_options: ReactiveServerOptions): ReactiveServer {
  throw new Error("not built yet");
}
