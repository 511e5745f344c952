/** Answers paths below AUTH_BASE_PATH and, in development, the outbox page. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Config, isPublic } from "../../settings/config.ts";
import type { Database } from "../../database/open-database.ts";
import { CLIENT_ADDRESS_HEADER } from "../../http/client-address.ts";
import { clientKeyOf } from "../../limits/client-key.ts";
import { departureOf } from "../../limits/departure.ts";
import type { BodyLimits } from "../../limits/request-body.ts";
import type { Log } from "../../log.ts";
import type { Auth } from "../auth.ts";
import { answerOutbox } from "../mail/outbox-page.ts";
import type { Outbox } from "../mail/outbox.ts";
import type { PasswordHashing } from "../passwords/password-hashing.ts";
import type { LastAdmin } from "../users/last-admin.ts";
import { isDatabaseReachable, sendUnavailable } from "./database-outages.ts";
import { errorPage } from "./error-page.ts";
import { answerInEqualTime } from "./equal-answer-times.ts";
import { sendHtml } from "../../http/html.ts";
import { sendJson } from "../../http/json-answer.ts";
import { BodyTooDeepError, BodyTooLargeError, sendResponse, toRequest } from "./node-requests.ts";
import { isCallback, restoreAnswer } from "./restored-answers.ts";

interface AccountsRequestsOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly publicUrl: string;
  readonly auth: Auth;
  readonly hashing: PasswordHashing;
  readonly lastAdmin: LastAdmin;
  readonly outbox: Outbox;
}

/** @returns a handler that returns false for every other path */
export function createRequestHandler(options: AccountsRequestsOptions) {
  const { config, database, log, publicUrl, auth, hashing, lastAdmin, outbox } = options;
  const { AUTH_BASE_PATH: basePath } = config;

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    limits: BodyLimits,
  ): Promise<boolean> => {
    const [path] = (request.url ?? "/").split("?", 1);
    if (path === basePath || path.startsWith(`${basePath}/`)) {
      if (path === `${basePath}/error` && request.method === "GET") {
        sendHtml(response, 200, errorPage(new URL(request.url ?? "/", publicUrl).searchParams));
      } else {
        await answer(request, response, limits);
      }
      return true;
    }
    const isOutbox = path === "/outbox" || path.startsWith("/outbox/");
    if (isOutbox && !isPublic(config) && request.method === "GET") {
      await answerOutbox(outbox, request, response, path);
      return true;
    }
    return false;
  };

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    limits: BodyLimits,
  ): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", publicUrl);
    const path = pathname.slice(basePath.length);
    if (!auth.knows(path)) {
      sendJson(response, 404, { code: "NOT_FOUND", message: "Not found" });
      return;
    }
    const { fullDisk } = database;
    const refusalsBefore = fullDisk.refusals;
    // The library answers a statement that found no room like any other failure.
    const isDiskFull = () => fullDisk.refusals > refusalsBefore;
    try {
      const asked = await toRequest(request, publicUrl, limits);
      const address = asked.headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
      const hashes = { client: clientKeyOf(undefined, address), signal: departureOf(response) };
      const answered = await hashing.duringRequest(hashes, () =>
        lastAdmin.duringRequest(() => answerInEqualTime(path, () => auth.handler(asked))),
      );
      const isAway = answered.status >= 500 && !(await isDatabaseReachable(database));
      if (isAway || (answered.status >= 400 && isDiskFull())) {
        sendUnavailable(response);
        return;
      }
      await sendResponse(response, await restoreAnswer(asked, basePath, answered));
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
      } else if (error instanceof BodyTooDeepError) {
        const message = "The body of the request is nested too deep.";
        sendJson(response, 400, { code: "VALIDATION_ERROR", message });
      } else if (error instanceof BodyTooLargeError) {
        const message = "The body of the request is too large.";
        sendJson(response, 413, { code: "PAYLOAD_TOO_LARGE", message }, { connection: "close" });
      } else if (!request.destroyed || request.complete) {
        log.error(
          { error: error instanceof Error ? error.stack : error },
          "accounts request failed",
        );
        if (isCallback(path)) {
          // A user sees this answer, on the way back from a provider.
          const location = `${publicUrl}${basePath}/error?error=internal_server_error`;
          response.writeHead(302, { location, "cache-control": "no-store" }).end();
          return;
        }
        if (isDiskFull() || !(await isDatabaseReachable(database))) {
          sendUnavailable(response);
          return;
        }
        const message = "Something went wrong.";
        sendJson(response, 500, { code: "INTERNAL_SERVER_ERROR", message });
      }
    }
  }
}
