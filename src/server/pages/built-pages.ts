/** Renders with the build in dist/server. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { Pages, PagesFetch } from "./pages.ts";

const HANDLER = "dist/server/server.js";

/** @throws Error where there is no build. */
export async function openBuiltPages(): Promise<Pages> {
  const file = resolve(HANDLER);
  if (!existsSync(file)) {
    throw new Error("The pages are not built: run `npm run build`, or start with `npm start`.");
  }
  const { default: built } = (await import(pathToFileURL(file).href)) as {
    default: { fetch: PagesFetch };
  };
  return {
    filesDirectory: "dist/client",
    async render(req, res, context) {
      await sendNodeResponse(res, await built.fetch(new NodeRequest({ req, res }), { context }));
    },
    close: () => Promise.resolve(),
  };
}
