/** The answers to callers when a function takes too long, logs, or returns a value that cannot be sent. */
import { ConvexHttpClient } from "convex/browser";
import { afterEach, expect, test } from "vitest";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import {
  type Answer,
  api,
  MemoryHost,
  openClient,
  startServer,
  until,
} from "#test/support/reactive-server.ts";
import type { ActionCall, Executor, FunctionCall, FunctionResult } from "./executor.ts";
import type { ReactiveLog } from "./reactive-log.ts";
import type { ReactiveServerOptions } from "./reactive-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start(parts: Partial<Executor> = {}, options: Partial<ReactiveServerOptions> = {}) {
  const host = new MemoryHost();
  const executor = { ...host.executor, ...parts };
  const server = await startServer(host, { executor, ...options });
  closers.push(() => server.close());
  const page = openClient(server.address);
  closers.push(() => page.close());
  const http = new ConvexHttpClient(server.address, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
  });
  return { host, server, page, http };
}

const messageOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => "it succeeded",
    (error: Error) => error.message,
  );

test("an action that never ends is given up, and learns it", async () => {
  const calls: ActionCall[] = [];
  const action = (call: ActionCall) => {
    calls.push(call);
    return new Promise<never>(() => {});
  };
  const { page, http } = await start({ action }, { actionMsMax: 20 });
  const told = await Promise.all([
    messageOf(page.action(api.echoes.never, {})),
    messageOf(http.action(api.echoes.never, {})),
  ]);
  for (const message of told) expect(message).toContain("took longer than 0.02 seconds");
  expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
});

test("a function may have less time than the server gives to any", async () => {
  const action = () => new Promise<never>(() => {});
  const lookUp = () => ({ argumentBytesMax: 10_000, msMax: 20 });
  const { page, http } = await start({ action, lookUp });
  for (const client of [page, http]) {
    const told = await messageOf(client.action(api.echoes.never, {}));
    expect(told).toContain("took longer than 0.02 seconds");
  }
});

test.each([
  ["a Set", new Set([1])],
  ["a Map", { inside: new Map() }],
  ["a function", () => 1],
])("a mutation that answers %s says that it was carried out", async (_what, value) => {
  const { host, page, http } = await start();
  host.aroundMutation = async (run) => {
    await run();
    return { status: "success", value };
  };
  for (const client of [page, http]) {
    const message = await messageOf(client.mutation(api.lists.append, { text: "once" }));
    expect(message).toContain("was carried out, but its answer cannot be sent");
  }
  expect(host.items).toEqual(["once", "once"]);
});

test("a function's log lines reach the caller with the answer", async () => {
  const logLines = ["[LOG] 'one'", "[ERROR] two"];
  const logged = (call: FunctionCall): FunctionResult =>
    call.path.startsWith("failures:")
      ? { status: "error", message: "No.", logLines }
      : { status: "success", value: 1, logLines };
  const { server } = await start({
    query: (call) => ({ result: logged(call), topics: new Set(), readsIdentity: false }),
    mutation: async (call) => logged(call),
    action: async (call) => logged(call),
  });
  const { socket, heard, send } = await openSocket(server);
  closers.push(() => socket.terminate());
  send(CONNECT);
  send(addQuery(1, "values:one", {}));
  send({ type: "Mutation", requestId: 0, udfPath: "values:one", args: [{}] });
  send({ type: "Action", requestId: 1, udfPath: "failures:plain", args: [{}] });
  const answers = () =>
    heard.flatMap((message: Answer) =>
      message.type === "Transition" ? message.modifications : [message],
    );
  await until(() => answers().length === 3);
  for (const answer of answers()) expect(answer.logLines).toEqual(logLines);
  for (const [kind, path] of [
    ["query", "values:one"],
    ["mutation", "values:one"],
    ["action", "failures:plain"],
  ]) {
    const response = await fetch(`${server.address}/api/${kind}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ path, args: {} }),
    });
    expect(await response.json()).toMatchObject({ logLines });
  }
});

function recordedLines() {
  const lines: Record<string, unknown>[] = [];
  const logWith = (bindings: object): ReactiveLog => ({
    info() {},
    warn: (details) => lines.push({ ...bindings, ...details }),
    error: (details) => lines.push({ ...bindings, ...details }),
    child: (more) => logWith({ ...bindings, ...more }),
  });
  return { lines, log: logWith({}) };
}

test("the log line of a query that fails names who asked for it first", async () => {
  const { lines, log } = recordedLines();
  const query = (): never => {
    throw new Error("a broken function");
  };
  const { page, http } = await start({ query }, { log, requestIdOf: () => "a request over HTTP" });
  await messageOf(page.query(api.counters.get, {}));
  // Other arguments: the page's entry may still exist.
  await messageOf(http.query(api.counters.get, { name: "another" }));
  expect(lines.map(({ request }) => request)).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}\/query 0$/),
    "a request over HTTP",
  ]);
});

test("each log line of a failure names the request, as the host names it over HTTP", async () => {
  const { lines, log } = recordedLines();
  const asked: (string | undefined)[] = [];
  const fails = async ({ request }: FunctionCall): Promise<never> => {
    asked.push(request);
    throw new Error("a broken function");
  };
  const { page, http } = await start(
    { mutation: fails, action: fails },
    { log, requestIdOf: () => "a request over HTTP" },
  );
  await messageOf(page.mutation(api.counters.add, {}));
  await messageOf(page.action(api.echoes.back, {}));
  await messageOf(http.mutation(api.counters.add, {}));
  await messageOf(http.action(api.echoes.back, {}));
  const { connection } = lines[0];
  const named = [`${String(connection)}/0`, `${String(connection)}/1`];
  named.push("a request over HTTP", "a request over HTTP");
  expect(asked).toEqual(named);
  expect(lines.map(({ request }) => request)).toEqual(named);
});
