import { createRouter } from "@tanstack/react-router";
import { setupRouterSsrQueryIntegration } from "@tanstack/react-router-ssr-query";
import { getGlobalStartContext } from "@tanstack/react-start";
import { DEFAULT_FORMATS } from "#contract/formats.ts";
import { applyFormats, followFormats } from "./format/formats.ts";
import { applyPreferences } from "./format/preferences.ts";
import { ErrorMessage } from "./frame/error-pages.tsx";
import { NotFound } from "./frame/not-found.ts";
// oxlint-disable-next-line import/no-cycle -- the generated file imports the type of this one
import { routeTree } from "./routeTree.gen.ts";
import { BackendAuth } from "./session/backend-auth.ts";
import { createBackend } from "./session/backend-client.ts";
import { updateFromFirstRead } from "./session/first-read.ts";
import { returnFromLogin } from "./session/guards.ts";
import { PageSockets } from "./session/page-sockets.ts";
import { viewerQuery } from "./session/page-session.ts";
import { dropPrewarmed } from "./session/prewarming.ts";
import { siteOfPage } from "./session/site.ts";
import { createQueryClient } from "./session/query-client.ts";

/** A skeleton is shown only if loading takes longer than this, and then long enough not to flicker. */
const PENDING_SHOWN_AFTER_MS = 150;
const PENDING_SHOWN_FOR_MS = 250;
/** Routes that require a session; users whose session ends there see the reason on the sign-in page. */
const SIGNED_IN_ROUTES: ReadonlySet<string> = new Set(["/_app", "/_open", "/_admin"]);

/** One router per request on the server, one per page in the browser. */
export function getRouter() {
  const page = getGlobalStartContext();
  // Must be absolute: this process while rendering, in the browser the backend's or the page's own
  // origin.
  const backendUrl = page?.internalUrl ?? siteOfPage().backendUrl ?? window.location.origin;
  const sockets = page === undefined ? new PageSockets() : undefined;
  const backend = createBackend(backendUrl, sockets?.constructorForClient);
  const queryClient = createQueryClient(backend, page === undefined);
  // Must exist before the client connects: see BackendAuth.
  const backendAuth =
    page === undefined
      ? new BackendAuth(backend.convexClient, async () => {
          const { matches, location } = router.state;
          const wasInside = matches.some(({ routeId }) => SIGNED_IN_ROUTES.has(routeId));
          queryClient.removeQueries({ queryKey: viewerQuery.queryKey });
          await router.invalidate();
          // Still signed in, by a session that replaced the refused one: begin with that one.
          const viewer = queryClient.getQueryData(viewerQuery.queryKey);
          if (viewer !== undefined && viewer.userId !== null) return window.location.reload();
          if (!wasInside) return;
          const search = { error: "session_ended", ...returnFromLogin(location.href) };
          await router.navigate({ to: "/login", search, replace: true });
        })
      : undefined;
  const connection =
    sockets === undefined
      ? undefined
      : { client: backend.convexClient, giveUpSockets: () => sockets.giveUp() };
  if (page !== undefined) followFormats(() => getGlobalStartContext()?.formats ?? DEFAULT_FORMATS);
  backend.connect(queryClient);
  if (page === undefined) {
    applyFormats();
    applyPreferences();
    updateFromFirstRead(backend, queryClient);
    dropPrewarmed(queryClient);
  }

  const router = createRouter({
    routeTree,
    context: { queryClient, backend, backendAuth, connection },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingMs: PENDING_SHOWN_AFTER_MS,
    defaultPendingMinMs: PENDING_SHOWN_FOR_MS,
    scrollRestoration: true,
    defaultErrorComponent: ErrorMessage,
    defaultNotFoundComponent: NotFound,
    ...(page === undefined ? {} : { ssr: { nonce: page.nonce } }),
  });
  setupRouterSsrQueryIntegration({ router, queryClient });
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof getRouter>;
  }
}
