import { ConvexQueryClient } from "@convex-dev/react-query";

/** How long before expiry a new token is requested. */
const TOKEN_LEEWAY_SECONDS = 2;

/**
 * Creates the client of the reactive backend, for queries through React Query, mutations and
 * actions.
 * @param url absolute: this process while rendering, the page's own origin in the browser
 */
export function createBackend(
  url: string,
  webSocketConstructor?: typeof WebSocket,
): ConvexQueryClient {
  return new ConvexQueryClient(url, {
    ...(webSocketConstructor === undefined ? {} : { webSocketConstructor }),
    // Send no query before the session is known: the first queries would run as a visitor's.
    expectAuth: true,
    initialAuthTokenReuse: true,
    authRefreshTokenLeewaySeconds: TOKEN_LEEWAY_SECONDS,
    skipConvexDeploymentUrlCheck: true,
    // Replaced by unsaved-changes.ts, which also covers unsaved form entries.
    unsavedChangesWarning: false,
    logger: false,
    // The consistent mode sends each query twice, and the server always reads the newest state.
    dangerouslyUseInconsistentQueriesDuringSSR: true,
  });
}
