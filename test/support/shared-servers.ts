/**
 * Servers that the test files of a run share, in however many processes they are: starting one costs two seconds of
 * processor time. vitest's own process, which outlives those of the tests, keeps them (vitest's globalSetup).
 */
import { once } from "node:events";
import { type Server, type Socket, connect, createServer } from "node:net";
import { join } from "node:path";
import { type RunningServer, startServerProcess } from "./running-server.ts";
import { runFolder } from "./run-folder.ts";

export const SHARED_ADMIN_EMAIL = "root@example.com";
const SETTINGS = {
  /** The simulation moves the markets. */
  simulated: { SIMULATION: "on", AUTH_RATE_LIMIT: "off", ADMIN_EMAIL: SHARED_ADMIN_EMAIL },
  quiet: { SIMULATION: "off", AUTH_RATE_LIMIT: "off" },
};
type Kind = keyof typeof SETTINGS;

/** A server that the test must not stop. */
export type SharedServer = Pick<RunningServer, "url" | "dataDir">;

interface Kept {
  readonly server: Promise<RunningServer>;
  /** A connection of each process that has asked for the server. */
  readonly users: Set<Socket>;
}

/** Starts what is asked for, once, and ends it when no process that has asked for it lives. */
export default async function setUp(): Promise<() => Promise<void>> {
  const kept = new Map<Kind, Kept>();
  /**
   * Ends with the start before. Starts load modules, and vitest's module runner gives a second importer
   * modules that are not evaluated yet.
   */
  let starting: Promise<unknown> = Promise.resolve();

  function start(kind: Kind): Promise<RunningServer> {
    const server = starting.then(() => startServerProcess(SETTINGS[kind]));
    starting = server.catch(() => undefined);
    return server;
  }

  function keep(kind: Kind): Kept {
    const found = kept.get(kind) ?? { server: start(kind), users: new Set() };
    kept.set(kind, found);
    return found;
  }

  async function serve(user: Socket): Promise<void> {
    const [kind] = (await once(user.setEncoding("utf8"), "data")) as [Kind];
    const { server, users } = keep(kind);
    users.add(user);
    user.once("close", () => {
      users.delete(user);
      if (users.size === 0) void end(kind);
    });
    const { url, dataDir } = await server;
    user.write(JSON.stringify({ url, dataDir } satisfies SharedServer));
  }

  async function end(kind: Kind): Promise<void> {
    const server = kept.get(kind)?.server;
    kept.delete(kind);
    // One that did not start has been reported.
    await server?.then(
      (started) => started.remove(),
      () => undefined,
    );
  }

  const host: Server = createServer((user) => {
    // A process that is killed resets its connection.
    user.on("error", () => undefined);
    serve(user).catch((error: unknown) => {
      // The end of the connection tells the process that asked.
      process.stderr.write(`no shared server: ${String(error)}\n`);
      user.destroy();
    });
  });
  host.listen(addressOfHost());
  await once(host, "listening");
  return async () => {
    host.close();
    await Promise.all([...kept.keys()].map(end));
  };
}

function addressOfHost(): string {
  return join(runFolder(), "shared-servers.socket");
}

/** Those that this process has asked for. */
const asked = new Map<Kind, Promise<SharedServer>>();

/**
 * A server shared by all test files that need no other settings. They must not stop it or change its markets or
 * anything else in common, each signs up its own users, and others trade in its markets meanwhile.
 */
export function sharedServer(kind: Kind): Promise<SharedServer> {
  let server = asked.get(kind);
  if (server === undefined) {
    server = ask(kind);
    asked.set(kind, server);
    // The next test file tries again.
    server.catch(() => asked.delete(kind));
  }
  return server;
}

/** Stays connected for as long as this process lives. */
async function ask(kind: Kind): Promise<SharedServer> {
  const host = connect(addressOfHost()).setEncoding("utf8");
  host.write(kind);
  const answer = await new Promise<string>((answered, failed) => {
    host.once("data", answered);
    host.once("error", failed);
    host.once("close", () => failed(new Error(`no ${kind} server was started`)));
  });
  host.unref();
  return JSON.parse(answer) as SharedServer;
}
