/** Renders pages through the built handler, or through Vite in development. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { PageContext } from "#contract/page-context.ts";
import type { OwnRequests } from "../http/own-requests.ts";
import type { Preference } from "../limits/fair-queue.ts";
import type { Log } from "../log.ts";

export interface Pages {
  /** The directory of static files; undefined if Vite serves them. */
  readonly filesDirectory?: string;
  /** @param preference "preferred" if users have signed in from the request's address recently */
  render(
    request: IncomingMessage,
    response: ServerResponse,
    context: PageContext,
    preference: Preference,
  ): Promise<void>;
  close(): Promise<void>;
}

export type OpenPages = (given: {
  /** The server for Vite's own WebSocket. */
  readonly server: Server;
  readonly ownRequests: OwnRequests;
  readonly log: Log;
}) => Promise<Pages>;

/** The request handler that the pages' build (or Vite) exports. */
export type PagesFetch = (
  request: Request,
  options: { readonly context: PageContext },
) => Response | Promise<Response>;
