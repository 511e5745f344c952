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

/** Server functions would send an error's own text to the browser: replaced by a public sentence. */
const publicErrors = createMiddleware({ type: "function" }).server(async ({ next }) => {
  try {
    return await next();
  } catch (error) {
    if (isRedirect(error) || isNotFound(error) || error instanceof Response) throw error;
    // oxlint-disable-next-line no-console -- what the pages print goes to the log
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
