/**
 * Accepts the operator's commands on a Unix socket in the data directory. A user who may write to that
 * directory controls the exchange anyway, so file permissions are the only protection; the socket
 * cannot be reached over a network.
 */
import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type ControlAnswer, socketPathOf } from "./control-socket.ts";
import type { Log } from "../log.ts";

const BODY_BYTES_MAX = 2_000_000;
/** Linux and macOS limit a socket's path (`sun_path`) to about this many bytes. */
const PATH_BYTES_MAX = 100;

/** The handlers of requests by path, such as `/catalogue/plan`; each gets the request's text. */
export type ControlRequests = Readonly<
  Record<string, (text: string) => ControlAnswer | Promise<ControlAnswer>>
>;

/** @returns a function that closes the socket */
export async function openControl(options: {
  readonly dataDir: string;
  readonly requests: ControlRequests;
  readonly log: Log;
}): Promise<() => Promise<void>> {
  const { dataDir, requests, log } = options;
  const path = socketPathOf(dataDir);
  if (process.platform === "win32" || Buffer.byteLength(path) > PATH_BYTES_MAX) {
    log.warn(
      { path },
      "no socket for commands can be opened there: openbell cannot change this exchange",
    );
    return () => Promise.resolve();
  }
  // The directory is locked, so an existing socket was left by a killed process.
  rmSync(path, { force: true });
  /** Requests run one after another, so that none changes the state that another has just compared. */
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    const onFailure = (error: unknown) => {
      log.error({ err: error }, "a command of the operator failed");
      response.destroy();
    };
    // Queued only once it has been received, so that an incomplete request delays no other.
    receive(request, response, requests)
      .then((command) => {
        if (command === undefined) return;
        last = last.then(() => execute(command, response)).catch(onFailure);
      })
      .catch(onFailure);
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    // The process's umask denies access to other users.
    server.listen(path, listening);
  });
  return () =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
}

/** The command of a request once it has been received in full; undefined if it was refused. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  requests: ControlRequests,
): Promise<(() => ControlAnswer | Promise<ControlAnswer>) | undefined> {
  const path = request.url ?? "";
  if (request.method !== "POST" || !Object.hasOwn(requests, path)) {
    response.writeHead(404).end();
    return undefined;
  }
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > BODY_BYTES_MAX) {
      response.writeHead(413).end();
      return undefined;
    }
    parts.push(part);
  }
  return () => requests[path](Buffer.concat(parts).toString("utf8"));
}

async function execute(
  command: () => ControlAnswer | Promise<ControlAnswer>,
  response: ServerResponse,
): Promise<void> {
  const answer = await command();
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}
