import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/portfolio")({
  head: () => ({ meta: [{ title: "Portfolio" }] }),
  component: () => <main />,
});
