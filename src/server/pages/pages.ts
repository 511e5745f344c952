/** How requests reach the pages: through the built handler, or through Vite during development. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { PageContext } from "#contract/page-context.ts";
import type { OwnRequests } from "../http/own-requests.ts";
import type { Log } from "../log.ts";

export interface Pages {
  /** The directory of built files that are served as they are; undefined if Vite serves them. */
  readonly filesDirectory?: string;
  render(request: IncomingMessage, response: ServerResponse, context: PageContext): Promise<void>;
  close(): Promise<void>;
}

export type OpenPages = (given: {
  /** Carries a development server's own WebSocket. */
  readonly server: Server;
  readonly ownRequests: OwnRequests;
  readonly log: Log;
}) => Promise<Pages>;

/** The request handler exported by the pages' build (or Vite). */
export type PagesFetch = (
  request: Request,
  options: { readonly context: PageContext },
) => Response | Promise<Response>;
