/** Calls that need a recent sign-in, and a code of users with a second factor. */
import { ConvexHttpClient } from "convex/browser";
import type { FunctionArgs } from "convex/server";
import type { ApiKey, CreatedApiKey } from "#contract/api-keys.ts";
import { functions } from "#contract/functions.ts";
import { AccountError } from "../../../session/account-error.ts";
import { fetchBackendToken } from "../../../session/backend-token.ts";
import { siteOfPage } from "../../../session/site.ts";

export type CreateArgs = FunctionArgs<typeof functions.apiKeys.create>;
export type RestrictArgs = FunctionArgs<typeof functions.apiKeys.restrict>;

/**
 * Over requests of their own: the live connection may still be that of the session before the
 * sign-in, and what is under way on it is lost when that session ends.
 */
async function requests(): Promise<ConvexHttpClient> {
  const answer = await fetchBackendToken();
  if (answer.kind !== "token") {
    throw new AccountError("UNAUTHORIZED", "Your session could not be checked. Try again.");
  }
  const address = siteOfPage().backendUrl ?? window.location.origin;
  const { token: auth } = answer;
  return new ConvexHttpClient(address, { skipConvexDeploymentUrlCheck: true, auth, logger: false });
}

export async function createKey(args: CreateArgs): Promise<CreatedApiKey> {
  return (await requests()).action(functions.apiKeys.create, args);
}

export async function restrictKey(args: RestrictArgs): Promise<ApiKey> {
  return (await requests()).action(functions.apiKeys.restrict, args);
}
