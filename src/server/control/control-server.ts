/**
 * The door for the operator's own commands: a socket in the data directory. Whoever may write to that
 * directory owns the exchange anyway, so the permissions of the file system are its only lock; it is
 * not reachable over a network.
 */
import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type ControlAnswer, socketPathOf } from "./control-socket.ts";
import type { Log } from "../log.ts";

const BODY_BYTES_MAX = 2_000_000;
/** `sun_path` of Linux and macOS has room for this many bytes. */
const PATH_BYTES_MAX = 100;

/** What can be asked, by path, such as `/catalogue/plan`; each is given the text that was sent. */
export type ControlRequests = Readonly<
  Record<string, (text: string) => ControlAnswer | Promise<ControlAnswer>>
>;

/** @returns what closes the door */
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
  // Only a process that was killed leaves one: the directory is locked.
  rmSync(path, { force: true });
  /** One after another, so that none changes what another has just compared. */
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    const onFailure = (error: unknown) => {
      log.error({ err: error }, "a command of the operator failed");
      response.destroy();
    };
    // A command that is never sent to its end keeps no other waiting.
    receive(request, response, requests)
      .then((command) => {
        if (command === undefined) return;
        last = last.then(() => execute(command, response)).catch(onFailure);
      })
      .catch(onFailure);
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    // The process's umask keeps others out.
    server.listen(path, listening);
  });
  return () =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
}

/** What a request asks for, once all of it has come; undefined if it was refused. */
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
