/** Types of the parts of the exchange's OpenAPI and AsyncAPI documents that the page shows. */

export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
}

export interface Reference {
  readonly $ref: string;
}

export interface ParameterObject {
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example | Reference>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (ParameterObject | Reference)[];
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly "application/json"?: Media } }>
  >;
  readonly "x-openbell-security": "none" | "userData" | "trade";
  readonly "x-openbell-weight": number | string;
}

export interface OpenApi {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly examples: Readonly<Record<string, Example>>;
  };
}

export interface Message {
  readonly summary?: string;
  readonly payload?: Schema;
  readonly examples?: readonly { readonly payload: unknown }[];
}

interface Channel {
  readonly address: string;
  readonly summary?: string;
  readonly messages: Readonly<Record<string, Message>>;
}

interface SocketOperation {
  readonly action: "send" | "receive";
  readonly summary: string;
  readonly channel: Reference;
  readonly messages: readonly Reference[];
  readonly reply?: { readonly messages: readonly Reference[] };
}

export interface AsyncApi {
  readonly channels: Readonly<Record<string, Channel>>;
  readonly operations: Readonly<Record<string, SocketOperation>>;
}

function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && "$ref" in value;
}

/** Resolves a reference such as "#/components/examples/UNKNOWN" within its document. */
export function resolveReference<Of>(document: object, reference: Of | Reference): Of {
  if (!isReference(reference)) return reference;
  const path = reference.$ref.slice(2).split("/");
  const found = path.reduce<unknown>(
    (at, name) => (at as Record<string, unknown>)[name.replaceAll("~1", "/")],
    document,
  );
  return found as Of;
}
