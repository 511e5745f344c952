/** Runs the rendering thread from the main thread, and replaces it if it ends. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Worker } from "node:worker_threads";
import { NodeRequest } from "srvx/node";
import type { PageContext } from "#contract/page-context.ts";
import { HttpError } from "../http/json-answer.ts";
import type { Log } from "../log.ts";
import { departureOf } from "../limits/departure.ts";
import type { FromRenderWorker, RenderRequest, ToRenderWorker } from "./render-messages.ts";

/** Bytes that are logged of each output of the thread. */
const PRINTED_BYTES_MAX = 2_000;
const WORKER = new URL("./render-worker.ts", import.meta.url);

interface Rendering {
  readonly response: ServerResponse;
  readonly context: PageContext;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface RunningThread {
  readonly worker: Worker;
  readonly ready: Promise<void>;
  readonly renderings: Map<number, Rendering>;
}

export class RenderThread {
  /** URL of the built handler's module. */
  readonly #handler: string;
  readonly #log: Pick<Log, "warn">;
  #thread: RunningThread | undefined;
  #lastId = 0;
  #closed = false;

  constructor(handler: string, log: Pick<Log, "warn">) {
    this.#handler = handler;
    this.#log = log;
  }

  /**
   * Starts the thread.
   * @throws Error if the handler cannot be loaded
   */
  async start(): Promise<void> {
    this.#thread ??= this.#start();
    await this.#thread.ready;
  }

  /** Sends the rendered page; resolves when it has been handed to the operating system. */
  async render(
    request: RenderRequest,
    response: ServerResponse,
    context: PageContext,
  ): Promise<void> {
    if (this.#closed) throw new HttpError(503, "unavailable", "The server is stopping.");
    const thread = (this.#thread ??= this.#start());
    const id = ++this.#lastId;
    const send = (message: ToRenderWorker) => thread.worker.postMessage(message, []);
    departureOf(response).addEventListener("abort", () => {
      const abandoned = thread.renderings.get(id);
      if (abandoned === undefined) return;
      thread.renderings.delete(id);
      send({ type: "abort", id });
      abandoned.resolve();
    });
    await new Promise<void>((resolve, reject) => {
      thread.renderings.set(id, { response, context, resolve, reject });
      send({ type: "render", id, request });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread?.worker.terminate();
  }

  #start(): RunningThread {
    const worker = new Worker(WORKER, {
      workerData: { handler: this.#handler },
      name: "pages",
      stdout: true,
      stderr: true,
    });
    // Limit the thread's output, which depends on requests: clients must not fill the disk with it.
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        const printed = chunk.toString("utf8", 0, PRINTED_BYTES_MAX);
        this.#log.warn({ printed }, "the thread that renders pages printed something");
      });
    }
    const ready = Promise.withResolvers<void>();
    // Page requests get the failure themselves; only the start awaits this promise.
    ready.promise.catch(() => {});
    const thread: RunningThread = { worker, ready: ready.promise, renderings: new Map() };
    let failure: Error = new Error("The thread that renders pages ended.");
    worker.on("message", (message: FromRenderWorker) => {
      if (message.type === "ready") ready.resolve();
      else receiveSafely(thread, message);
    });
    worker.on("error", (error) => {
      failure = error as Error;
    });
    worker.on("exit", () => {
      if (this.#thread === thread) this.#thread = undefined;
      ready.reject(failure);
      for (const { reject } of thread.renderings.values()) reject(failure);
      thread.renderings.clear();
    });
    return thread;
  }
}

/** Handles a message. A failure fails only its own rendering, not the process. */
function receiveSafely(
  thread: RunningThread,
  message: Exclude<FromRenderWorker, { type: "ready" }>,
): void {
  try {
    receive(thread, message);
  } catch (error) {
    thread.renderings.get(message.id)?.reject(error as Error);
    thread.renderings.delete(message.id);
  }
}

function receive(
  { worker, renderings }: RunningThread,
  message: Exclude<FromRenderWorker, { type: "ready" }>,
): void {
  const { id } = message;
  const rendering = renderings.get(id);
  if (rendering === undefined) return;
  const { response, context } = rendering;
  const send = (answer: ToRenderWorker) => worker.postMessage(answer, []);
  switch (message.type) {
    case "needsSession":
      context.session().then(
        (session) => send({ type: "session", id, session }),
        (error: unknown) => {
          send({ type: "noSession", id, message: String(error) });
          // Let the caller decide how to answer without a page.
          renderings.delete(id);
          rendering.reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
      break;
    case "head":
      response.statusCode = message.status;
      for (const [name, value] of message.headers) response.appendHeader(name, value);
      break;
    case "chunk":
      if (response.req.method !== "HEAD") response.write(message.chunk);
      break;
    case "end":
      renderings.delete(id);
      response.end();
      rendering.resolve();
      break;
    case "failed":
      renderings.delete(id);
      rendering.reject(new Error(message.error));
      break;
  }
}

/**
 * Converts a request for the thread. No page reads a body: a form that was submitted before the page's
 * script could handle it gets the page again.
 * @param onBehalf the header value with which the page's requests to this server identify its
 * visitor
 * @throws HttpError 400 for an invalid URL
 */
export function renderRequestOf(
  request: IncomingMessage,
  { nonce, publicUrl, internalUrl, productName, development, site, formats }: PageContext,
  onBehalf: string,
): RenderRequest {
  const { method = "GET", headers } = request;
  return {
    method,
    url: addressOf(request),
    headers: Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((each) => [name, each] as const),
    ),
    onBehalf,
    context: { nonce, publicUrl, internalUrl, productName, development, site, formats },
  };
}

/** The request's full URL; its Host header is unverified. */
function addressOf(request: IncomingMessage): string {
  const address = URL.parse(new NodeRequest({ req: request }).url);
  if (address === null) throw new HttpError(400, "invalidArgument", "The address is wrong.");
  return address.href;
}
