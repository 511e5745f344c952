import { ConvexQueryClient } from "@convex-dev/react-query";

/** How long before a token expires the next one is requested. */
const TOKEN_LEEWAY_SECONDS = 2;

/**
 * The client of the reactive backend, for queries through React Query, mutations and actions.
 * @param address absolute: this process while rendering, the page's own origin in the browser
 */
export function createBackend(
  address: string,
  webSocketConstructor?: typeof WebSocket,
): ConvexQueryClient {
  return new ConvexQueryClient(address, {
    ...(webSocketConstructor === undefined ? {} : { webSocketConstructor }),
    // No query is sent before the session is known: else the first ones would run as a visitor's.
    expectAuth: true,
    initialAuthTokenReuse: true,
    authRefreshTokenLeewaySeconds: TOKEN_LEEWAY_SECONDS,
    skipConvexDeploymentUrlCheck: true,
    // We have our own, which also covers unsaved changes: see unsaved-changes.ts.
    unsavedChangesWarning: false,
    logger: false,
    // The consistent mode sends queries twice, and ours always read the newest state.
    dangerouslyUseInconsistentQueriesDuringSSR: true,
  });
}
