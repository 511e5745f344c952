import { lazyRouteComponent } from "@tanstack/react-router";

/** The page of unknown URLs, whose code only they load; the server renders it. */
export const NotFound = lazyRouteComponent(() => import("./not-found-page.tsx"));
