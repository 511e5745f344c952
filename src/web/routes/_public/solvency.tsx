import { createFileRoute } from "@tanstack/react-router";
import { SolvencyPage } from "../../features/solvency/solvency-page.tsx";
import { solvencyQuery } from "../../features/solvency/solvency-query.ts";

export const Route = createFileRoute("/_public/solvency")({
  head: () => ({ meta: [{ title: "Solvency" }] }),
  loader: async ({ context: { backend, queryClient } }) => {
    const report = queryClient.prefetchQuery(solvencyQuery(backend));
    // Awaited on the server only: the browser shows the page's skeleton while loading.
    if (backend.serverHttpClient !== undefined) await report;
  },
  component: Solvency,
});

function Solvency() {
  const { backend, userId } = Route.useRouteContext();
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-8 sm:px-6">
      <h1 className="text-xl font-semibold tracking-tight">Solvency</h1>
      <p className="mt-1.5 mb-6 max-w-2xl text-sm text-muted">
        Every coin’s accounts sum to zero after every command, or the exchange stops. This page
        shows the sums and proves what the exchange owes to its users. It proves liabilities, not
        reserves: not that the exchange holds as much outside. For programs:{" "}
        <a href="/api/solvency" className="rounded-sm text-accent underline underline-offset-2">
          JSON
        </a>
        .
      </p>
      <SolvencyPage backend={backend} isSignedIn={userId !== null} />
    </div>
  );
}
