/** Renders pages with Vite in middleware mode, which updates pages and styles while they are edited. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { type RunnableDevEnvironment, createServer } from "vite";
import type { OpenPages, PagesFetch } from "./pages.ts";

export const openVitePages: OpenPages = async ({ server }) => {
  const vite = await createServer({
    appType: "custom",
    server: { middlewareMode: true, hmr: { server } },
  });
  const throughVite = (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    new Promise((done, failed) => {
      vite.middlewares(request, response, (error?: unknown) =>
        error === undefined || error === null ? done() : failed(error),
      );
    });
  return {
    async render(req, res, context) {
      await throughVite(req, res);
      // Vite strips its base from the URL; the router needs the requested URL.
      req.url = (req as IncomingMessage & { originalUrl?: string }).originalUrl ?? req.url;
      const { runner } = vite.environments.ssr as RunnableDevEnvironment;
      const entry = (await runner.import("virtual:tanstack-start-server-entry")) as {
        default: { fetch: PagesFetch };
      };
      const response = await entry.default.fetch(new NodeRequest({ req, res }), { context });
      await sendNodeResponse(res, response);
    },
    close: () => vite.close(),
  };
};
