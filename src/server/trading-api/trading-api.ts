/**
 * The interface for programs over HTTP: Binance's spot API, so that clients made for it work here. A
 * call is weighed, looked up, authenticated and answered as declared.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import type { Handler } from "../http/handlers.ts";
import { sendJson } from "../http/json-answer.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import type { Calls } from "./calls.ts";
import type { Endpoint } from "./endpoint.ts";
import { findEndpoint } from "./endpoints/endpoints.ts";
import { orderCountHeaders } from "./order-counts.ts";
import { pairsOf } from "./parameters.ts";
import { readBody } from "./request-body.ts";
import { payloadOf } from "./signed-request.ts";

const API_KEY_HEADER = "x-mbx-apikey";
const EXPOSED = "x-mbx-used-weight-1m, x-mbx-order-count-10s, x-mbx-order-count-1d, retry-after";
const PREFIXES = ["/api/v3/", "/sapi/v1/"];

export function createTradingApi(calls: Calls): Handler {
  const { commandRates } = calls.services;

  async function answer(
    call: Endpoint,
    request: IncomingMessage,
    query: string,
    response: ServerResponse,
  ): Promise<unknown> {
    const address = addressOf(request);
    const apiKey = request.headers[API_KEY_HEADER]?.toString();
    const signed = { call, apiKey, address };
    // A stranger's body is not read.
    const grant = call.security === "none" ? undefined : await calls.keyOf(signed);
    const client = clientKeyOf(grant?.userId, address);
    const body = await readBody(request, { shares: calls.shares, client });
    const pairs = pairsOf(query, body);
    const payload = payloadOf(query, body);
    const caller = grant && calls.callerOf({ ...signed, payload }, grant, pairs);
    try {
      return await calls.answer(call, pairs, caller, address);
    } finally {
      if (caller !== undefined && call.security === "trade") {
        const counts = orderCountHeaders(commandRates.ordersOf(caller.userId));
        for (const [name, count] of counts) response.setHeader(name, count);
      }
    }
  }

  return async (request, response) => {
    const { url = "", method = "" } = request;
    const [path, query = ""] = splitOnce(url, "?");
    if (!PREFIXES.some((prefix) => path.startsWith(prefix))) return false;
    allowEveryOrigin(response);
    if (method === "OPTIONS") {
      response.writeHead(204).end();
      return true;
    }
    const address = addressOf(request);
    const reply = (status: number, body: unknown) => {
      const used = calls.usedWeightOf(address);
      response.setHeader("x-mbx-used-weight", used);
      response.setHeader("x-mbx-used-weight-1m", used);
      sendJson(response, status, body);
    };
    try {
      calls.arrived(address);
      reply(200, await answer(findEndpoint(method, path), request, query, response));
    } catch (error) {
      const { body, retryAfterSeconds, status } = calls.errorOf(error, path);
      if (retryAfterSeconds !== undefined) response.setHeader("retry-after", retryAfterSeconds);
      reply(status, body);
    }
    return true;
  };
}

/** Pages of any site may call: a signature says who asks, and no call takes a cookie for a sign-in. */
function allowEveryOrigin(response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-methods", "GET, POST, PUT, DELETE");
  response.setHeader("access-control-allow-headers", `content-type, ${API_KEY_HEADER}`);
  response.setHeader("access-control-max-age", 86_400);
  response.setHeader("access-control-expose-headers", EXPOSED);
  response.setHeader("cross-origin-resource-policy", "cross-origin");
}

function addressOf({ headers }: IncomingMessage): string {
  return String(headers[CLIENT_ADDRESS_HEADER]);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
