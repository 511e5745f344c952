import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/activity")({
  head: () => ({ meta: [{ title: "Activity" }] }),
  component: () => <main />,
});
