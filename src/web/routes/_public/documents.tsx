import { createFileRoute } from "@tanstack/react-router";
import { Documents } from "../../features/documents/documents-page.tsx";
import { ASYNC_API, OPEN_API } from "../../features/documents/documents-query.ts";

const LINK = "rounded-sm text-accent underline underline-offset-2";

export const Route = createFileRoute("/_public/documents")({
  validateSearch: (search: Record<string, unknown>): { entry?: string | undefined } => ({
    entry: typeof search["entry"] === "string" ? search["entry"] : undefined,
  }),
  head: () => ({ meta: [{ title: "API documents" }] }),
  component: DocumentsPage,
});

function DocumentsPage() {
  const { userId } = Route.useRouteContext();
  const { entry } = Route.useSearch();
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-8 sm:px-6">
      <h1 className="text-xl font-semibold tracking-tight">API documents</h1>
      <p className="mt-1.5 mb-6 max-w-2xl text-sm text-muted">
        Programs speak Binance’s spot interface with this exchange. Examples were recorded from a
        running one. For tools:{" "}
        <a href={OPEN_API} className={LINK}>
          OpenAPI 3.1
        </a>{" "}
        and{" "}
        <a href={ASYNC_API} className={LINK}>
          AsyncAPI 3
        </a>
        .
      </p>
      <Documents chosen={entry} isSignedIn={userId !== null} />
    </div>
  );
}
