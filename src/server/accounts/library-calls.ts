/** What our plugins share that take part in the calls of the authentication library. */
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";

/** A call, as the hooks before it are given it. */
export type Call = Parameters<typeof getSessionFromCtx>[0];
/** The same with what the library answered. */
export type AnsweredCall = Call & { readonly context: { readonly returned?: unknown } };

type Handler = Parameters<typeof createAuthMiddleware>[0];

/** A hook of the calls of these paths. */
export function onCalls(paths: Iterable<string>, handler: Handler) {
  const known: ReadonlySet<string> = new Set(paths);
  return {
    matcher: ({ path = "" }: { readonly path?: string | undefined }) => known.has(path),
    handler: createAuthMiddleware(handler),
  };
}

/** The session of the call, which does not extend it; null without one. */
export function sessionOf(call: Call) {
  return getSessionFromCtx(call, { disableRefresh: true });
}

/** @param headers of the answer; those that a hook sets would be lost with it */
export function refusal(
  status: ConstructorParameters<typeof APIError>[0],
  code: string,
  message: string,
  headers: Record<string, string> = {},
): APIError {
  return new APIError(status, { code, message }, headers);
}
