/**
 * The WebSockets as an AsyncAPI 3 document
 * (https://www.asyncapi.com/docs/reference/specification/v3.0.0).
 */
import { CANDLE_INTERVALS } from "#contract/enumerations.ts";
import { PARTIAL_LEVELS, STREAM_KINDS, type StreamKind } from "../streams/stream-kinds.ts";
import { TICKER_WINDOWS } from "../streams/stream-name.ts";
import { streamRequest } from "../streams/stream-requests.ts";
import { USER_DATA_EVENTS, type UserDataEventName } from "../user-data/user-data-events.ts";
import { CONNECTION_METHODS } from "../ws-api/connection-methods.ts";
import { WS_METHODS, endpointOfMethod } from "../ws-api/ws-methods.ts";
import { wsRequestId } from "../ws-api/ws-request.ts";
import { schemaOfExamples } from "./answer-schema.ts";
import type { DocumentSubject } from "./document-subject.ts";
import { describeParameters, type JsonSchema, jsonSchemaOf } from "./parameter-schema.ts";
import type { RecordedAnswers } from "./recorded-answers.ts";

const API_DESCRIPTION =
  "Market streams at `/ws` and `/stream`, calls and user data at `/ws-api/v3`. No update of a book is " +
  "left out: a client that does not read is disconnected with 1008 and a reason. The server pings every 20 " +
  "seconds and ends a connection after 24 hours.";

const PARAMETERS: Readonly<Record<string, object>> = {
  symbol: { description: "A market in lower case without a dash, such as btcusd." },
  interval: { description: "The length of a candle.", enum: CANDLE_INTERVALS },
  window: { description: "How long the window is.", enum: TICKER_WINDOWS },
  levels: { description: "How many levels.", enum: PARTIAL_LEVELS },
};

const NUMBER_OF_TIME = { type: "integer" };
const SIGNATURE_PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  apiKey: { type: "string" },
  timestamp: NUMBER_OF_TIME,
  recvWindow: { type: "number", maximum: 60_000 },
  signature: {
    type: "string",
    description: "Of all other parameters as `name=value`, by their names, joined by `&`.",
  },
};

interface Method {
  readonly name: string;
  readonly summary: string;
  readonly request: JsonSchema;
  readonly result: JsonSchema;
  readonly example: unknown;
}

export function asyncApiDocument({ productName, recorded, host }: DocumentSubject) {
  const methods = [...callMethods(recorded), ...connectionMethods(recorded)];
  const kinds = Object.keys(STREAM_KINDS) as StreamKind[];
  return {
    asyncapi: "3.0.0",
    info: { title: `${productName}: WebSockets`, version: "3", description: API_DESCRIPTION },
    defaultContentType: "application/json",
    servers: { exchange: host },
    channels: {
      calls: {
        address: "/ws-api/v3",
        title: "Calls and user data",
        messages: {
          ...Object.fromEntries(methods.flatMap(messagesOf)),
          refusal: REFUSAL,
          serverShutdown: {
            ...SERVER_SHUTDOWN,
            payload: wrapped("event", SERVER_SHUTDOWN.payload),
          },
          ...userDataMessages(recorded),
        },
      },
      account: {
        address: "/ws/{listenKey}",
        title: "User data by a listen key",
        parameters: { listenKey: { description: "The answer to `POST /api/v3/userDataStream`." } },
        messages: listenKeyMessages(recorded),
      },
      streams: {
        address: "/stream",
        title: "Streams that a connection chooses",
        description:
          "Messages name their stream. `/ws` takes the same requests, and its messages do not; " +
          "both take streams in their address, too: `/stream?streams=<stream>/<stream>`.",
        messages: {
          request: { payload: jsonSchemaOf(streamRequest) },
          answer: STREAM_ANSWER,
          serverShutdown: SERVER_SHUTDOWN,
        },
      },
      ...Object.fromEntries(kinds.flatMap((kind) => streamChannels(kind, recorded))),
    },
    operations: {
      ...Object.fromEntries(
        methods.map(({ name, summary }) => [name, callOperation(name, summary)]),
      ),
      userData: {
        action: "send",
        channel: { $ref: "#/channels/calls" },
        summary: "What happens to an account, after a subscription.",
        messages: SUBSCRIBED_EVENTS.map((name) => reference("calls", name)),
      },
      ...Object.fromEntries(
        ["calls", "streams"].map((channel) => [
          `serverShutdown.${channel}`,
          {
            action: "send",
            channel: { $ref: `#/channels/${channel}` },
            summary: SERVER_SHUTDOWN.summary,
            messages: [reference(channel, "serverShutdown")],
          },
        ]),
      ),
      userDataByListenKey: {
        action: "send",
        channel: { $ref: "#/channels/account" },
        summary: "What happens to the account of a listen key.",
        messages: LISTEN_KEY_EVENTS.map((name) => reference("account", name)),
      },
      streamRequests: {
        action: "receive",
        channel: { $ref: "#/channels/streams" },
        summary: "Begins and ends streams on an open connection.",
        messages: [reference("streams", "request")],
        reply: {
          channel: { $ref: "#/channels/streams" },
          messages: [reference("streams", "answer")],
        },
      },
      ...Object.fromEntries(kinds.flatMap(streamOperations)),
    },
  };
}

const reference = (channel: string, message: string) => ({
  $ref: `#/channels/${channel}/messages/${message}`,
});

/** The HTTP calls, by their methods in the WebSocket API. */
function callMethods(recorded: RecordedAnswers): Method[] {
  return WS_METHODS.flatMap((name) => {
    const call = endpointOfMethod(name);
    if (call === undefined) return [];
    const parameters = describeParameters(call.parameters);
    const examples = recorded.answers[`${call.method} ${call.path}`] ?? [];
    const isSigned = call.security !== "none";
    return {
      name,
      summary: call.summary,
      request: requestOf(
        name,
        {
          ...Object.fromEntries(
            parameters.map(({ description, name: parameter, schema }) => [
              parameter,
              { ...schema, ...(description !== undefined && { description }) },
            ]),
          ),
          ...(isSigned && SIGNATURE_PARAMETERS),
        },
        [
          ...parameters.flatMap((each) => (each.isRequired ? [each.name] : [])),
          ...(isSigned ? [call.isSignatureOptional === true ? "apiKey" : "timestamp"] : []),
        ],
      ),
      result: schemaOfExamples(examples.map(({ answer }) => answer)),
      example: examples.at(0)?.answer,
    };
  });
}

function connectionMethods({ connection }: RecordedAnswers): Method[] {
  return Object.entries(CONNECTION_METHODS).map(([name, { isSigned, summary }]) => ({
    name,
    summary,
    request: isSigned
      ? requestOf(name, SIGNATURE_PARAMETERS, ["apiKey", "timestamp", "signature"])
      : requestOf(name, {}, []),
    result: schemaOfExamples(name in connection ? [connection[name]] : []),
    example: connection[name],
  }));
}

function requestOf(
  method: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return {
    type: "object",
    required: required.length > 0 ? ["method", "params"] : ["method"],
    properties: {
      id: jsonSchemaOf(wsRequestId),
      method: { const: method },
      params: { type: "object", properties, ...(required.length > 0 && { required }) },
    },
  };
}

function messagesOf({ example, name, request, result, summary }: Method): [string, object][] {
  return [
    [`${name}.request`, { summary, payload: request }],
    [
      `${name}.answer`,
      {
        payload: {
          type: "object",
          required: ["id", "status", "result"],
          properties: {
            id: jsonSchemaOf(wsRequestId),
            status: { const: 200 },
            result,
            rateLimits: { type: "array" },
          },
        },
        ...(example !== undefined && {
          examples: [{ payload: { id: 1, status: 200, result: example } }],
        }),
      },
    ],
  ];
}

function callOperation(name: string, summary: string) {
  return {
    action: "receive",
    summary,
    channel: { $ref: "#/channels/calls" },
    messages: [reference("calls", `${name}.request`)],
    reply: {
      channel: { $ref: "#/channels/calls" },
      messages: [reference("calls", `${name}.answer`), reference("calls", "refusal")],
    },
  };
}

const REFUSAL = {
  summary: "A refused request, with the codes of HTTP.",
  payload: {
    type: "object",
    required: ["id", "status", "error"],
    properties: {
      id: jsonSchemaOf(wsRequestId),
      status: { type: "integer" },
      error: {
        type: "object",
        required: ["code", "msg"],
        properties: { code: { type: "integer" }, msg: { type: "string" } },
      },
    },
  },
};

const SERVER_SHUTDOWN = {
  summary: "The server is about to stop and closes the connection: connect again.",
  payload: {
    type: "object",
    required: ["e", "E"],
    properties: { e: { const: "serverShutdown" }, E: NUMBER_OF_TIME },
  },
};

/** An object with one field. */
const wrapped = (field: string, schema: JsonSchema): JsonSchema => ({
  type: "object",
  required: [field],
  properties: { [field]: schema },
});

const STREAM_ANSWER = {
  summary: "The result, or an error with code 2 for a wrong request and 3 for one that is no JSON.",
  payload: {
    type: "object",
    required: ["id"],
    properties: {
      id: jsonSchemaOf(wsRequestId),
      result: {},
      error: {
        type: "object",
        required: ["code", "msg"],
        properties: { code: { enum: [2, 3] }, msg: { type: "string" } },
      },
    },
  },
};

const EVENTS = Object.keys(USER_DATA_EVENTS) as UserDataEventName[];
const SUBSCRIBED_EVENTS = EVENTS.filter((name) => name !== "listenKeyExpired");
const LISTEN_KEY_EVENTS = EVENTS.filter((name) => name !== "eventStreamTerminated");

const examplesOf = ({ events }: RecordedAnswers, name: UserDataEventName) =>
  Object.hasOwn(events, name) ? events[name] : [];

function listenKeyMessages(recorded: RecordedAnswers): Record<string, object> {
  return Object.fromEntries(
    LISTEN_KEY_EVENTS.map((name) => {
      const examples = examplesOf(recorded, name);
      return [
        name,
        {
          summary: USER_DATA_EVENTS[name],
          payload: schemaOfExamples(examples),
          examples: examples.map((payload) => ({ payload })),
        },
      ];
    }),
  );
}

function userDataMessages(recorded: RecordedAnswers): Record<string, object> {
  return Object.fromEntries(
    SUBSCRIBED_EVENTS.map((name) => {
      const summary = USER_DATA_EVENTS[name];
      const examples = examplesOf(recorded, name);
      const event = schemaOfExamples(examples);
      return [
        name,
        {
          summary,
          payload: {
            type: "object",
            required: ["subscriptionId", "event"],
            properties: { subscriptionId: { type: "integer" }, event },
          },
          examples: examples.map((each) => ({ payload: { subscriptionId: 0, event: each } })),
        },
      ];
    }),
  );
}

function streamChannels(kind: StreamKind, { streams }: RecordedAnswers): [string, object][] {
  const { names, summary } = STREAM_KINDS[kind];
  const examples = Object.hasOwn(streams, kind) ? [streams[kind].message] : [];
  return names.map((name, index) => {
    const chosen = Array.from(name.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter);
    return [
      channelOf(kind, index),
      {
        address: `/ws/${name}`,
        summary,
        ...(chosen.length > 0 && {
          parameters: Object.fromEntries(chosen.map((each) => [each, PARAMETERS[each]])),
        }),
        messages: {
          update: {
            summary,
            payload: schemaOfExamples(examples),
            ...(examples.length > 0 && { examples: examples.map((payload) => ({ payload })) }),
          },
        },
      },
    ];
  });
}

function streamOperations(kind: StreamKind): [string, object][] {
  const { names, summary } = STREAM_KINDS[kind];
  return names.map((_, index) => {
    const channel = channelOf(kind, index);
    return [
      channel,
      {
        action: "send",
        summary,
        channel: { $ref: `#/channels/${channel}` },
        messages: [reference(channel, "update")],
      },
    ];
  });
}

/** A stream with two speeds has a second channel for the faster speed. */
const channelOf = (kind: StreamKind, index: number) => (index === 0 ? kind : `${kind}Fast`);
