import { useRouteContext } from "@tanstack/react-router";
import type { ConvexReactClient } from "convex/react";

/** The reactive client, for mutations and actions; queries go through React Query. */
export function useBackend(): ConvexReactClient {
  return useRouteContext({ from: "__root__" }).backend.convexClient;
}
