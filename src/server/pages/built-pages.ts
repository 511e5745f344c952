/**
 * Renders with the build in dist/server, in a separate thread. Network addresses take turns:
 * however many pages one of them requests, others wait for only a few of these.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { AccountsUnavailableError } from "../accounts/requests/database-outages.ts";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import type { OwnRequests } from "../http/own-requests.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import { departureOf } from "../limits/departure.ts";
import { CallerLeftError, FairQueue, QueueFullError } from "../limits/fair-queue.ts";
import type { OpenPages, Pages } from "./pages.ts";
import { RenderThread, renderRequestOf } from "./render-thread.ts";
import { sendRetryPage } from "./retry-page.ts";

/** Relative to the program's own file, regardless of the working directory. */
const BUILD = fileURLToPath(new URL("../../../dist", import.meta.url));
const RENDERINGS = {
  what: "pages",
  underWay: 4,
  underWayPerClient: 2,
  waiting: 200,
  waitingPerClient: 32,
} as const;

/** @throws Error if there is no build, or it cannot be loaded */
export const openBuiltPages: OpenPages = async ({ ownRequests, log }) => {
  const file = join(BUILD, "server/server.js");
  if (!existsSync(file)) {
    throw new Error("The pages are not built: run `npm run build`, or start with `npm start`.");
  }
  const thread = new RenderThread(pathToFileURL(file).href, log);
  await thread.start();
  return pagesInTurns(
    (...given) => thread.render(...given),
    () => thread.close(),
    ownRequests,
  );
};

/** @param render renders one page and settles when it is done */
export function pagesInTurns(
  render: RenderThread["render"],
  close: Pages["close"],
  ownRequests: OwnRequests,
): Pages {
  const queue = new FairQueue(RENDERINGS);
  return {
    filesDirectory: join(BUILD, "client"),
    async render(request, response, context, preference) {
      const address = String(request.headers[CLIENT_ADDRESS_HEADER] ?? "unknown");
      const client = clientKeyOf(undefined, address);
      const asked = renderRequestOf(request, context, ownRequests.headerFor(address));
      try {
        const work = () => render(asked, response, context);
        await queue.run(client, work, departureOf(response), preference);
      } catch (error) {
        if (error instanceof CallerLeftError) return;
        const reason = reasonToRetry(error);
        if (reason === undefined || response.headersSent) throw error;
        sendRetryPage(request, response, { productName: context.productName, reason });
      }
    },
    close,
  };
}

/** The message for the user; undefined for a permanent failure. */
function reasonToRetry(error: unknown): string | undefined {
  if (error instanceof QueueFullError) return "Too many pages are being loaded at this moment.";
  if (error instanceof AccountsUnavailableError) return "Accounts cannot be read at this moment.";
  return undefined;
}
