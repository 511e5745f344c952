/**
 * Limits the size and time of answers from sign-in providers. Providers are third-party servers,
 * and the library reads and parses their answers in full on the main thread, however long they are. Where
 * the address would be the client's choice, nothing is fetched.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const ANSWER_BYTES_MAX = 256 * 1024;
/** Milliseconds, for the complete answer. */
const ANSWER_TIME_MAX = 10_000;
/** Statuses for which the standard forbids a body, even an empty one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const inAccounts = new AsyncLocalStorage<typeof fetch>();
const plainFetch = globalThis.fetch;

// The library has no option for its fetch. All other callers in this process get the original.
globalThis.fetch = (input, init) => (inAccounts.getStore() ?? plainFetch)(input, init);

/** Limits fetches made inside `run`; beyond a limit they fail as if the connection were lost. */
export function withBoundedFetch<Result>(run: () => Result): Result {
  return inAccounts.run(boundedFetch, run);
}

/** Refuses fetches made inside `run`, as if the connection were lost. */
export function withoutFetch<Result>(run: () => Result): Result {
  return inAccounts.run(async () => {
    throw new TypeError("Nothing is fetched for this call.");
  }, run);
}

async function boundedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const given = init?.signal ?? (input instanceof Request ? input.signal : null);
  const tooLate = AbortSignal.timeout(ANSWER_TIME_MAX);
  const signal = given === null ? tooLate : AbortSignal.any([given, tooLate]);
  const answer = await plainFetch(input, { ...init, signal });
  const body = await boundedBody(answer);
  const { status, statusText } = answer;
  const headers = new Headers(answer.headers);
  // These headers describe the transmitted bytes, which may have been compressed.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(WITHOUT_BODY.has(status) ? null : body, {
    status,
    statusText,
    headers,
  });
}

/** Limits the size after decompression. */
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
