import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { createServerFn } from "@tanstack/react-start";
import type { Impersonation, SiteSettings } from "#contract/page-context.ts";

const SESSION_FRESH_MS = 60_000;

/** The page's viewer. `token` is the short-lived backend token, never the session's. */
export interface Viewer {
  readonly userId: string | null;
  readonly token: string | null;
  readonly impersonation: Impersonation | null;
  readonly productName: string;
  /** The origin of the exchange as users reach it. */
  readonly publicUrl: string;
  readonly development: boolean;
  readonly site: SiteSettings;
}

const fetchViewer = createServerFn({ method: "GET" }).handler(
  async ({ context }): Promise<Response> => {
    const session = await context.session();
    const viewer: Viewer = {
      userId: session?.userId ?? null,
      token: session?.token ?? null,
      impersonation: session?.impersonation ?? null,
      productName: context.productName,
      publicUrl: context.publicUrl,
      development: context.development,
      site: context.site,
    };
    // Plain JSON, so that pages need no deserializer: see scripts/lean-libraries.ts.
    return Response.json(viewer);
  },
);

/**
 * Kept for the page's lifetime: the root's beforeLoad runs on every navigation and preload, and a
 * page that cannot reach its server still knows its viewer.
 */
export const viewerQuery = queryOptions({
  queryKey: ["viewer"],
  queryFn: async () => (await (await fetchViewer()).json()) as Viewer,
  staleTime: SESSION_FRESH_MS,
  gcTime: Infinity,
});

/**
 * The page's viewer. Navigation extends the session in the background, as a full page load would,
 * but only while connected.
 */
export async function loadViewer(queryClient: QueryClient): Promise<Viewer> {
  const isKnown = queryClient.getQueryData(viewerQuery.queryKey) !== undefined;
  const viewer = await queryClient.ensureQueryData(viewerQuery);
  // Does nothing while the last response is fresh, and never throws.
  if (isKnown) void queryClient.prefetchQuery(viewerQuery);
  return viewer;
}
