/** How requests reach the pages: through the built handler, or through Vite while developing. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageContext } from "#contract/page-context.ts";

export interface Pages {
  /** Where the built files are that are sent as they are; undefined where Vite sends them. */
  readonly filesDirectory?: string;
  render(request: IncomingMessage, response: ServerResponse, context: PageContext): Promise<void>;
  close(): Promise<void>;
}

/** The request handler that the pages' build (or Vite) gives. */
export type PagesFetch = (
  request: Request,
  options: { readonly context: PageContext },
) => Response | Promise<Response>;
