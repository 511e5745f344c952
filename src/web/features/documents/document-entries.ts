/** Converts the OpenAPI and AsyncAPI documents to uniform entries: calls, streams, methods and events. */
import {
  type AsyncApi,
  type Message,
  type OpenApi,
  type Operation,
  type ParameterObject,
  resolveReference,
  type Schema,
} from "./open-api.ts";

export interface EntryParameter {
  readonly name: string;
  readonly isRequired: boolean;
  /** The type and its constraints, in words. */
  readonly type: string;
  readonly description: string;
  /** The allowed values; empty if not restricted to a list. */
  readonly choices: readonly string[];
}

export interface EntryField {
  /** Path within the answer, such as "bids[]". */
  readonly path: string;
  readonly type: string;
  readonly isAlways: boolean;
}

interface EntryExample {
  readonly title: string;
  readonly value: unknown;
}

interface EntryError {
  readonly code: number;
  /** HTTP statuses that the error comes with. */
  readonly statuses: readonly string[];
  readonly meaning: string;
}

export interface EntryCall {
  readonly method: string;
  readonly path: string;
  readonly security: Operation["x-openbell-security"];
}

export interface DocumentEntry {
  /** Identifies the entry in the page's URL. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly summary: string;
  readonly weight?: string;
  /** The HTTP request; absent for WebSocket entries, which the page cannot try. */
  readonly call?: EntryCall;
  readonly parameters: readonly EntryParameter[];
  readonly fields: readonly EntryField[];
  readonly examples: readonly EntryExample[];
  readonly errors: readonly EntryError[];
}

/** Parameters of signed requests that the page adds by itself. */
export const SIGNED_PARAMETERS: ReadonlySet<string> = new Set([
  "timestamp",
  "recvWindow",
  "signature",
  "apiKey",
]);

export function callEntries(document: OpenApi): DocumentEntry[] {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      callEntry(document, { method: method.toUpperCase(), path }, operation),
    ),
  );
  const order = document.tags.map(({ name }) => name);
  return entries.toSorted((one, other) => order.indexOf(one.group) - order.indexOf(other.group));
}

function callEntry(
  document: OpenApi,
  { method, path }: Pick<EntryCall, "method" | "path">,
  operation: Operation,
): DocumentEntry {
  const answer = operation.responses["200"]?.content?.["application/json"];
  return {
    id: operation.operationId,
    group: operation.tags[0] ?? "",
    title: `${method} ${path}`,
    summary: operation.summary,
    weight: String(operation["x-openbell-weight"]),
    call: { method, path, security: operation["x-openbell-security"] },
    parameters: operation.parameters.map((each) => parameterOf(resolveReference(document, each))),
    fields: fieldsOf(answer?.schema),
    examples: Object.values(answer?.examples ?? {}).map((each) => {
      const { summary = "", value } = resolveReference(document, each);
      return { title: summary, value };
    }),
    errors: errorsOf(document, operation),
  };
}

/** The errors of an operation: each code once, with all its HTTP statuses. */
function errorsOf(document: OpenApi, { responses }: Operation): EntryError[] {
  const byCode = new Map<number, EntryError>();
  for (const [status, { content }] of Object.entries(responses)) {
    if (status === "200") continue;
    for (const each of Object.values(content?.["application/json"]?.examples ?? {})) {
      const { summary: meaning = "", value } = resolveReference(document, each);
      const { code } = value as { code: number };
      const statuses = [...(byCode.get(code)?.statuses ?? []), status];
      byCode.set(code, { statuses, code, meaning });
    }
  }
  return [...byCode.values()].toSorted((one, other) => other.code - one.code);
}

/** Entries for the WebSocket interfaces: streams, methods and events. */
export function socketEntries(document: AsyncApi): DocumentEntry[] {
  return Object.entries(document.operations).flatMap(([name, operation]) => {
    const channel = resolveReference<AsyncApi["channels"][string]>(document, operation.channel);
    const messageOf = ($ref: string) => resolveReference<Message>(document, { $ref });
    if (operation.action === "receive") {
      const request = operation.messages[0];
      const reply = operation.reply?.messages[0];
      if (request === undefined || reply === undefined) return [];
      return [
        requestEntry(name, operation.summary, messageOf(request.$ref), messageOf(reply.$ref)),
      ];
    }
    return operation.messages.map(({ $ref }) => {
      const event = $ref.split("/").at(-1) ?? "";
      const isOfAccount = channel.address === "/ws-api/v3";
      const message = messageOf($ref);
      return {
        id: isOfAccount ? event : name,
        group: isOfAccount ? "User data" : "Market streams",
        title: isOfAccount ? event : channel.address,
        summary: message.summary ?? operation.summary,
        parameters: [],
        ...answerOf(message),
        errors: [],
      };
    });
  });
}

function requestEntry(
  name: string,
  summary: string,
  request: Message,
  reply: Message,
): DocumentEntry {
  const { properties = {}, required = [] } = request.payload?.properties?.["params"] ?? {};
  return {
    id: name,
    group: "WebSocket requests",
    title: name,
    summary,
    parameters: Object.entries(properties).map(([parameter, schema]) =>
      parameterOf({ name: parameter, schema, required: required.includes(parameter) }),
    ),
    ...answerOf(reply),
    errors: [],
  };
}

function answerOf({ examples = [], payload }: Message): Pick<DocumentEntry, "examples" | "fields"> {
  return {
    fields: fieldsOf(payload),
    examples: examples.map(({ payload: value }) => ({ title: "", value })),
  };
}

function parameterOf(parameter: ParameterObject): EntryParameter {
  const { content, description, name, required = false, schema } = parameter;
  const described = schema ?? content?.["application/json"]?.schema ?? {};
  return {
    name,
    isRequired: required,
    type: content === undefined ? typeOf(described) : `JSON ${typeOf(described)}`,
    description: [description ?? described.description, boundsOf(described)]
      .filter((text) => text !== undefined && text !== "")
      .join(" "),
    choices: (described.enum ?? []).map(String),
  };
}

function boundsOf({ default: otherwise, maximum, minimum }: Schema): string {
  const most = maximum === undefined ? "" : `at most ${maximum}`;
  const least = minimum === undefined || minimum === 0 ? "" : `at least ${minimum}`;
  const usual = otherwise === undefined ? "" : `${JSON.stringify(otherwise)} if left out`;
  const text = [least, most, usual].filter((each) => each !== "").join(", ");
  return text === "" ? "" : `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

function typeOf({ enum: choices, const: only, items, type }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (choices !== undefined) return choices.map(String).join(" | ");
  if (type === "array" && items !== undefined) return `array of ${typeOf(items)}`;
  if (type === undefined) return "any";
  return typeof type === "string" ? type : type.join(" | ");
}

/** All fields of an answer's schema, nested ones included. */
function fieldsOf(schema: Schema | undefined, at = "", isAlways = true): EntryField[] {
  if (schema === undefined) return [];
  const own = at === "" || at.endsWith("[]") ? [] : [{ path: at, type: typeOf(schema), isAlways }];
  const { items, prefixItems = [], properties = {}, required = [] } = schema;
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, field]) =>
      fieldsOf(field, at === "" ? name : `${at}.${name}`, required.includes(name)),
    ),
    ...fieldsOf(items, `${at}[]`),
    ...prefixItems.flatMap((item, index) => fieldsOf(item, `${at}[${index}]`)),
  ];
}
