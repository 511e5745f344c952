import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/trade")({
  head: () => ({ meta: [{ title: "Trade" }] }),
  component: () => <main />,
});
