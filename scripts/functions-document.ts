/**
 * Writes docs/functions.md: every public function with its arguments, answer, limits and an example.
 * Kinds, arguments and limits are taken from the server's schemas; comments and types of answers from
 * the contract's source.
 */
import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { Declaration, FunctionKind } from "#contract/declaration.ts";
import { publicFunctions } from "#contract/public-functions.ts";
import { EXAMPLES, type FunctionPath } from "./function-examples.ts";

const CONTRACT = "src/contract";
const METHODS: Readonly<Record<FunctionKind, string>> = {
  query: "query",
  mutation: "mutation",
  action: "action",
};

type AnyDeclaration = Declaration<
  FunctionKind,
  z.ZodType<Record<string, unknown>, Record<string, unknown>>,
  unknown
>;
type Json = Readonly<Record<string, unknown>>;

/** What is read from a function's source, because its schema lacks it. */
interface FromSource {
  readonly comment: string;
  /** TypeScript type of the answer. */
  readonly answer: string;
}

const INTRODUCTION = `# Public functions

The functions of the reactive backend: what pages call, and any other program may. \`npm run docs\` writes this
document from [src/contract/public-functions.ts](../src/contract/public-functions.ts), which is what the server
checks; a test fails if it is out of date. Programs that trade use the
[trading API](trading-api.md), which has keys, weights and lists of instruments that their libraries know.

Queries answer at once and stay current while a client subscribes to them. A mutation is answered once its
outcome is durable, and executed once however often a client sends it again. An action is answered once, and
never sent again. With the official client (\`npm install convex\`):

\`\`\`ts
import { ConvexClient } from "convex/browser";
import { anyApi as api } from "convex/server";

const client = new ConvexClient("https://exchange.example", { skipConvexDeploymentUrlCheck: true });
client.onUpdate(api.markets.book, { market: "BTC-USD", levels: 10 }, (book) => console.log(book));
client.setAuth(async () => token); // of a session: GET /api/auth/token
await client.mutation(api.orders.cancel, { orderId: "42" });
\`\`\`

Over HTTP: \`POST /api/query\`, \`/api/mutation\` or \`/api/action\` with
\`{"path": "markets:book", "args": {"market": "BTC-USD"}, "format": "json"}\` and, for a user,
\`Authorization: Bearer TOKEN\`. The answer is \`{"status": "success", "value": …}\`, or with status 560
\`{"status": "error", "errorMessage": …, "errorData": {"code", "field", "message"}}\`. A mutation over HTTP has no
name by which a repeat could be known: give orders a \`clientOrderId\`.

Amounts, prices and quantities are decimal strings, times are milliseconds since 1970 UTC. The protocol, rule by
rule, is in [reactive-protocol.md](reactive-protocol.md).
`;

/** The content of docs/functions.md. */
export function functionsDocument(): string {
  const source = readFileSync(`${CONTRACT}/public-functions.ts`, "utf8");
  const fromSource = functionsIn(source);
  const nouns = Object.entries(publicFunctions).map(([noun, functions]) => {
    const sections = Object.entries(functions).map(([name, declaration]) => {
      const path = `${noun}:${name}` as FunctionPath;
      const found = fromSource.get(path);
      if (found === undefined) throw new Error(`${path} is not found in the source`);
      return functionSection(path, declaration as AnyDeclaration, found);
    });
    return [`## ${noun}`, commentOfNoun(source, noun), ...sections].filter(Boolean).join("\n\n");
  });
  const answers = [...fromSource.values()].map(({ answer }) => answer);
  return `${INTRODUCTION}\n${indexOf()}\n\n${nouns.join("\n\n")}\n\n${typesSection(answers)}\n`;
}

/** The index of all functions, by kind. */
function indexOf(): string {
  const rows = Object.entries(publicFunctions).map(([noun, functions]) => {
    const names = Object.entries(functions).map(
      ([name, { kind }]) => `[${name}](#${`${noun}${name}`.toLowerCase()}) (${kind})`,
    );
    return `| ${noun} | ${names.join(", ")} |`;
  });
  return ["| noun | functions |", "|---|---|", ...rows].join("\n");
}

function functionSection(
  path: FunctionPath,
  { kind, args, limits, isForAdmins }: AnyDeclaration,
  { comment, answer }: FromSource,
): string {
  const example = EXAMPLES[path];
  const [noun, name] = path.split(":");
  const given = example === undefined ? "{}" : inline(example);
  const ofAction =
    kind === "action"
      ? `, ${limits.msMax / 1_000} s${limits.work === "heavy" ? ", one at a time for each user" : ""}`
      : "";
  return [
    `### ${path}`,
    comment,
    `${kind === "action" ? "An" : "A"} ${METHODS[kind]}${isForAdmins ? " for administrators" : ""}. Arguments of at most ${limits.argumentBytesMax} bytes${ofAction}.`,
    argumentsTable(args),
    `Answer: \`${answer}\``,
    `\`\`\`ts\nawait client.${METHODS[kind]}(api.${noun}.${name}, ${given});\n\`\`\``,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function argumentsTable(args: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(args, { io: "input" }) as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([name, schema]) => {
    const necessity =
      "default" in schema
        ? `default ${JSON.stringify(schema.default)}`
        : required.includes(name)
          ? "required"
          : "optional";
    return `| \`${name}\` | ${typeOf(schema)} | ${necessity} |`;
  });
  if (rows.length === 0) return "";
  return ["| argument | type | |", "|---|---|---|", ...rows].join("\n");
}

/** A short description of a JSON Schema's type. */
function typeOf(schema: Json): string {
  const { anyOf, oneOf, type, items, properties } = schema;
  const choices = (anyOf ?? oneOf) as readonly Json[] | undefined;
  if (choices !== undefined) return choices.map(typeOf).join(" or ");
  if (schema.enum !== undefined) return (schema.enum as unknown[]).map(code).join(", ");
  if (schema.const !== undefined) return code(schema.const);
  if (type === "array") return `list of ${typeOf(items as Json)}${bounds(schema, "Items")}`;
  if (properties !== undefined) {
    const required = (schema.required ?? []) as readonly string[];
    const fields = Object.entries(properties as Record<string, Json>).map(
      ([name, field]) => `\`${name}\`${required.includes(name) ? "" : "?"}: ${typeOf(field)}`,
    );
    return `object with ${fields.join("; ")}`;
  }
  if (type === "string") return `text${bounds(schema, "Length")}`;
  return `${String(type)}${range(schema)}`;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

function bounds(schema: Json, of: "Items" | "Length"): string {
  const [min = 0, max] = [schema[`min${of}`], schema[`max${of}`]] as (number | undefined)[];
  return max === undefined ? "" : ` (${min} to ${max})`;
}

function range({ minimum, maximum }: Json): string {
  const isSafe = maximum === undefined || Math.abs(Number(maximum)) >= Number.MAX_SAFE_INTEGER;
  if (minimum === undefined || Math.abs(Number(minimum)) >= Number.MAX_SAFE_INTEGER) return "";
  return isSafe ? `, at least ${Number(minimum)}` : `, ${Number(minimum)} to ${Number(maximum)}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${inline(field)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** The functions by path, in source order. */
function functionsIn(source: string): Map<string, FromSource> {
  const found = new Map<string, FromSource>();
  const table = source.slice(source.indexOf("export const publicFunctions"));
  for (const [, noun, body] of table.matchAll(/^ {2}(\w+): \{\n(.*?)^ {2}\},$/gms)) {
    const functions =
      /^((?: {4}(?:\/\*\*| \*)[^\n]*\n)*) {4}(\w+): (?:query|mutation|action|timedAction|admin\w+|declare)\(.*?\.answers<(.*?)>\(\),$/gms;
    for (const [, comment, name, answer] of body.matchAll(functions)) {
      found.set(`${noun}:${name}`, { comment: plain(comment), answer: oneLine(answer) });
    }
  }
  return found;
}

function commentOfNoun(source: string, noun: string): string {
  const pattern = new RegExp(`^((?: {2}(?:/\\*\\*| \\*).*\\n)+) {2}${noun}: \\{$`, "m");
  return plain(pattern.exec(source)?.[1] ?? "");
}

/** A comment's text without its markers and line breaks. */
function plain(comment: string): string {
  return oneLine(comment.replaceAll(/\/\*\*|\*\/|^\s*\*(?!\/)/gm, " ")).replace(
    /^@param /,
    "With ",
  );
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/< | >/g, (bracket) => bracket.trim())
    .trim();
}

/** The declarations of all types that the answers refer to, as in the contract. */
function typesSection(answers: readonly string[]): string {
  const declared = typesOfContract();
  const used = new Set<string>();
  const waiting = [...answers];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [name] of text.matchAll(/\b[A-Z]\w+\b/g)) {
      const declaration = declared.get(name);
      if (declaration === undefined || used.has(name)) continue;
      used.add(name);
      waiting.push(declaration);
    }
  }
  const texts = [...used].toSorted().map((name) => declared.get(name));
  return `## Answers\n\nThe types of the contract.\n\n\`\`\`ts\n${texts.join("\n\n")}\n\`\`\``;
}

function typesOfContract(): Map<string, string> {
  const declared = new Map<string, string>();
  const files = readdirSync(CONTRACT).filter((name) => /(?<!\.test)\.ts$/.test(name));
  for (const file of files.toSorted()) {
    const source = readFileSync(`${CONTRACT}/${file}`, "utf8");
    const types =
      /^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:interface (\w+)[\s\S]*?^\}|type (\w+)[^;]*?;)$/gm;
    for (const [text, interfaceName, typeName] of source.matchAll(types)) {
      declared.set(interfaceName ?? typeName, text.replaceAll(/^export /gm, ""));
    }
  }
  return declared;
}
