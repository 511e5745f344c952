import { ConvexQueryClient } from "@convex-dev/react-query";

/** Before a token expires its successor is asked for. */
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
    // Nothing is asked before the session is known: else the first queries run as a visitor's.
    expectAuth: true,
    initialAuthTokenReuse: true,
    authRefreshTokenLeewaySeconds: TOKEN_LEEWAY_SECONDS,
    skipConvexDeploymentUrlCheck: true,
    // Of our own, for changes that were not saved as well: see unsaved-changes.ts.
    unsavedChangesWarning: false,
    logger: false,
    // The consistent mode asks twice per query, and all our queries read the newest state anyway.
    dangerouslyUseInconsistentQueriesDuringSSR: true,
  });
}
