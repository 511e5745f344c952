/**
 * Reads the bodies of requests. The received bytes count as memory held for the client, who is charged
 * for reading them: one who sends slowly, or byte by byte, takes neither memory nor time from others.
 */
import type { IncomingMessage } from "node:http";
import type { ClientKey } from "./client-key.ts";
import { GrowableBuffer } from "./growable-buffer.ts";
import type { HeldBytes } from "./held-bytes.ts";
import type { Turns } from "./immediate-turns.ts";
import { readInTurn } from "./reading-in-turn.ts";

export interface BodyLimits {
  readonly held: HeldBytes;
  readonly shares: Turns;
}

/** The client has left, or has lost the connection because it held too much. */
export class BodyCutOffError extends Error {}

/**
 * @param holder the client that is charged for the memory
 * @param client the client that is charged for the time
 * @param check called with each chunk; throws once the body is refused. The rest is then read and
 * discarded, so that the client can read the response
 * @throws BodyCutOffError, and errors of `check`
 */
export async function readRequestBody(
  request: IncomingMessage,
  { held, shares }: BodyLimits,
  { holder, client }: { readonly holder: ClientKey; readonly client: ClientKey },
  check: (gathered: GrowableBuffer) => void,
): Promise<Buffer> {
  // The client may have left while the request waited.
  if (request.destroyed) throw new BodyCutOffError();
  const holding = held.open(holder, () => request.destroy());
  const gathered = new GrowableBuffer();
  try {
    await new Promise<void>((resolve, reject) => {
      let isRefused = false;
      readInTurn(request, { shares, client }, (chunk) => {
        if (isRefused) return;
        try {
          gathered.add(chunk);
          holding.set(gathered.capacity);
          check(gathered);
        } catch (error) {
          isRefused = true;
          reject(error);
        }
      });
      request.once("end", resolve);
      request.once("error", () => reject(new BodyCutOffError()));
      request.once("close", () => reject(new BodyCutOffError()));
    });
    return gathered.bytes();
  } finally {
    holding.close();
  }
}
