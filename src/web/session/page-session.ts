import { queryOptions } from "@tanstack/react-query";
import { createServerFn } from "@tanstack/react-start";
import type { Impersonation } from "#contract/page-context.ts";

const SESSION_FRESH_MS = 60_000;

/** Who looks at the page. `token` is the short-lived backend token, never the session's. */
export interface Viewer {
  readonly userId: string | null;
  readonly token: string | null;
  readonly impersonation: Impersonation | null;
  readonly productName: string;
  readonly development: boolean;
}

const fetchViewer = createServerFn({ method: "GET" }).handler(
  async ({ context }): Promise<Viewer> => {
    const session = await context.session();
    return {
      userId: session?.userId ?? null,
      token: session?.token ?? null,
      impersonation: session?.impersonation ?? null,
      productName: context.productName,
      development: context.development,
    };
  },
);

/** Asked once and kept, because the root's beforeLoad runs on every navigation and preload. */
export const viewerQuery = queryOptions({
  queryKey: ["viewer"],
  queryFn: () => fetchViewer(),
  staleTime: SESSION_FRESH_MS,
});
