/**
 * Removes code from libraries that the pages never use and tree shaking cannot find: pagination, logging and
 * helpers for old browsers of the backend's client, its values that JSON lacks, all formats but JSON in answers of
 * server functions, options of icons, and style sheets of single files.
 */
import { parseAst, type Plugin } from "vite";
import { visitNodes } from "./syntax-tree.ts";

/** Replaces the client's paginated queries: passes every transition on unchanged. */
export const PLAIN_QUERY_CLIENT = `export class PaginatedQueryClient {
  constructor(client, onTransition) {
    client.addOnTransitionHandler((transition) =>
      onTransition({ ...transition, paginatedQueries: [] }),
    );
  }
}
`;

/** Logs nothing, as the client that the pages create without a logger; its errors keep their texts. */
export const SILENT_LOGGING = `const silent = { logVerbose() {}, log() {}, warn() {}, error() {} };
export const instantiateDefaultLogger = () => silent;
export const instantiateNoopLogger = () => silent;
export const logForFunction = () => {};
export const logFatalError = (logger, message) => new Error("[CONVEX FATAL ERROR] " + message);
const LETTERS = { query: "Q", mutation: "M", action: "A", any: "?" };
export const createHybridErrorStacktrace = (source, udfPath, { errorMessage }) =>
  "[CONVEX " + LETTERS[source] + "(" + udfPath + ")] " + errorMessage + "\\n  Called by client";
export function forwardData({ errorData }, error) {
  error.data = errorData;
  return error;
}
`;

/**
 * Values as the pages exchange them: no 64-bit integers, bytes or checks of names, which the contract's types make.
 * Names are sorted, so that the same arguments are the same query.
 */
export const PLAIN_VALUES = `export class CommitTsPlaceholder {}
// Imported by parts of the package that pages do not use.
export const MAX_INT64 = undefined;
export const commitTsPlaceholder = undefined;
export const convexOrUndefinedToJson = undefined;
export const patchValueToJson = undefined;
export const stringifyValueForError = (value) => JSON.stringify(value);
const bytesOf = (text) => Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
export function jsonToConvex(value) {
  if (Array.isArray(value)) return value.map(jsonToConvex);
  if (typeof value !== "object" || value === null) return value;
  if ("$float" in value) return new DataView(bytesOf(value.$float).buffer).getFloat64(0, true);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, jsonToConvex(each)]));
}
export function convexToJson(value) {
  if (Array.isArray(value)) return value.map(convexToJson);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return Object.fromEntries(names.sort().map((name) => [name, convexToJson(value[name])]));
}
`;

/** Calls server functions that take no arguments and answer with a Response, as all of ours do. */
export const SERVER_FUNCTION_CLIENT = `export const createServerFn = ({ method }) => ({
  handler: (call) => (options) => call({ ...options, method }),
});
// Exported by the package, and used by the server alone.
export const execValidator = undefined;
export const executeMiddleware = undefined;
export const flattenMiddlewares = undefined;
`;
export const SERVER_FUNCTION_FETCH = `export async function serverFnFetcher(url, [{ method, data, signal }], fetch) {
  if (data !== undefined) throw new Error("server functions of the pages take no arguments");
  const headers = { "x-tsr-serverFn": "true", accept: "application/json" };
  const answer = await fetch(url, { method, headers, signal });
  if (answer.headers.get("x-tss-raw") === "true") return answer;
  throw new Error("a server function answered " + answer.status);
}
export function trackPostProcessPromise() {}
`;

/** Icons as the pages use them: of one size and line width, in the text's colour, named by the text beside them. */
export const PLAIN_ICONS = `import { createElement } from "react";
const LINES = {
  xmlns: "http://www.w3.org/2000/svg", width: 24, height: 24, viewBox: "0 0 24 24", fill: "none",
  stroke: "currentColor", strokeWidth: 2, strokeLinecap: "round", strokeLinejoin: "round", "aria-hidden": true,
};
export default ({ name, node }) => ({ className, ...rest }) =>
  createElement(
    "svg",
    { ...LINES, ...rest, className: "lucide lucide-" + name + (className ? " " + className : "") },
    ...node.map(([shape, terms]) => createElement(shape, terms)),
  );
`;

/** The pages have one style sheet, which the document names, so files are imported as they are. */
export const PLAIN_IMPORTS = "export const __vitePreload = (load) => load();";

const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\/convex\/dist\/esm\/browser\/sync\/paginated_query_client\.js$/, PLAIN_QUERY_CLIENT],
  [/\/convex\/dist\/esm\/browser\/logging\.js$/, SILENT_LOGGING],
  [/\/convex\/dist\/esm\/values\/value\.js$/, PLAIN_VALUES],
  [/\/start-client-core\/dist\/esm\/createServerFn\.js$/, SERVER_FUNCTION_CLIENT],
  [/\/start-client-core\/dist\/esm\/client-rpc\/serverFnFetcher\.js$/, SERVER_FUNCTION_FETCH],
  [/\/lucide-react\/dist\/esm\/createLucideIcon\.mjs$/, PLAIN_ICONS],
  [/^\0vite\/preload-helper\.js$/, PLAIN_IMPORTS],
];
/** Their shapes have keys for lists, of which {@link PLAIN_ICONS} makes none. */
const ICON = /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/;
const BACKEND_CLIENT = /\/convex\/dist\/esm\/(?:browser\/sync|react)\/\w+\.js$/;

export function leanLibraries(): Plugin[] {
  const inPages = {
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
  } as const satisfies Partial<Plugin>;
  return [
    ...REPLACED.map(([id, source], index) => ({
      ...inPages,
      name: `lean-libraries-${index}`,
      load: { filter: { id }, handler: () => source },
    })),
    {
      ...inPages,
      name: "lean-libraries-store",
      // React's own hook instead of a polyfill for old versions of React.
      resolveId: {
        filter: { id: /^use-sync-external-store\/shim\/with-selector$/ },
        handler(_, importer) {
          return this.resolve("use-sync-external-store/with-selector", importer);
        },
      },
    },
    {
      ...inPages,
      name: "lean-libraries-icons",
      transform: {
        filter: { id: ICON },
        handler: (code) => ({ code: code.replaceAll(/, key: "\w+"/g, ""), map: null }),
      },
    },
    {
      ...inPages,
      name: "lean-libraries-log",
      transform: {
        filter: { id: BACKEND_CLIENT },
        handler: (code) => ({ code: withPlainFields(withoutLogging(code)), map: null }),
      },
    },
  ];
}

/** Log messages, which the pages disable, and declarations of fields without a value. */
const IDLE = /^(?:this\.(?:_logVerbose|logger\.\w+)\(|__publicField\(this, "\w+"\);$)/;

/**
 * Removes the client's log messages, since pages create it without a logger, and declarations of fields
 * that the constructor sets.
 */
export function withoutLogging(source: string): string {
  let lean = "";
  let done = 0;
  visitNodes(parseAst(source), ({ type, start, end }) => {
    if (type !== "ExpressionStatement" || typeof start !== "number" || typeof end !== "number")
      return;
    if (start < done || !IDLE.test(source.slice(start, end))) return;
    lean += `${source.slice(done, start)};`;
    done = end;
  });
  return lean + source.slice(done);
}

/** Sets fields by assignments, where the library defines them through a helper that each of its files has. */
export function withPlainFields(source: string): string {
  return source.replaceAll(/__publicField\(this, "(\w+)", /g, "(this.$1 = ");
}
