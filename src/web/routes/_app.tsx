import { convexQuery } from "@convex-dev/react-query";
import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { redirectFromApp } from "../session/guards.ts";

export const Route = createFileRoute("/_app")({
  beforeLoad: async ({ context }) => {
    const to = redirectFromApp(context.userId);
    if (to !== null) throw redirect({ to });
    await context.queryClient.ensureQueryData(convexQuery(functions.users.current, {}));
  },
  component: Outlet,
});
