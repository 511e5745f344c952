import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/_public/")({ component: Landing });

function Landing() {
  return <main />;
}
