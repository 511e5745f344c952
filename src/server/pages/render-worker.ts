/**
 * The rendering thread. Rendering a page takes as much CPU time as hundreds of orders: on a thread
 * of its own it delays no order.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { parentPort, workerData } from "node:worker_threads";
import type { PageSession } from "#contract/page-context.ts";
import { ON_BEHALF_HEADER } from "../http/own-requests.ts";
import { compressPage } from "./compression.ts";
import type { PagesFetch } from "./pages.ts";
import type { FromRenderWorker, RenderRequest, ToRenderWorker } from "./render-messages.ts";

if (parentPort === null) throw new Error("render-worker.ts runs as a worker only");
const port = parentPort;
const { handler } = workerData as { readonly handler: string };

/** The request whose page is being rendered. */
const renderedFor = new AsyncLocalStorage<RenderRequest>();
const plainFetch = globalThis.fetch;
// Requests to this server while rendering count against the page's visitor, not this machine.
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const asked = renderedFor.getStore();
  if (asked !== undefined && new URL(request.url).origin === asked.context.internalUrl) {
    request.headers.set(ON_BEHALF_HEADER, asked.onBehalf);
  }
  return plainFetch(request);
};

const { default: built } = (await import(handler)) as { default: { fetch: PagesFetch } };

interface Rendering {
  readonly departure: AbortController;
  /** The pending session request, shared by all callers. */
  session: PromiseWithResolvers<PageSession | null> | undefined;
}
const renderings = new Map<number, Rendering>();

port.on("message", (message: ToRenderWorker) => {
  const { id } = message;
  switch (message.type) {
    case "render":
      void render(id, message.request);
      break;
    case "session":
      renderings.get(id)?.session?.resolve(message.session);
      break;
    case "noSession":
      renderings.get(id)?.session?.reject(new Error(message.message));
      break;
    case "abort":
      renderings.get(id)?.departure.abort();
      break;
  }
});
send({ type: "ready" });

async function render(id: number, asked: RenderRequest): Promise<void> {
  const rendering: Rendering = { departure: new AbortController(), session: undefined };
  renderings.set(id, rendering);
  try {
    const { signal } = rendering.departure;
    const context = {
      ...asked.context,
      session: () => sessionOf(id, rendering),
    };
    await renderedFor.run(asked, async () => {
      const response = await built.fetch(requestOf(asked, signal), { context });
      await sendResponse(id, compressPage(response, asked), signal);
    });
  } catch (error) {
    send({ type: "failed", id, error: textOf(error) });
  } finally {
    renderings.delete(id);
  }
}

function requestOf({ method, url, headers }: RenderRequest, signal: AbortSignal): Request {
  return new Request(url, {
    method,
    headers: headers.map(([name, value]) => [name, value]),
    signal,
  });
}

function sessionOf(id: number, rendering: Rendering): Promise<PageSession | null> {
  if (rendering.session === undefined) {
    rendering.session = Promise.withResolvers();
    send({ type: "needsSession", id });
  }
  return rendering.session.promise;
}

async function sendResponse(id: number, response: Response, signal: AbortSignal): Promise<void> {
  send({ type: "head", id, status: response.status, headers: [...response.headers] });
  if (response.body !== null) {
    for await (const chunk of response.body) {
      if (signal.aborted) return;
      send({ type: "chunk", id, chunk });
    }
  }
  send({ type: "end", id });
}

function send(message: FromRenderWorker): void {
  port.postMessage(message);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
