/**
 * For tests of the reactive server: a small host with counters, lists and sign-ins, and an unreliable
 * network.
 */
import { createServer as createHttpServer } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { ConvexClient } from "convex/browser";
import type { ConvexClientOptions } from "convex/browser";
import { anyApi } from "convex/server";
import { HeldBytes } from "#server/limits/held-bytes.ts";
import { WorkShares } from "#server/limits/work-shares.ts";
import {
  AuthenticationRefusedError,
  AuthenticationUnavailableError,
} from "#server/reactive/executor.ts";
import type {
  Executor,
  FunctionCall,
  FunctionResult,
  Identity,
  QueryResult,
} from "#server/reactive/executor.ts";
import { createReactiveServer } from "#server/reactive/reactive-server.ts";
import type { ReactiveLog } from "#server/reactive/reactive-log.ts";
import type { ReactiveServer, ReactiveServerOptions } from "#server/reactive/reactive-server.ts";

export const api = anyApi;

/** A client's answer. Without generated types for the functions it can be anything. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above; tests compare it as a whole
export type Answer = any;

export const SILENT: ReactiveLog = { info() {}, warn() {}, error() {}, child: () => SILENT };

/** The host's state and functions. Its data outlives a server, like a journal. */
export class MemoryHost {
  counters = new Map<string, number>();
  items: string[] = [];
  notes = new Map<string, string[]>();
  /** Set to "members" to make a shared list depend on the caller. */
  audience: "everybody" | "members" = "everybody";
  endedSessions = new Set<string>();
  /** The number of next tokens whose verification fails, valid or not. */
  authenticationOutages = 0;
  /** How often each query ran, by path. */
  evaluations = new Map<string, number>();
  /** How often a mutation's body ran, including repeats. */
  mutationsRun = 0;
  /** Version of the state, like a journal's sequence. */
  sequence = 1n;
  server: ReactiveServer | undefined;
  nowMs = () => Date.now();
  #done = new Map<string, FunctionResult>();

  readonly executor: Executor = {
    lookUp: (_kind, path) => {
      if (path.startsWith("unknown:")) {
        return { refusal: { status: "error", message: `There is no function ${path}.` } };
      }
      return { argumentBytesMax: path === "echoes:back" ? 200_000 : 65_536 };
    },
    query: (call) => this.#query(call),
    mutation: (call, key) => this.aroundMutation(() => this.#mutation(call, key), key),
    action: (call) => this.#action(call),
    version: () => this.sequence,
    authenticate: async (token) => this.#authenticate(token),
    isLive: (identity) => !this.endedSessions.has(identity.sessionId),
  };

  change(topic: string, urgency: "now" | "conflated" = "now"): void {
    this.sequence += 1n;
    this.server?.invalidate(new Map([[topic, urgency]]));
  }

  #query({ path, args, identity }: FunctionCall): QueryResult {
    this.evaluations.set(path, (this.evaluations.get(path) ?? 0) + 1);
    const given = args as Record<string, string>;
    const answer = (value: unknown, topics: string[], readsIdentity = false): QueryResult => ({
      result: { status: "success", value },
      topics: new Set(topics),
      readsIdentity,
    });
    switch (path) {
      case "counters:get": {
        const value = this.counters.get(given.name) ?? 0;
        return answer({ name: given.name, value }, [`counter:${given.name}`]);
      }
      case "lists:items":
        if (this.audience === "members" && identity === null) return answer([], ["items"], true);
        return answer([...this.items], ["items"], this.audience === "members");
      case "notes:mine":
        if (identity === null) return answer(null, ["notes"], true);
        return answer(this.notes.get(identity.subject) ?? [], [`notes:${identity.subject}`], true);
      case "callers:name":
        return answer(identity?.subject ?? "visitor", [], true);
      case "values:special":
        return answer({ given: args, whole: 7n, float: -0, bytes: new ArrayBuffer(3) }, []);
      case "values:large":
        return answer("é😀".repeat(Number(given.thirds)), []);
      case "failures:plain":
        return {
          result: { status: "error", message: "No." },
          topics: new Set(),
          readsIdentity: false,
        };
      case "failures:data":
        return {
          result: {
            status: "error",
            message: "Refused.",
            data: { code: "notFound", field: "name" },
          },
          topics: new Set(),
          readsIdentity: false,
        };
      default:
        throw new Error(`There is no query ${path}.`);
    }
  }

  /** Set to intercept mutations from the protocol server. */
  aroundMutation = (run: () => Promise<FunctionResult>, _key: string) => run();

  async #mutation(call: FunctionCall, key: string): Promise<FunctionResult> {
    const done = this.#done.get(key);
    if (done !== undefined) return done;
    const { pauseMs = 0 } = call.args as { pauseMs?: number };
    await new Promise((resolve) =>
      pauseMs === 0 ? setImmediate(resolve) : setTimeout(resolve, pauseMs),
    );
    // As in an engine, the check and the change are atomic, so that two calls with one key count once.
    const doneMeanwhile = this.#done.get(key);
    if (doneMeanwhile !== undefined) return doneMeanwhile;
    this.mutationsRun++;
    const result = this.#apply(call);
    if (result.status === "success") this.#done.set(key, result);
    return result;
  }

  #apply({ path, args, identity }: FunctionCall): FunctionResult {
    const given = args as Record<string, Answer>;
    switch (path) {
      case "counters:add": {
        const value = (this.counters.get(given.name) ?? 0) + (given.by ?? 1);
        this.counters.set(given.name, value);
        this.change(`counter:${given.name}`, given.urgency);
        return { status: "success", value };
      }
      case "lists:append":
        this.items.push(given.text);
        this.change("items");
        return { status: "success", value: this.items.length };
      case "notes:add": {
        if (identity === null)
          return { status: "error", message: "Sign in first.", data: { code: "unauthorized" } };
        const notes = [...(this.notes.get(identity.subject) ?? []), given.text];
        this.notes.set(identity.subject, notes);
        this.change(`notes:${identity.subject}`);
        return { status: "success", value: null };
      }
      case "failures:data":
        return {
          status: "error",
          message: "Refused.",
          data: { code: "tooSmall", field: "quantity" },
        };
      case "failures:plain":
        return { status: "error", message: "No." };
      default:
        throw new Error(`There is no mutation ${path}.`);
    }
  }

  async #action({ path, args, identity }: FunctionCall): Promise<FunctionResult> {
    if (path === "echoes:back") {
      return { status: "success", value: { args, subject: identity?.subject ?? null } };
    }
    if (path === "values:large") {
      const { megabytes } = args as { megabytes: string };
      return { status: "success", value: "x".repeat(Number(megabytes) * 1024 * 1024) };
    }
    if (path === "echoes:never") return new Promise(() => {});
    throw new Error(`There is no action ${path}.`);
  }

  #authenticate(token: string): Identity {
    if (this.authenticationOutages > 0) {
      this.authenticationOutages -= 1;
      throw new AuthenticationUnavailableError("connect ECONNREFUSED 10.1.2.3:5432");
    }
    const [, payload, signature] = token.split(".");
    if (signature !== "good") {
      throw new AuthenticationRefusedError("NoAuthProvider", "The token's signature is wrong.");
    }
    const { sub, sid, iat, exp } = JSON.parse(Buffer.from(payload, "base64url").toString());
    if (exp * 1000 <= this.nowMs()) {
      throw new AuthenticationRefusedError("unauthorized", "The token has expired.");
    }
    return { subject: sub, sessionId: sid, issuedAtMs: iat * 1000, expiresAtMs: exp * 1000 };
  }
}

/** An unsigned token in the form of a JWT, whose times the client reads. */
export function tokenFor(
  subject: string,
  options: {
    sessionId?: string;
    signature?: string;
    issuedAtMs?: number;
    lifetimeSeconds?: number;
  } = {},
): string {
  const { sessionId = `${subject}-session`, signature = "good", issuedAtMs = Date.now() } = options;
  const iat = Math.floor(issuedAtMs / 1000);
  const claims = { sub: subject, sid: sessionId, iat, exp: iat + (options.lifetimeSeconds ?? 900) };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "none" })}.${encode(claims)}.${signature}`;
}

export interface TestServer {
  readonly host: MemoryHost;
  readonly reactive: ReactiveServer;
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

export async function startServer(
  host = new MemoryHost(),
  options: Partial<ReactiveServerOptions> = {},
): Promise<TestServer> {
  const shares = new WorkShares();
  const reactive = createReactiveServer({
    executor: host.executor,
    log: SILENT,
    connectionsMax: 1_000,
    shares,
    held: new HeldBytes({ all: 256 * 1024 * 1024, perClient: 64 * 1024 * 1024 }),
    ...options,
  });
  host.server = reactive;
  const http = createHttpServer((request, response) => {
    if (reactive.handleRequest(request, response) === false) response.writeHead(404).end();
  });
  http.on("upgrade", (request, socket, head) => {
    if (!reactive.handleUpgrade(request, socket, head)) socket.destroy();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    host,
    reactive,
    port,
    address: `http://127.0.0.1:${port}`,
    async close() {
      await reactive.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      // Last: work that waits for its share holds its socket, and the socket keeps the server open.
      shares.close();
    },
  };
}

/** A proxy between client and server that breaks connections on demand. */
export interface FlakyNetwork {
  readonly address: string;
  /** Sets the target of new connections. */
  setTarget(port: number): void;
  /** Drops all further data to the client on the existing connections. */
  mute(): void;
  /** Destroys every connection on both sides, with all data in transit. */
  cut(): void;
  close(): Promise<void>;
}

export async function startFlakyNetwork(targetPort: number): Promise<FlakyNetwork> {
  let port = targetPort;
  const sockets = new Set<Socket>();
  const muting = new Set<() => unknown>();
  const server: Server = createTcpServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
    const mute = () => far.unpipe(near);
    muting.add(mute);
    near.on("close", () => muting.delete(mute));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setTarget: (newPort) => (port = newPort),
    mute() {
      for (const mute of muting) mute();
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export function openClient(address: string, options: ConvexClientOptions = {}): ConvexClient {
  return new ConvexClient(address, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
    ...options,
  });
}

/** Resolves once the condition holds; fails after a generous timeout. */
export async function until(condition: () => boolean, what = "the condition"): Promise<void> {
  const deadlineMs = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > deadlineMs) throw new Error(`${what} did not come true`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export interface Watch {
  /** The query's values, in the order in which the client received them. */
  readonly seen: Answer[];
  readonly errors: Error[];
  stop(): void;
  readonly latest: () => Answer;
}

/** Subscribes to a query. */
export function watch(
  client: ConvexClient,
  query: Answer,
  args: Record<string, Answer> = {},
): Watch {
  const seen: Answer[] = [];
  const errors: Error[] = [];
  const stop = client.onUpdate(
    query,
    args,
    (value) => seen.push(value),
    (error) => errors.push(error),
  );
  return { seen, errors, stop: () => stop(), latest: () => seen.at(-1) };
}
