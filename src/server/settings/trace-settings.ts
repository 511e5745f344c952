/** Settings of traces, under the names that OpenTelemetry gives them for every program. */
import { z } from "zod";

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
/** RFC 9110, 5.6.2 and 5.5. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const RATIO = "must be a number from 0 to 1";

export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .refine((url) => !/[?#]/.test(url), "must have no query and no fragment")
    .refine(
      (url) => new URL(url).username === "" && new URL(url).password === "",
      "must have no password: headers belong in OTEL_EXPORTER_OTLP_HEADERS",
    )
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .transform((text, context) => {
      const headers = headersIn(text);
      if (headers !== undefined) return headers;
      context.addIssue("must be name=value, separated by commas, with percent-encoded values");
      return z.NEVER;
    })
    .optional(),
  OTEL_SERVICE_NAME: z.string().min(1).max(100).default("openbell"),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default("always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number(RATIO).min(0, RATIO).max(1, RATIO).default(1),
} as const;

/**
 * The headers in a text such as `authorization=Bearer%20abc,x-tenant=1`
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/); undefined if it is no such text.
 */
function headersIn(text: string): Readonly<Record<string, string>> | undefined {
  const headers: Record<string, string> = {};
  for (const item of text.split(",")) {
    const at = item.indexOf("=");
    const name = item.slice(0, Math.max(0, at)).trim();
    const value = decoded(item.slice(at + 1).trim());
    if (!HEADER_NAME.test(name) || value === undefined || !HEADER_VALUE.test(value)) {
      return undefined;
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
