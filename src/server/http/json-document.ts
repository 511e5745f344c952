/** A public JSON document that is sent many times: it is encoded and compressed once. */
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { acceptedEncodings } from "./accepted-encodings.ts";

/** Higher qualities take seconds for a document and save little. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

interface Variant {
  /** Undefined for the uncompressed document. */
  readonly encoding: "br" | "gzip" | undefined;
  readonly body: Buffer;
}

export class JsonDocument {
  /** In order of preference. */
  readonly #variants: readonly Variant[];

  private constructor(variants: readonly Variant[]) {
    this.#variants = variants;
  }

  /**
   * @param value the document, which must contain no secret: the compressed length could reveal whether it
   * matches text from a request (BREACH)
   */
  static async of(value: unknown): Promise<JsonDocument> {
    const body = Buffer.from(JSON.stringify(value));
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(body, BROTLI),
      promisify(gzip)(body),
    ]);
    return new JsonDocument([
      { encoding: "br", body: br },
      { encoding: "gzip", body: gz },
      { encoding: undefined, body },
    ]);
  }

  /**
   * Answers the request with the document, which must not be cached. The body is omitted for HEAD.
   * @returns the length of the body in bytes
   */
  send(response: ServerResponse): number {
    const { headers, method } = response.req;
    const accepted = acceptedEncodings(headers["accept-encoding"]);
    const { body, encoding } = this.#variants.find(
      (variant) => variant.encoding === undefined || accepted.has(variant.encoding),
    ) as Variant;
    if (encoding !== undefined) response.setHeader("content-encoding", encoding);
    response.writeHead(200, {
      "content-type": "application/json; charset=utf-8",
      "content-length": body.length,
      "cache-control": "no-store",
      vary: "accept-encoding",
    });
    response.end(method === "HEAD" ? undefined : body);
    return body.length;
  }
}
