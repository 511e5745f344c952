/**
 * What the accounts fetch while they answer a request is asked of sign-in providers, which are other
 * people's servers. Their answers are parsed on the thread that serves everybody, and the library
 * reads them whole, however long they are and take. Here they are cut off.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const ANSWER_BYTES_MAX = 256 * 1024;
/** Milliseconds, for the whole of an answer. */
const ANSWER_TIME_MAX = 10_000;
/** The standard has no body for these, not even an empty one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const inAccounts = new AsyncLocalStorage<true>();
const plainFetch = globalThis.fetch;

// The library has no option for its fetch. All others in this process get the plain one.
globalThis.fetch = (input, init) =>
  inAccounts.getStore() === undefined ? plainFetch(input, init) : boundedFetch(input, init);

/** What is fetched within has a limit of time and size; past it the fetch fails like a lost one. */
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
  // They are about the bytes that were sent, which may have been compressed.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(WITHOUT_BODY.has(status) ? null : body, {
    status,
    statusText,
    headers,
  });
}

/** As it is once decompressed. */
async function boundedBody({ body }: Response): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > ANSWER_BYTES_MAX) throw new TypeError("The answer of a provider is too long.");
    chunks.push(chunk);
  }
  return new Blob(chunks);
}
