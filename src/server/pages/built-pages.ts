/**
 * Renders with the build in dist/server, in a thread of its own. Addresses take turns: however many
 * pages one of them asks for, others wait for a few of these at most.
 */
import { existsSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import { departureOf } from "../limits/departure.ts";
import { CallerLeftError, FairQueue, QueueFullError } from "../limits/fair-queue.ts";
import type { Pages } from "./pages.ts";
import { RenderThread, renderRequestOf } from "./render-thread.ts";

const HANDLER = "dist/server/server.js";
const RENDERINGS = {
  what: "pages",
  underWay: 4,
  underWayPerClient: 2,
  waiting: 200,
  waitingPerClient: 32,
} as const;
/** A line as long as one address may have is done within about this time. */
const RETRY_AFTER_SECONDS = 3;

/** @throws Error where there is no build, or one that cannot be loaded */
export async function openBuiltPages(): Promise<Pages> {
  const file = resolve(HANDLER);
  if (!existsSync(file)) {
    throw new Error("The pages are not built: run `npm run build`, or start with `npm start`.");
  }
  const thread = new RenderThread(pathToFileURL(file).href);
  await thread.start();
  return pagesInTurns(
    (...given) => thread.render(...given),
    () => thread.close(),
  );
}

/** @param render renders one page and settles when it is done */
export function pagesInTurns(render: RenderThread["render"], close: Pages["close"]): Pages {
  const queue = new FairQueue(RENDERINGS);
  return {
    filesDirectory: "dist/client",
    async render(request, response, context) {
      const address = String(request.headers[CLIENT_ADDRESS_HEADER] ?? "unknown");
      const client = clientKeyOf(undefined, address);
      // Before its turn: a client that sends slowly must not keep a place meanwhile.
      const asked = await renderRequestOf(request, context);
      try {
        const work = () => render(asked, response, context);
        await queue.run(client, work, departureOf(response));
      } catch (error) {
        if (error instanceof QueueFullError) sendBusyPage(response, context.productName);
        else if (!(error instanceof CallerLeftError)) throw error;
      }
    },
    close,
  };
}

function sendBusyPage(response: ServerResponse, productName: string): void {
  const name = productName.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const sentence = "Too many pages are being loaded at this moment. Try again in a few seconds.";
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><p>${sentence}</p></html>\n`;
  response.writeHead(503, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(page),
    "retry-after": String(RETRY_AFTER_SECONDS),
  });
  response.end(response.req.method === "HEAD" ? undefined : page);
}
