/**
 * `GET /api/exports/<file>`: downloads of a signed-in user. A file is sent page by page as its client
 * reads, so that an export of any length needs the memory of two pages; stalled clients are cut off.
 * `HEAD` returns the status of `GET` without the file: pages send it first, since a browser does not
 * report why a download failed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ServerErrorCode } from "#contract/errors.ts";
import { parseArguments } from "../functions/argument-errors.ts";
import { FunctionError } from "../functions/function-error.ts";
import { unauthorized } from "../functions/refusals.ts";
import type { Services } from "../functions/services.ts";
import { requireWholePast } from "../functions/whole-past.ts";
import type { Handler } from "../http/handlers.ts";
import { HttpError } from "../http/json-answer.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import { FairQueue, QueueFullError } from "../limits/fair-queue.ts";
import type { Identity } from "../reactive/executor.ts";
import type { ExportFile } from "./export-file.ts";
import { EXPORT_FILES } from "./export-files.ts";

const EXPORTS_PREFIX = "/api/exports/";

/** Concurrent downloads of one user. */
const AT_ONCE_PER_USER = 2;
const CLOSE_LISTENERS_MAX = 20;
/** Clients that read nothing for this long are cut off. */
const STALLED_MS = 60_000;
/** About how many characters this thread formats in a millisecond. */
const CHARACTERS_PER_MS = 20_000;
/** Limits on reading pages, by which users take turns. */
const READS = {
  what: "pages of exports",
  underWay: 4,
  underWayPerClient: 1,
  waiting: 1_000,
  waitingPerClient: AT_ONCE_PER_USER,
} as const;

const STATUS: Readonly<Record<string, number>> = {
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  tooManyRequests: 429,
  unavailable: 503,
};

/** @param shares each user's share of this thread, on which the files are formatted */
export function createExports(services: Services, shares: WorkShares): Handler {
  const reads = new FairQueue(READS);
  const underWay = new Map<string, number>();

  async function identityOf(request: IncomingMessage, response: ServerResponse): Promise<Identity> {
    const { accounts } = services;
    const session = await accounts.pageSession(request.headers, (cookies) =>
      response.appendHeader("set-cookie", cookies),
    );
    if (session === null) throw unauthorized();
    return accounts.verifyBackendToken(session.token);
  }

  /** The file's chunks, each read in the user's turn and while the session is valid. */
  async function* inTurns(file: ExportFile, identity: Identity, args: unknown) {
    const chunks = file.chunks({ services, identity }, args);
    const client = clientKeyOf(identity.subject, "");
    for (;;) {
      if (!services.accounts.isSessionLive(identity.sessionId)) throw unauthorized();
      const chunk = await shares.schedule(client, () => reads.run(client, () => chunks.next()));
      if (chunk.done === true) return;
      shares.charge(client, chunk.value.length / CHARACTERS_PER_MS);
      yield chunk.value;
    }
  }

  async function send(
    { name, file }: NamedFile,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const identity = await identityOf(request, response);
    const args = argumentsOf(file, request);
    const before = underWay.get(identity.subject) ?? 0;
    if (before >= AT_ONCE_PER_USER) {
      const message = `At most ${AT_ONCE_PER_USER} downloads may run at once. Try again when one has ended.`;
      throw new FunctionError({ code: "tooManyRequests", message });
    }
    underWay.set(identity.subject, before + 1);
    try {
      if (file.isOfHistory) await requireWholePast(services, identity.subject);
      const chunks = inTurns(file, identity, args);
      // A refusal is thrown with the first chunk, while the response can still report it.
      const first = await chunks.next();
      response.writeHead(200, {
        "content-type": file.mediaType,
        "content-disposition": `attachment; filename="${name}"`,
        "cache-control": "private, no-store",
      });
      if (request.method === "HEAD") {
        response.end();
        return;
      }
      // Each HTTP layer and the pipeline listen for the response's end: more listeners than Node expects.
      response.setMaxListeners(CLOSE_LISTENERS_MAX);
      response.setTimeout(STALLED_MS, () => response.destroy());
      await pipeline(Readable.from(withFirst(first, chunks)), response);
    } finally {
      const left = (underWay.get(identity.subject) ?? 1) - 1;
      if (left === 0) underWay.delete(identity.subject);
      else underWay.set(identity.subject, left);
    }
  }

  return async (request, response) => {
    const named = fileOf(request);
    if (named === undefined) return false;
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      throw new HttpError(405, "invalidArgument", "Downloads are read with GET.");
    }
    // A page of another site must not start downloads in its visitors' browsers.
    if (request.headers["sec-fetch-site"] === "cross-site") {
      throw new HttpError(403, "forbidden", "Downloads begin on the exchange's own pages.");
    }
    try {
      await send(named, request, response);
    } catch (error) {
      if (isPrematureClose(error)) return true;
      throw asHttpError(error);
    }
    return true;
  };
}

interface NamedFile {
  readonly name: string;
  readonly file: ExportFile;
}

function fileOf({ url = "" }: IncomingMessage): NamedFile | undefined {
  const name = url.split("?", 1)[0].slice(EXPORTS_PREFIX.length);
  const file = EXPORT_FILES.get(name);
  return file && { name, file };
}

/** @throws FunctionError */
function argumentsOf({ args }: ExportFile, { url = "" }: IncomingMessage): unknown {
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  return parseArguments(args, Object.fromEntries(new URLSearchParams(query)));
}

async function* withFirst<T>(
  first: IteratorResult<T, void>,
  rest: AsyncGenerator<T, void>,
): AsyncGenerator<T> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** Whether the client closed the connection early. */
function isPrematureClose(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE";
}

function asHttpError(error: unknown): unknown {
  if (error instanceof QueueFullError) return new HttpError(503, "unavailable", error.message);
  if (!(error instanceof FunctionError)) return error;
  const { code, field, message } = error.data;
  return new HttpError(STATUS[code] ?? 400, code as ServerErrorCode, message, field);
}
