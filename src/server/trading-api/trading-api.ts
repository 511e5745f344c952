/**
 * The HTTP interface for programs, compatible with Binance's spot API and its clients. A call is
 * charged, looked up, authenticated and answered as its declaration requires.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import type { Handler } from "../http/handlers.ts";
import { sendJson } from "../http/json-answer.ts";
import { JsonDocument } from "../http/json-document.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import { type Calls, type Sender, signerOf, type UsedWeight } from "./calls.ts";
import type { Endpoint } from "./endpoint.ts";
import { findDocumentCall } from "./documents/document-calls.ts";
import { findEndpoint } from "./endpoints/endpoints.ts";
import { ConnectionCutError } from "./fault-lab/connection-cut.ts";
import type { FaultyTraffic } from "./fault-lab/faulty-traffic.ts";
import { API_KEY_HEADER, FAULTS_HEADER } from "./header-names.ts";
import { orderCountHeaders } from "./order-counts.ts";
import { isPageRequest } from "./page-requests.ts";
import { pairsOf } from "./parameters.ts";
import { readBody } from "./request-body.ts";
import { payloadOf } from "./signed-request.ts";
import { checkTimeUnit, TIME_UNIT_HEADER } from "./time-unit.ts";

const EXPOSED = `x-mbx-used-weight-1m, x-mbx-order-count-10s, x-mbx-order-count-1d, retry-after, ${FAULTS_HEADER}`;
const USED_WEIGHT = "x-mbx-used-weight";
const PREFIXES = ["/api/v3/", "/sapi/v1/"];

export function isTradingApiPath(path: string): boolean {
  return PREFIXES.some((prefix) => path.startsWith(prefix));
}

interface RequestedCall {
  readonly call: Endpoint;
  readonly query: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sender: Sender;
}

/** @param held counts what clients have sent of unfinished requests */
export function createTradingApi(calls: Calls, held: HeldBytes): Handler {
  const { commandRates } = calls.services;

  async function execute(
    { call, query, request, response, sender }: RequestedCall,
    traffic: FaultyTraffic | undefined,
  ): Promise<unknown> {
    const { address, apiKey, isOfPage } = sender;
    // The body of a request with an unknown key is not read.
    const grant =
      call.security === "none" ? undefined : await calls.keyOf({ call, apiKey, address });
    // Nothing is verified yet, so the work is charged to the address, not to the key's owner.
    const client = clientKeyOf(undefined, address);
    const { shares } = calls;
    const body = await readBody(request, { held, shares }, client);
    const pairs = await shares.schedule(client, () => pairsOf(query, body));
    const payload = payloadOf(query, body);
    const signed = { call, apiKey, address, payload, clockSkewMs: traffic?.clockSkewMs };
    const caller = grant && (await calls.callerOf(signed, grant, pairs));
    try {
      const arrived = { pairs, caller, address, apiKey, isOfPage, traffic };
      return await calls.answer(call, arrived);
    } finally {
      const signer = signerOf(call, caller);
      if (signer !== undefined) {
        setWeightHeader(response, calls.weightOf(sender, signer));
        if (call.security === "trade") setOrderCountHeaders(response, signer.userId);
      }
    }
  }

  function setOrderCountHeaders(response: ServerResponse, userId: string): void {
    const counts = orderCountHeaders(commandRates.ordersOf(userId));
    for (const [name, count] of counts) response.setHeader(name, count);
  }

  async function answer(asked: RequestedCall): Promise<unknown> {
    const { call, response, sender } = asked;
    const named = call.isWithoutFaults === true ? undefined : sender.apiKey;
    const traffic = calls.lab.trafficOf(named);
    if (traffic === undefined) return execute(asked, undefined);
    response.setHeader(FAULTS_HEADER, traffic.description);
    return traffic.through(call.method !== "GET", () => execute(asked, traffic));
  }

  return async (request, response) => {
    const { url = "", method = "" } = request;
    const [path, query = ""] = splitOnce(url, "?");
    if (!isTradingApiPath(path)) return false;
    allowEveryOrigin(request, response);
    if (method === "OPTIONS") {
      response.writeHead(204).end();
      return true;
    }
    const sender = senderOf(request);
    const reply = (status: number, body: unknown) => {
      if (!response.hasHeader(USED_WEIGHT)) {
        setWeightHeader(response, calls.weightOf(sender, undefined));
      }
      const bytes =
        body instanceof JsonDocument ? body.send(response) : sendJson(response, status, body);
      calls.answered(sender.address, bytes);
    };
    try {
      calls.arrived(sender);
      checkTimeUnit(request.headers[TIME_UNIT_HEADER]?.toString());
      const call = callAt(method, path);
      reply(200, await answer({ call, query, request, response, sender }));
    } catch (error) {
      if (error instanceof ConnectionCutError) {
        request.socket.destroy();
        return true;
      }
      const { body, retryAfterSeconds, status } = calls.errorOf(error, path);
      if (retryAfterSeconds !== undefined) response.setHeader("retry-after", retryAfterSeconds);
      reply(status, body);
    }
    return true;
  };
}

function setWeightHeader(response: ServerResponse, { used }: UsedWeight): void {
  response.setHeader(USED_WEIGHT, used);
  response.setHeader(`${USED_WEIGHT}-1m`, used);
}

/** @throws ApiError */
function callAt(method: string, path: string): Endpoint {
  return findDocumentCall(method, path) ?? findEndpoint(method, path);
}

/** Pages of any origin may call: requests are authenticated by signatures, never by cookies. */
function allowEveryOrigin({ headers, method }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("cross-origin-resource-policy", "cross-origin");
  // Browsers send the origin of a page that calls another site; programs send none.
  if (headers.origin === undefined) return;
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-expose-headers", EXPOSED);
  if (method !== "OPTIONS") return;
  response.setHeader("access-control-allow-methods", "GET, POST, PUT, DELETE");
  response.setHeader("access-control-allow-headers", `content-type, ${API_KEY_HEADER}`);
  response.setHeader("access-control-max-age", 86_400);
}

function senderOf(request: IncomingMessage): Sender {
  const { headers } = request;
  return {
    address: String(headers[CLIENT_ADDRESS_HEADER]),
    apiKey: headers[API_KEY_HEADER]?.toString(),
    isOfPage: isPageRequest(request),
  };
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
