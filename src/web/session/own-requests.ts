import { ConvexHttpClient } from "convex/browser";
import { AccountError } from "./account-error.ts";
import { fetchBackendToken } from "./backend-token.ts";
import { siteOfPage } from "./site.ts";

/**
 * For calls that need a recent sign-in, over requests of their own: the live connection may still be
 * that of the session before the sign-in, and what is under way on it is lost when that session ends.
 */
export async function ownRequests(): Promise<ConvexHttpClient> {
  const answer = await fetchBackendToken();
  if (answer.kind !== "token") {
    throw new AccountError("UNAUTHORIZED", "Your session could not be checked. Try again.");
  }
  const address = siteOfPage().backendUrl ?? window.location.origin;
  const { token: auth } = answer;
  return new ConvexHttpClient(address, { skipConvexDeploymentUrlCheck: true, auth, logger: false });
}
