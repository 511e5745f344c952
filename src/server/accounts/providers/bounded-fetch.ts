/**
 * The requests that the accounts make while answering go to sign-in providers, which are
 * third-party servers. Their answers are parsed on the main thread, and the library reads them in
 * full, however long they are and take. Here they are limited.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const ANSWER_BYTES_MAX = 256 * 1024;
/** Milliseconds, for the whole of an answer. */
const ANSWER_TIME_MAX = 10_000;
/** The standard forbids a body for these, even an empty one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const inAccounts = new AsyncLocalStorage<true>();
const plainFetch = globalThis.fetch;

// The library has no option for its fetch. All other callers in this process get the plain one.
globalThis.fetch = (input, init) =>
  inAccounts.getStore() === undefined ? plainFetch(input, init) : boundedFetch(input, init);

/**
 * Requests made inside have a limit of time and size; beyond it the fetch fails as if the
 * connection was lost.
 */
export function withBoundedFetch<Result>(run: () => Result): Result {
  return inAccounts.run(true, run);
}

async function boundedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const given = init?.signal ?? (input instanceof Request ? input.signal : null);
  const tooLate = AbortSignal.timeout(ANSWER_TIME_MAX);
  const signal = given === null ? tooLate : AbortSignal.any([given, tooLate]);
  const answer = await plainFetch(input, { ...init, signal });
  const body = await boundedBody(answer);
  const { status, statusText } = answer;
  const headers = new Headers(answer.headers);
  // They describe the bytes on the wire, which may have been compressed.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(WITHOUT_BODY.has(status) ? null : body, {
    status,
    statusText,
    headers,
  });
}

/** The size after decompression. */
async function boundedBody({ body }: Response): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (bytes > ANSWER_BYTES_MAX) throw new TypeError("The answer of a provider is too long.");
    chunks.push(chunk);
  }
  return new Blob(chunks);
}
