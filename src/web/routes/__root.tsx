/// <reference types="vite/client" />
import type { ConvexQueryClient } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  HeadContent,
  Outlet,
  ScriptOnce,
  Scripts,
  useRouter,
} from "@tanstack/react-router";
import mono from "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url";
import sans from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import { type ReactNode, useEffect } from "react";
import { ErrorPage } from "../frame/error-pages.tsx";
import { NotFound } from "../frame/not-found.ts";
import type { BackendAuth } from "../session/backend-auth.ts";
import { RECORD_CLICKS, useClicksBeforeHydration } from "../session/clicks-before-hydration.ts";
import type { PageConnection } from "../session/connection-watch.ts";
import { loadPagesWithRetries } from "../session/retrying-pages.ts";
import { loadViewer, viewerQuery } from "../session/page-session.ts";
import { SITE_META } from "../session/site.ts";
import { SessionProvider } from "../session/session-provider.tsx";
import theme from "../theme.css?url";

export interface RouterContext {
  readonly queryClient: QueryClient;
  readonly backend: ConvexQueryClient;
  /** Undefined on the server. */
  readonly backendAuth: BackendAuth | undefined;
  /** Undefined on the server. */
  readonly connection: PageConnection | undefined;
}

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context, preload }) => {
    // Preloading a link on hover is not a visit.
    const viewer = preload
      ? await context.queryClient.ensureQueryData(viewerQuery)
      : await loadViewer(context.queryClient);
    // Set only on the server, where queries use HTTP.
    if (viewer.token !== null) context.backend.serverHttpClient?.setAuth(viewer.token);
    return viewer;
  },
  head: ({ match }) => ({
    meta: [
      { charSet: "utf-8" },
      { name: "viewport", content: "width=device-width, initial-scale=1, viewport-fit=cover" },
      { name: "color-scheme", content: "dark" },
      { name: "theme-color", content: "#0a0b0d" },
      { name: SITE_META, content: JSON.stringify(match.context.site) },
      { title: match.context.productName },
    ],
    links: [
      { rel: "stylesheet", href: theme },
      // Else they begin to load only once the page is laid out without them.
      ...[sans, mono].map((href) => ({
        rel: "preload",
        as: "font",
        type: "font/woff2",
        crossOrigin: "anonymous" as const,
        href,
      })),
      { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
      { rel: "apple-touch-icon", href: "/icons/apple-touch-icon.png" },
      { rel: "manifest", href: "/site.webmanifest" },
    ],
  }),
  component: Root,
  errorComponent: ErrorPage,
  notFoundComponent: NotFound,
  shellComponent: Document,
});

function Root() {
  const { backend, backendAuth, connection, userId, token } = Route.useRouteContext();
  const router = useRouter();
  useEffect(() => loadPagesWithRetries(router, connection), [router, connection]);
  useClicksBeforeHydration();
  return (
    <SessionProvider client={backend.convexClient} auth={backendAuth} userId={userId} token={token}>
      <Outlet />
    </SessionProvider>
  );
}

function Document({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <HeadContent />
        <ScriptOnce>{RECORD_CLICKS}</ScriptOnce>
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  );
}
