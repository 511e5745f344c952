/**
 * Calls that create and restrict API keys. They require a recent sign-in and, with two-factor sign-in, a
 * code.
 */
import type { FunctionArgs } from "convex/server";
import type { ApiKey, CreatedApiKey } from "#contract/api-keys.ts";
import { functions } from "#contract/functions.ts";
import { ownRequests } from "../../../session/own-requests.ts";

export type CreateArgs = FunctionArgs<typeof functions.apiKeys.create>;
export type RestrictArgs = FunctionArgs<typeof functions.apiKeys.restrict>;

export async function createKey(args: CreateArgs): Promise<CreatedApiKey> {
  return (await ownRequests()).action(functions.apiKeys.create, args);
}

export async function restrictKey(args: RestrictArgs): Promise<ApiKey> {
  return (await ownRequests()).action(functions.apiKeys.restrict, args);
}
