/** Shared by our plugins to hook into calls of the authentication library. */
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";

/** A call as passed to hooks that run before it. */
export type Call = Parameters<typeof getSessionFromCtx>[0];
/** A call with the library's answer. */
export type AnsweredCall = Call & { readonly context: { readonly returned?: unknown } };

type Handler = Parameters<typeof createAuthMiddleware>[0];

/** A hook for the calls of these paths. */
export function onCalls(paths: Iterable<string>, handler: Handler) {
  const known: ReadonlySet<string> = new Set(paths);
  return {
    matcher: ({ path = "" }: { readonly path?: string | undefined }) => known.has(path),
    handler: createAuthMiddleware(handler),
  };
}

/** The session of the call, without extending it; null if none. */
export function sessionOf(call: Call) {
  return getSessionFromCtx(call, { disableRefresh: true });
}

/** @param headers headers of the response, which would drop any that a hook sets */
export function refusal(
  status: ConstructorParameters<typeof APIError>[0],
  code: string,
  message: string,
  headers: Record<string, string> = {},
): APIError {
  return new APIError(status, { code, message }, headers);
}
