import { createFileRoute, notFound } from "@tanstack/react-router";
import { AppFrame } from "../frame/app-frame.tsx";
import { ErrorPage } from "../frame/error-pages.tsx";
import { loadFrame } from "../frame/load-frame.ts";
import { isAdmin } from "../session/guards.ts";

/** Pages for administrators; for others they do not exist. */
export const Route = createFileRoute("/_admin")({
  beforeLoad: async ({ context }) => {
    const user = context.userId === null ? null : await loadFrame(context.queryClient);
    if (!isAdmin(user)) throw notFound();
  },
  errorComponent: ErrorPage,
  component: Admin,
});

function Admin() {
  return <AppFrame isFor={isAdmin} />;
}
