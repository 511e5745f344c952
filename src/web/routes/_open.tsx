import { createFileRoute } from "@tanstack/react-router";
import { AppFrame } from "../frame/app-frame.tsx";
import { ErrorPage } from "../frame/error-pages.tsx";
import { loadFrame } from "../frame/load-frame.ts";
import { VisitorFrame } from "../frame/visitor-frame.tsx";

/** Pages that are open to visitors. */
export const Route = createFileRoute("/_open")({
  loader: async ({ context }) => {
    await loadFrame(context.queryClient);
  },
  errorComponent: ErrorPage,
  component: Open,
});

function Open() {
  const { userId } = Route.useRouteContext();
  return userId === null ? <VisitorFrame /> : <AppFrame />;
}
