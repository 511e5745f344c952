import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";
import { redirectFromAuth } from "../session/guards.ts";

export const Route = createFileRoute("/_auth")({
  beforeLoad: ({ context }) => {
    const to = redirectFromAuth(context.userId);
    if (to !== null) throw redirect({ to });
  },
  component: Outlet,
});
