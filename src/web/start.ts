import { createCsrfMiddleware, createMiddleware, createStart } from "@tanstack/react-start";
import { isNotFound, isRedirect } from "@tanstack/react-router";
import type { PageContext } from "#contract/page-context.ts";
import { serverFunctionFetch } from "./session/server-function-fetch.ts";

declare module "@tanstack/react-start" {
  interface Register {
    server: { requestContext: PageContext };
  }
}

const csrf = createCsrfMiddleware({ filter: (context) => context.handlerType === "serverFn" });

/** Replaces errors of server functions by a public message; their own text would reach the browser. */
const publicErrors = createMiddleware({ type: "function" }).server(async ({ next }) => {
  try {
    return await next();
  } catch (error) {
    if (isRedirect(error) || isNotFound(error) || error instanceof Response) throw error;
    // oxlint-disable-next-line no-console -- the output of pages goes to the log
    console.error(error);
    // oxlint-disable-next-line preserve-caught-error -- a cause would travel to the browser as well
    throw new Error("The request could not be answered.");
  }
});

export const startInstance = createStart(() => ({
  requestMiddleware: [csrf],
  functionMiddleware: [publicErrors],
  serverFns: { fetch: serverFunctionFetch },
}));
