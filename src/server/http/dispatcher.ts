/** Which handler answers which request. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Log } from "../log.ts";

/** True where the handler answered (or will), false where the request is not its own. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | Promise<boolean>;

export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  page: { readonly nonce: string },
) => void | Promise<void>;

export interface DispatcherOptions {
  readonly log: Log;
  /** `/api/auth/*` */
  readonly accounts: Handler;
  /** `GET /api/health` */
  readonly health: Handler;
  /** The reactive protocol's HTTP calls. */
  readonly reactive: Handler;
  /** The reactive protocol's WebSocket. */
  readonly reactiveUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Built files; false for a path that is none. */
  readonly files: Handler;
  /** Everything else: server rendering. */
  readonly page: PageHandler;
  /** `https:` here sends Strict-Transport-Security and allows the matching `wss:` address. */
  readonly publicUrl?: string;
  /** How many proxies of ours stand in front and append to X-Forwarded-For; 0 trusts none. */
  readonly trustedProxies?: number;
  /** Development: scripts from anywhere on this origin and other upgrades (hot reload) are left alone. */
  readonly development?: boolean;
}

export interface Dispatcher {
  handleRequest(request: IncomingMessage, response: ServerResponse): void;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export function createDispatcher(_options: DispatcherOptions): Dispatcher {
  throw new Error("not built yet");
}
