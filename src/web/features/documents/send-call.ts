/** Sends an API call from the page, signed if the call requires it. */
import type { EntryCall } from "./document-entries.ts";
import { signRequest } from "./sign-request.ts";

/** The user's API key and secret, held by the page only until it is left. */
export interface Credentials {
  readonly apiKey: string;
  readonly secret: string;
}

export interface CallAnswer {
  readonly status: number;
  /** Request weight that the client's IP address has used in this minute. */
  readonly usedWeight: string | null;
  /** The answer's body: indented if it is JSON, else as received. */
  readonly text: string;
}

/**
 * @param values the parameters as entered; empty ones are not sent
 * @throws SigningError, and TypeError if the exchange cannot be reached
 */
export async function sendCall(
  { method, path, security }: EntryCall,
  values: Readonly<Record<string, string>>,
  { apiKey, secret }: Credentials,
): Promise<CallAnswer> {
  const given = Object.entries(values).filter(([, text]) => text !== "");
  const query = new URLSearchParams(given);
  const isSigned = security !== "none";
  if (isSigned) {
    query.set("timestamp", String(Date.now()));
    query.set("signature", await signRequest(query.toString(), secret));
  }
  const answer = await fetch(`${path}?${query}`, {
    method,
    credentials: "omit",
    headers: isSigned ? { "x-mbx-apikey": apiKey.trim() } : {},
  });
  return {
    status: answer.status,
    usedWeight: answer.headers.get("x-mbx-used-weight-1m"),
    text: indentJson(await answer.text()),
  };
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
