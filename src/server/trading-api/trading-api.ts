/**
 * The HTTP interface for programs, compatible with Binance's spot API and its clients. A call is
 * charged, looked up, authenticated and answered as its declaration requires.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import type { OrderCounts } from "../functions/command-rates.ts";
import type { Handler } from "../http/handlers.ts";
import { sendJsonWith } from "../http/json-answer.ts";
import { JsonDocument } from "../http/json-document.ts";
import { programHeadersOf } from "../http/security-headers.ts";
import { setHeaders } from "../http/set-headers.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import { type Calls, type Sender, signerOf } from "./calls.ts";
import type { Caller, Endpoint } from "./endpoint.ts";
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
  readonly sender: Sender;
  readonly about: AnswerHeaders;
}

/** The content of one answer's headers. */
class AnswerHeaders {
  usedWeight: number | undefined;
  orderCounts: OrderCounts | undefined;
  /** The key's active faults. */
  faults: string | undefined;
  retryAfterSeconds: number | undefined;
}

/** @param held counts the bytes that clients have sent of unfinished requests */
export function createTradingApi(calls: Calls, held: HeldBytes): Handler {
  const { commandRates, config } = calls.services;
  /** Pages of any origin may call: requests are authenticated by signatures, never by cookies. */
  const ofEveryAnswer = [
    ...programHeadersOf({ publicUrl: config.PUBLIC_URL }),
    "cross-origin-resource-policy",
    "cross-origin",
  ];

  async function execute(
    { call, query, request, sender, about }: RequestedCall,
    traffic: FaultyTraffic | undefined,
  ): Promise<unknown> {
    const { address, apiKey, isOfPage } = sender;
    let caller: Caller | undefined;
    // The body of a request with an unknown key is not read.
    const found = call.security === "none" ? undefined : calls.keyOf({ call, apiKey, address });
    const grant = found instanceof Promise ? await found : found;
    // Nothing is verified yet, so the work is charged to the address, not to the key's owner.
    const client = clientKeyOf(undefined, address);
    const { shares } = calls;
    const reading = readBody(request, { held, shares }, client);
    const body = typeof reading === "string" ? reading : await reading;
    const parsing = shares.inTurn(client, () => pairsOf(query, body));
    const pairs = parsing instanceof Promise ? await parsing : parsing;
    if (grant !== undefined) {
      const payload = payloadOf(query, body);
      const signed = { call, apiKey, address, payload, clockSkewMs: traffic?.clockSkewMs };
      const verifying = calls.callerOf(signed, grant, pairs);
      caller = verifying instanceof Promise ? await verifying : verifying;
    }
    try {
      return await calls.answer(call, { pairs, caller, address, apiKey, isOfPage, traffic });
    } finally {
      const signer = signerOf(call, caller);
      if (signer !== undefined) {
        about.usedWeight = calls.weightOf(sender, signer).used;
        if (call.security === "trade") about.orderCounts = commandRates.ordersOf(signer.userId);
      }
    }
  }

  function answer(asked: RequestedCall): Promise<unknown> {
    const { call, about, sender } = asked;
    const named = call.isWithoutFaults === true ? undefined : sender.apiKey;
    const traffic = calls.lab.trafficOf(named);
    if (traffic === undefined) return execute(asked, undefined);
    about.faults = traffic.description;
    return traffic.through(call.method !== "GET", () => execute(asked, traffic));
  }

  function reply(
    response: ServerResponse,
    sender: Sender,
    [status, body]: readonly [status: number, body: unknown],
    about: AnswerHeaders,
  ): void {
    about.usedWeight ??= calls.weightOf(sender, undefined).used;
    const headers = [...ofEveryAnswer, ...listOf(about)];
    let bytes: number;
    if (body instanceof JsonDocument) {
      setHeaders(response, headers);
      bytes = body.send(response);
    } else bytes = sendJsonWith(response, status, body, headers);
    calls.answered(sender.address, bytes);
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: string,
  ): Promise<boolean> {
    allowOrigin(request, response);
    const { method = "" } = request;
    if (method === "OPTIONS") {
      setHeaders(response, ofEveryAnswer);
      response.writeHead(204).end();
      return true;
    }
    const sender = senderOf(request);
    const about = new AnswerHeaders();
    try {
      calls.arrived(sender);
      checkTimeUnit(request.headers[TIME_UNIT_HEADER]?.toString());
      const call = callAt(method, path);
      const answered = await answer({ call, query, request, sender, about });
      reply(response, sender, [200, answered], about);
    } catch (error) {
      if (error instanceof ConnectionCutError) {
        request.socket.destroy();
        return true;
      }
      const { body, retryAfterSeconds, status } = calls.errorOf(error, path);
      about.retryAfterSeconds = retryAfterSeconds;
      reply(response, sender, [status, body], about);
    }
    return true;
  }

  return (request, response) => {
    const [path, query = ""] = splitOnce(request.url ?? "", "?");
    return isTradingApiPath(path) && serve(request, response, path, query);
  };
}

function listOf(about: AnswerHeaders): (string | number)[] {
  const { faults, orderCounts, retryAfterSeconds, usedWeight = 0 } = about;
  const list = [USED_WEIGHT, usedWeight, `${USED_WEIGHT}-1m`, usedWeight];
  if (orderCounts !== undefined) list.push(...orderCountHeaders(orderCounts));
  if (faults !== undefined) list.push(FAULTS_HEADER, faults);
  if (retryAfterSeconds !== undefined) list.push("retry-after", retryAfterSeconds);
  return list;
}

/** @throws ApiError */
function callAt(method: string, path: string): Endpoint {
  return findDocumentCall(method, path) ?? findEndpoint(method, path);
}

function allowOrigin({ headers, method }: IncomingMessage, response: ServerResponse): void {
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
