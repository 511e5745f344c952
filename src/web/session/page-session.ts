import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { createServerFn } from "@tanstack/react-start";
import type { Impersonation, SiteSettings } from "#contract/page-context.ts";

const SESSION_FRESH_MS = 60_000;

/** Who looks at the page. `token` is the short-lived backend token, never the session's. */
export interface Viewer {
  readonly userId: string | null;
  readonly token: string | null;
  readonly impersonation: Impersonation | null;
  readonly productName: string;
  /** Origin under which people reach the exchange. */
  readonly publicUrl: string;
  readonly development: boolean;
  readonly site: SiteSettings;
}

const fetchViewer = createServerFn({ method: "GET" }).handler(
  async ({ context }): Promise<Viewer> => {
    const session = await context.session();
    return {
      userId: session?.userId ?? null,
      token: session?.token ?? null,
      impersonation: session?.impersonation ?? null,
      productName: context.productName,
      publicUrl: context.publicUrl,
      development: context.development,
      site: context.site,
    };
  },
);

/**
 * Asked once and kept for as long as the page lives, because the root's beforeLoad runs on every
 * navigation and preload, and a page that cannot reach its server still knows whose it is.
 */
export const viewerQuery = queryOptions({
  queryKey: ["viewer"],
  queryFn: () => fetchViewer(),
  staleTime: SESSION_FRESH_MS,
  gcTime: Infinity,
});

/**
 * Who looks at the page. A visit to another page extends the session as a whole new page does, which
 * happens beside the navigation and, without a connection, not at all.
 */
export async function visit(queryClient: QueryClient): Promise<Viewer> {
  const isKnown = queryClient.getQueryData(viewerQuery.queryKey) !== undefined;
  const viewer = await queryClient.ensureQueryData(viewerQuery);
  // Does nothing while the last answer is fresh, and never throws.
  if (isKnown) void queryClient.prefetchQuery(viewerQuery);
  return viewer;
}
