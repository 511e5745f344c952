/** What a call takes, as JSON Schema: made from the schema by which the server checks it. */
import { z } from "zod";

export interface DescribedParameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly schema: JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** In the order in which the call declares them. */
export function describeParameters(parameters: z.ZodObject): DescribedParameter[] {
  const { properties = {}, required = [] } = jsonSchemaOf(parameters);
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, found]) => {
    const { description, ...schema } = { ...plain(found), ...defaultOf(parameters.shape[name]) };
    return {
      name,
      isRequired: (required as string[]).includes(name),
      description: description as string | undefined,
      schema,
    };
  });
}

/** Zod leaves out the default of a text that is turned into another value. */
function defaultOf(schema: z.core.$ZodType): JsonSchema {
  return schema instanceof z.ZodDefault ? { default: schema.def.defaultValue } : {};
}

/** Of what is sent, before it is turned into values. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input" });
  return described;
}

/** Numbers are checked as texts, whose patterns say nothing of a number; formats of our own say nothing at all. */
function plain(schema: JsonSchema): JsonSchema {
  const { anyOf, format: _, pattern, ...rest } = schema;
  return {
    ...rest,
    ...(rest.type === "string" && pattern !== undefined && { pattern }),
    ...(anyOf !== undefined && { anyOf: (anyOf as JsonSchema[]).map(plain) }),
  };
}
