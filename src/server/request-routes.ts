/** The routes of requests, for traces: a path of a small set, or the part of it that is always the same. */
import { httpCallOf } from "./reactive/http-calls.ts";
import { endpointPaths } from "./trading-api/endpoints/endpoints.ts";

/** Machines ask for these all the time, and nothing is learnt from their traces. */
const UNTRACED = ["/api/health", "/metrics", "/assets/"];

/**
 * @param accountsPath path of the auth API, such as "/api/auth"
 * @returns the route of a path, undefined for requests that are not traced
 */
export function createRouteOf(accountsPath: string): (path: string) => string | undefined {
  const prefixes = [
    `${accountsPath}/sign-in/`,
    `${accountsPath}/`,
    "/api/exports/",
    "/api/v3/",
    "/sapi/",
    "/api/",
    "/",
  ];
  return (path) => {
    if (UNTRACED.some((prefix) => path.startsWith(prefix))) return undefined;
    if (endpointPaths.has(path) || httpCallOf(path) !== undefined) return path;
    return `${prefixes.find((prefix) => path.startsWith(prefix)) ?? "/"}*`;
  };
}
