/** The calls over HTTP as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1). */
import type { Endpoint, Security } from "../endpoint.ts";
import { ERROR_CODES, type ErrorCode } from "../error-codes.ts";
import { schemaOfExamples } from "./answer-schema.ts";
import { errorsOf } from "./call-errors.ts";
import type { DocumentSubject } from "./document-subject.ts";
import { describeParameters } from "./parameter-schema.ts";
import type { RecordedAnswers } from "./recorded-answers.ts";

const API_DESCRIPTION =
  "Binance's spot interface over this exchange. Prices and quantities are exact decimals in strings, " +
  "times milliseconds since 1970 UTC. Parameters come in the query or in a body of the type " +
  "application/x-www-form-urlencoded. Any other parameter is refused.";

const SIGNING_DESCRIPTION =
  "Signed calls send a key in `X-MBX-APIKEY`, a `timestamp`, and a `signature` over query and body as " +
  "they are sent: HMAC-SHA256 in hexadecimal digits, or Ed25519 in base64.";

const UNSIGNED_DESCRIPTION =
  " Signed like other calls or, from a network where the key has signed before, without a signature.";

/** Parameters of signed calls, listed after the call's own. */
const SIGNED_PARAMETERS = ["timestamp", "recvWindow", "signature"] as const;

const TAG_NAMES: Readonly<Record<Security, string>> = {
  none: "Market data",
  userData: "Account",
  trade: "Trading",
};

export function openApiDocument({ calls, productName, recorded }: DocumentSubject) {
  const paths: Record<string, Record<string, object>> = {};
  for (const call of calls) {
    (paths[call.path] ??= {})[call.method.toLowerCase()] = operationOf(call, recorded);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: `${productName}: trading API`,
      version: "3",
      description: `${API_DESCRIPTION} ${SIGNING_DESCRIPTION}`,
    },
    servers: [{ url: "/" }],
    tags: [...Object.values(TAG_NAMES), "Openbell"].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: {
          type: "apiKey",
          in: "header",
          name: "X-MBX-APIKEY",
          description: SIGNING_DESCRIPTION,
        },
      },
      parameters: signedParameters(),
      headers: HEADERS,
      schemas: { Error: ERROR },
      examples: errorExamples(recorded),
    },
  };
}

const ERROR = {
  type: "object",
  required: ["code", "msg"],
  properties: {
    code: { type: "integer", enum: Object.keys(ERROR_CODES).map(Number) },
    msg: { type: "string" },
    data: { description: "What became of both orders of a replacement." },
  },
};

const HEADERS = {
  usedWeight: {
    description: "Request weight that the address has used in this minute.",
    schema: { type: "integer" },
  },
  retryAfter: { description: "Seconds to wait.", schema: { type: "integer" } },
};

function operationOf(call: Endpoint, recorded: RecordedAnswers) {
  const { isSignatureOptional, method, path, security, summary, weight } = call;
  const examples = recorded.answers[`${method} ${path}`] ?? [];
  return {
    operationId: operationIdOf(call),
    summary,
    description:
      `Weight: ${typeof weight === "number" ? weight : weight.text}.` +
      (isSignatureOptional === true ? UNSIGNED_DESCRIPTION : ""),
    tags: [path.includes("/openbell/") ? "Openbell" : TAG_NAMES[security]],
    ...(security !== "none" && { security: [{ key: [] }] }),
    "x-openbell-security": security,
    "x-openbell-weight": typeof weight === "number" ? weight : weight.text,
    parameters: parametersOf(call),
    responses: {
      ...(examples.length > 0 && { "200": successResponse(examples) }),
      ...errorResponses(errorsOf(call)),
    },
  };
}

/** The operation's id, such as "getTicker24hr". */
function operationIdOf({ method, path }: Endpoint): string {
  const words = path.replace(/^\/api\/v3\//, "").split(/[/.]|(?<=^)\//);
  const named = words
    .filter((word) => word !== "")
    .map((word) => word[0].toUpperCase() + word.slice(1));
  return method.toLowerCase() + named.join("");
}

function parametersOf({ isSignatureOptional, parameters, security }: Endpoint): object[] {
  const own = describeParameters(parameters).map(({ description, isRequired, name, schema }) => {
    const { contentMediaType, contentSchema, ...plain } = schema;
    const isJson = contentMediaType === "application/json";
    return {
      name,
      in: "query",
      required: isRequired,
      ...(description !== undefined && { description }),
      ...(isJson
        ? { content: { [contentMediaType]: { schema: contentSchema } } }
        : { schema: plain }),
    };
  });
  if (security === "none" || isSignatureOptional === true) return own;
  return [
    ...own,
    ...SIGNED_PARAMETERS.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function signedParameters(): Record<(typeof SIGNED_PARAMETERS)[number], object> {
  return {
    timestamp: {
      name: "timestamp",
      in: "query",
      required: true,
      description: "When the request was sent, milliseconds or microseconds since 1970 UTC.",
      schema: { type: "integer" },
    },
    recvWindow: {
      name: "recvWindow",
      in: "query",
      description: "For how many milliseconds after its timestamp the request counts.",
      schema: { type: "number", default: 5_000, maximum: 60_000 },
    },
    signature: {
      name: "signature",
      in: "query",
      required: true,
      description: "Of all other parameters as they are sent.",
      schema: { type: "string" },
    },
  };
}

function successResponse(examples: RecordedAnswers["answers"][string]) {
  const answers = examples.map(({ answer }) => answer);
  return {
    description: "The answer.",
    headers: { "X-MBX-USED-WEIGHT-1M": { $ref: "#/components/headers/usedWeight" } },
    content: {
      "application/json": {
        schema: schemaOfExamples(answers),
        examples: Object.fromEntries(
          examples.map(({ answer, parameters }, index) => [
            `recorded-${index + 1}`,
            {
              summary: new URLSearchParams(parameters).toString() || "no parameters",
              value: answer,
            },
          ]),
        ),
      },
    },
  };
}

/** Error responses by HTTP status, each with its codes. */
function errorResponses(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of codes) {
    for (const status of ERROR_CODES[`${code}`].statuses) (byStatus[status] ??= []).push(code);
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, its]) => [
      status,
      {
        description: its.map((code) => `${code} ${ERROR_CODES[`${code}`].name}`).join(", "),
        ...((status === "429" || status === "418") && {
          headers: { "Retry-After": { $ref: "#/components/headers/retryAfter" } },
        }),
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/Error" },
            examples: Object.fromEntries(
              its.map((code) => [nameOf(code), { $ref: `#/components/examples/${nameOf(code)}` }]),
            ),
          },
        },
      },
    ]),
  );
}

const nameOf = (code: ErrorCode) => ERROR_CODES[`${code}`].name;

/** Each code with a recorded text, or else with its meaning. */
function errorExamples({ refusals }: RecordedAnswers): Record<string, object> {
  return Object.fromEntries(
    Object.entries(ERROR_CODES).map(([code, { meaning, name }]) => [
      name,
      {
        summary: meaning,
        value: Object.hasOwn(refusals, code)
          ? refusals[code].error
          : { code: Number(code), msg: meaning },
      },
    ]),
  );
}
