import { ConvexHttpClient } from "convex/browser";
import { AccountError } from "./account-error.ts";
import { fetchBackendToken } from "./backend-token.ts";
import { siteOfPage } from "./site.ts";

/**
 * An HTTP client with a fresh backend token, for calls that need a recent sign-in: the live connection
 * may still belong to the session before it, and requests in flight there are lost when that session
 * ends.
 * @throws AccountError if no token could be fetched
 */
export async function ownRequests(): Promise<ConvexHttpClient> {
  const answer = await fetchBackendToken();
  if (answer.kind !== "token") {
    throw new AccountError("UNAUTHORIZED", "Your session could not be checked. Try again.");
  }
  const url = siteOfPage().backendUrl ?? window.location.origin;
  const { token: auth } = answer;
  return new ConvexHttpClient(url, { skipConvexDeploymentUrlCheck: true, auth, logger: false });
}
