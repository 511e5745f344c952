/** `GET /api/solvency`: the report of the exchange's liabilities, for programs. */
import type { Handler } from "../http/handlers.ts";
import { HttpError, sendJson } from "../http/json-answer.ts";
import type { Solvency } from "./solvency.ts";

export function createSolvencyHandler(solvency: Pick<Solvency, "report">): Handler {
  return async (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      throw new HttpError(405, "invalidArgument", "Read the report with GET.");
    }
    sendJson(response, 200, await solvency.report());
    return true;
  };
}
