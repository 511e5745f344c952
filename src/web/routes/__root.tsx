/// <reference types="vite/client" />
import type { ConvexQueryClient } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, HeadContent, Outlet, Scripts } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ErrorPage, NotFoundPage } from "../frame/error-pages.tsx";
import type { BackendAuth } from "../session/backend-auth.ts";
import { viewerQuery } from "../session/page-session.ts";
import { SessionProvider } from "../session/session-provider.tsx";
import theme from "../theme.css?url";

export interface RouterContext {
  readonly queryClient: QueryClient;
  readonly backend: ConvexQueryClient;
  /** Undefined while rendering on the server. */
  readonly backendAuth: BackendAuth | undefined;
}

export const Route = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context }) => {
    const viewer = await context.queryClient.ensureQueryData(viewerQuery);
    // Only there while rendering on the server, where queries go by HTTP.
    if (viewer.token !== null) context.backend.serverHttpClient?.setAuth(viewer.token);
    return viewer;
  },
  head: ({ match }) => ({
    meta: [
      { charSet: "utf-8" },
      { name: "viewport", content: "width=device-width, initial-scale=1, viewport-fit=cover" },
      { name: "color-scheme", content: "dark" },
      { name: "theme-color", content: "#0a0b0d" },
      { title: match.context.productName },
    ],
    links: [
      { rel: "stylesheet", href: theme },
      { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
    ],
  }),
  component: Root,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
  shellComponent: Document,
});

function Root() {
  const { backend, backendAuth, userId, token } = Route.useRouteContext();
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
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  );
}
