import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as library from "convex/values";
import { Bell, House } from "lucide-react";
import { type ComponentType, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import {
  PLAIN_ICONS,
  PLAIN_QUERY_CLIENT,
  PLAIN_VALUES,
  SERVER_FUNCTION_CLIENT,
  SERVER_FUNCTION_FETCH,
  SILENT_LOGGING,
  withoutLogging,
  withPlainFields,
} from "./lean-libraries.ts";

interface Transition {
  readonly queries: readonly string[];
  readonly paginatedQueries?: readonly string[];
}

interface QueryModule {
  readonly PaginatedQueryClient: new (
    client: { addOnTransitionHandler: (handler: (transition: Transition) => void) => void },
    onTransition: (transition: Transition) => void,
  ) => object;
}

interface ValueModule {
  readonly convexToJson: (value: unknown) => unknown;
  readonly jsonToConvex: (json: unknown) => unknown;
}

interface FetchModule {
  readonly serverFnFetcher: (url: string, args: object[], send: typeof fetch) => Promise<Response>;
}

async function importSource<Module>(source: string): Promise<Module> {
  return (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`
  )) as Module;
}

async function sourceOf(module: string, file: string): Promise<string> {
  return readFile(fileURLToPath(new URL(file, import.meta.resolve(module))), "utf8");
}

test("every transition is passed on, without paginated queries", async () => {
  const { PaginatedQueryClient } = await importSource<QueryModule>(PLAIN_QUERY_CLIENT);
  const handlers: ((transition: Transition) => void)[] = [];
  const passed: Transition[] = [];
  const client = {
    addOnTransitionHandler: (handler: (typeof handlers)[0]) => handlers.push(handler),
  };
  expect(new PaginatedQueryClient(client, (transition) => passed.push(transition))).toBeDefined();
  for (const handler of handlers) handler({ queries: ["orders"] });
  expect(passed).toEqual([{ queries: ["orders"], paginatedQueries: [] }]);
});

test("the library still hands every transition to the class that is replaced", async () => {
  const source = await sourceOf("convex/react", "client.js");
  expect(source).toContain("../browser/sync/paginated_query_client.js");
  expect(source).toContain("new PaginatedQueryClient(");
});

test("values are exchanged as the library does", async () => {
  const { convexToJson, jsonToConvex } = await importSource<ValueModule>(PLAIN_VALUES);
  const value = { market: "BTC-USD", at: null, left: undefined, list: [{ b: 1, a: true }], end: 2 };
  for (const each of [value, [value], "text", 0.5, null, {}]) {
    const json = JSON.stringify(library.convexToJson(each));
    expect(JSON.stringify(convexToJson(each))).toBe(json);
    expect(jsonToConvex(JSON.parse(json))).toEqual(library.jsonToConvex(JSON.parse(json)));
  }
  for (const number of [-0, Number.POSITIVE_INFINITY, Number.NaN]) {
    expect(jsonToConvex({ at: [library.convexToJson(number)] })).toEqual({ at: [number] });
  }
});

test("a server function is called as the library does, and its Response is returned", async () => {
  const { serverFnFetcher } = await importSource<FetchModule>(SERVER_FUNCTION_FETCH);
  const sent: unknown[] = [];
  const answered = (headers: Record<string, string>, status = 200) => {
    const send: typeof fetch = (url, init) => {
      sent.push([url, init?.method, new Headers(init?.headers).get("x-tsr-serverfn")]);
      return Promise.resolve(Response.json({ userId: "ann" }, { status, headers }));
    };
    return serverFnFetcher("/_serverFn/viewer", [{ method: "GET" }], send);
  };
  const answer = await answered({ "x-tss-raw": "true" });
  expect(await answer.json()).toEqual({ userId: "ann" });
  expect(sent).toEqual([["/_serverFn/viewer", "GET", "true"]]);
  // Such as the server's request to try again, which is JSON as well.
  await expect(answered({}, 503)).rejects.toThrow("503");
});

test("arguments and the method of a server function reach its call", async () => {
  const { createServerFn } = await importSource<{
    createServerFn: (options: object) => {
      handler: (call: (...given: unknown[]) => unknown) => (options?: object) => unknown;
    };
  }>(SERVER_FUNCTION_CLIENT);
  const called = createServerFn({ method: "GET" }).handler((...given) => given);
  expect(called()).toEqual([{ method: "GET" }]);
  expect(called({ data: 1 })).toEqual([{ method: "GET", data: 1 }]);
});

test("arguments for a server function are refused, not lost", async () => {
  const { serverFnFetcher } = await importSource<FetchModule>(SERVER_FUNCTION_FETCH);
  const call = serverFnFetcher("/_serverFn/viewer", [{ method: "GET", data: { a: 1 } }], fetch);
  await expect(call).rejects.toThrow("take no arguments");
});

test("the library still calls server functions through the function that is replaced", async () => {
  const source = await sourceOf("@tanstack/start-client-core/client-rpc", "createClientRpc.js");
  expect(source).toContain("./serverFnFetcher.js");
  expect(source).toMatch(/serverFnFetcher\(url, args, \w+ \?\? fetch\)/);
});

test("messages to the log and empty fields go, and everything else stays", () => {
  const source = `class Socket {
  constructor(logger) {
    __publicField(this, "uri");
    __publicField(this, "retries", 0);
    this.logger = logger;
    if (logger) this.logger.log(\`at \${() => { this._logVerbose("x"); }}\`);
    else this.connect();
  }
}`;
  expect(withoutLogging(source)).toBe(`class Socket {
  constructor(logger) {
    ;
    __publicField(this, "retries", 0);
    this.logger = logger;
    if (logger) ;
    else this.connect();
  }
}`);
});

test("the backend's client logs nothing any more", async () => {
  const files = ["authentication_manager.js", "client.js", "web_socket_manager.js"];
  for (const file of files) {
    const source = await sourceOf("convex/browser", `sync/${file}`);
    expect(source).toMatch(/this\.(?:_logVerbose|logger\.\w+)\(/);
    expect(withoutLogging(source)).not.toMatch(/this\.(?:_logVerbose|logger\.\w+)\(/);
  }
});

test("fields that have a value are assigned", () => {
  expect(withPlainFields(`__publicField(this, "mark", (name) => this.seen.add(name));`)).toBe(
    `(this.mark = (name) => this.seen.add(name));`,
  );
});

test("the silent log has all that the client takes of the library's own, and the same errors", async () => {
  type Logging = typeof import("convex/browser") & Record<string, (...given: unknown[]) => unknown>;
  const silent = await importSource<Logging>(SILENT_LOGGING);
  const own = (await import(
    /* @vite-ignore */ fileURLToPath(new URL("logging.js", import.meta.resolve("convex/browser")))
  )) as Logging;
  for (const file of ["client", "remote_query_set", "request_manager", "optimistic_updates_impl"]) {
    const source = await sourceOf("convex/browser", `sync/${file}.js`);
    const names = /import \{([^}]+)\} from "\.\.\/logging\.js"/.exec(source)?.[1];
    for (const name of names?.split(",") ?? []) expect(silent).toHaveProperty(name.trim());
  }
  for (const kind of ["query", "mutation", "action", "any"]) {
    const given = [kind, "orders:place", { errorMessage: "Refused" }];
    expect(silent["createHybridErrorStacktrace"]?.(...given)).toBe(
      own["createHybridErrorStacktrace"]?.(...given),
    );
  }
});

test("icons are drawn as the library draws them", async () => {
  const react = JSON.stringify(import.meta.resolve("react"));
  const { default: create } = await importSource<{
    default: (icon: object) => ComponentType<{ className?: string }>;
  }>(PLAIN_ICONS.replace('"react"', react));
  for (const [file, Icon] of [
    ["icons/bell.mjs", Bell],
    ["icons/house.mjs", House],
  ] as const) {
    const { __iconData } = (await import(
      /* @vite-ignore */ new URL(`../esm/${file}`, import.meta.resolve("lucide-react")).href
    )) as { __iconData: { readonly aliases?: readonly string[] } };
    const drawn = (each: ComponentType<{ className?: string }>) =>
      renderToStaticMarkup(createElement(each, { className: "size-4" }));
    // Without the classes of former names.
    const names = (__iconData.aliases ?? []).map((alias) => ` lucide-${alias}`);
    const expected = names.reduce((text, name) => text.replace(name, ""), drawn(Icon));
    expect(attributesOf(drawn(create(__iconData)))).toEqual(attributesOf(expected));
  }
});

/** A drawing's attributes in any order. */
function attributesOf(markup: string): string[][] {
  return [...markup.matchAll(/<[^>]+>/g)].map(([tag]) =>
    (tag.match(/[\w-]+="[^"]*"/g) ?? []).toSorted(),
  );
}
