import { expect, test } from "vitest";
import { callEntries, socketEntries } from "./document-entries.ts";
import type { AsyncApi, OpenApi } from "./open-api.ts";

const openApi: OpenApi = {
  tags: [{ name: "Market data" }, { name: "Trading" }],
  paths: {
    "/api/v3/order": {
      post: {
        operationId: "postOrder",
        summary: "Places an order.",
        tags: ["Trading"],
        parameters: [
          { name: "side", required: true, schema: { type: "string", enum: ["BUY", "SELL"] } },
          { $ref: "#/components/parameters/timestamp" },
        ],
        responses: {},
        "x-openbell-security": "trade",
        "x-openbell-weight": 1,
      },
    },
    "/api/v3/depth": {
      get: {
        operationId: "getDepth",
        summary: "The book of a market.",
        tags: ["Market data"],
        parameters: [
          { name: "limit", schema: { type: "integer", minimum: 1, maximum: 5, default: 2 } },
          {
            name: "symbols",
            content: {
              "application/json": { schema: { type: "array", items: { type: "string" } } },
            },
          },
        ],
        responses: {
          "200": {
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["bids"],
                  properties: {
                    bids: { type: "array", items: { type: "array", items: { type: "string" } } },
                    note: { type: "object", properties: { text: { type: ["null", "string"] } } },
                  },
                },
                examples: { recorded: { summary: "limit=5", value: { bids: [] } } },
              },
            },
          },
          "400": {
            content: {
              "application/json": {
                examples: { BAD_SYMBOL: { $ref: "#/components/examples/BAD_SYMBOL" } },
              },
            },
          },
        },
        "x-openbell-security": "none",
        "x-openbell-weight": "5 up to 100 levels",
      },
    },
  },
  components: {
    parameters: { timestamp: { name: "timestamp", required: true, schema: { type: "integer" } } },
    examples: {
      BAD_SYMBOL: { summary: "There is no such market.", value: { code: -1121, msg: "…" } },
    },
  },
};

test("calls come in the order of their groups, with parameters, fields, examples and errors", () => {
  const [depth, order] = callEntries(openApi);
  expect(depth).toMatchObject({
    id: "getDepth",
    title: "GET /api/v3/depth",
    weight: "5 up to 100 levels",
    parameters: [
      {
        name: "limit",
        isRequired: false,
        type: "integer",
        description: "At least 1, at most 5, 2 if left out.",
      },
      { name: "symbols", type: "JSON array of string" },
    ],
    examples: [{ title: "limit=5", value: { bids: [] } }],
    errors: [{ statuses: ["400"], code: -1121 }],
  });
  expect(depth?.fields).toEqual([
    { path: "bids", type: "array of array of string", isAlways: true },
    { path: "note", type: "object", isAlways: false },
    { path: "note.text", type: "null | string", isAlways: false },
  ]);
  expect(order?.call).toEqual({ method: "POST", path: "/api/v3/order", security: "trade" });
  expect(order?.parameters.map(({ name }) => name)).toEqual(["side", "timestamp"]);
  expect(order?.parameters[0]?.choices).toEqual(["BUY", "SELL"]);
});

test("streams, requests and events are told apart", () => {
  const asyncApi: AsyncApi = {
    channels: {
      calls: {
        address: "/ws-api/v3",
        messages: {
          "time.request": {
            payload: {
              properties: { params: { properties: { a: { type: "string" } }, required: ["a"] } },
            },
          },
          "time.answer": {
            payload: { properties: { result: { type: "object" } } },
            examples: [{ payload: { id: 1 } }],
          },
          balanceUpdate: { summary: "Coins came." },
        },
      },
      trade: { address: "/ws/{symbol}@trade", messages: { update: { summary: "Each trade." } } },
    },
    operations: {
      time: {
        action: "receive",
        summary: "The time.",
        channel: { $ref: "#/channels/calls" },
        messages: [{ $ref: "#/channels/calls/messages/time.request" }],
        reply: { messages: [{ $ref: "#/channels/calls/messages/time.answer" }] },
      },
      userData: {
        action: "send",
        summary: "What happens.",
        channel: { $ref: "#/channels/calls" },
        messages: [{ $ref: "#/channels/calls/messages/balanceUpdate" }],
      },
      trade: {
        action: "send",
        summary: "Each trade.",
        channel: { $ref: "#/channels/trade" },
        messages: [{ $ref: "#/channels/trade/messages/update" }],
      },
    },
  };
  expect(socketEntries(asyncApi)).toMatchObject([
    { id: "time", group: "WebSocket requests", parameters: [{ name: "a", isRequired: true }] },
    { id: "balanceUpdate", group: "User data", summary: "Coins came." },
    { id: "trade", group: "Market streams", title: "/ws/{symbol}@trade" },
  ]);
});
