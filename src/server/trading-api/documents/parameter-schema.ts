/**
 * The parameters of a call as JSON Schema, converted from the schema with which the server checks
 * them.
 */
import { z } from "zod";

export interface DescribedParameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly schema: JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Describes a call's parameters, in the order in which the call declares them. */
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

/** Zod omits the default of a text that is transformed to another value. */
function defaultOf(schema: z.core.$ZodType): JsonSchema {
  return schema instanceof z.ZodDefault ? { default: schema.def.defaultValue } : {};
}

/** The JSON Schema of the input, before it is transformed. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input" });
  return described;
}

/**
 * Removes patterns of numbers, which are checked as texts, and formats that are defined only here.
 */
function plain(schema: JsonSchema): JsonSchema {
  const { anyOf, format: _, pattern, ...rest } = schema;
  return {
    ...rest,
    ...(rest.type === "string" && pattern !== undefined && { pattern }),
    ...(anyOf !== undefined && { anyOf: (anyOf as JsonSchema[]).map(plain) }),
  };
}
