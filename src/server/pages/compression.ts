/**
 * Compresses rendered pages, chunk by chunk as they are rendered.
 *
 * A page that contains its viewer's token is not compressed. It may also repeat parts of its
 * URL, and an attacker who can make a browser open URLs and observe the length of the
 * responses could guess the token letter by letter (the BREACH attack). A request without cookies
 * is a visitor's, whose page contains no secret that another request would show again.
 */
import { Readable } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { acceptedEncodings } from "../http/accepted-encodings.ts";
import type { RenderRequest } from "./render-messages.ts";

/** Higher qualities take much longer and save little. */
const BROTLI_QUALITY = 4;

/** The response, compressed if it is a visitor's page and the client accepts it. */
export function compressPage(
  response: Response,
  { headers: asked }: Pick<RenderRequest, "headers">,
): Response {
  const isHtml = /^text\/html\b/i.test(response.headers.get("content-type") ?? "");
  const isPlain = !response.headers.has("content-encoding");
  if (!isHtml || !isPlain || response.body === null) return response;
  const headers = new Headers(response.headers);
  headers.append("vary", "accept-encoding");
  const hasCookies = asked.some(([name]) => name.toLowerCase() === "cookie");
  const encoding = hasCookies ? undefined : encodingOf(asked);
  const { status } = response;
  if (encoding === undefined) return new Response(response.body, { status, headers });
  headers.set("content-encoding", encoding);
  headers.delete("content-length");
  const body = Readable.fromWeb(response.body).pipe(compressorOf(encoding));
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers });
}

/** A compressor that flushes each chunk, so that the browser can begin to render. */
function compressorOf(encoding: "br" | "gzip") {
  return encoding === "br"
    ? createBrotliCompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
      })
    : createGzip({ flush: constants.Z_SYNC_FLUSH });
}

function encodingOf(asked: RenderRequest["headers"]): "br" | "gzip" | undefined {
  const headers = asked.filter(([name]) => name.toLowerCase() === "accept-encoding");
  const accepted = acceptedEncodings(headers.map(([, value]) => value).join(","));
  return (["br", "gzip"] as const).find((encoding) => accepted.has(encoding));
}
