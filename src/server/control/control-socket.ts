/**
 * The socket on which a running exchange accepts its operator's commands, and the client that sends
 * them.
 */
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface ControlAnswer {
  /** Lines to show to the operator. */
  readonly lines: readonly string[];
  /** True if nothing was done, for the reasons in the lines. */
  readonly isRefused: boolean;
}

export function socketPathOf(dataDir: string): string {
  return join(dataDir, "control.sock");
}

/** @throws Error with a sentence for the operator if no exchange is running in the directory */
export async function askExchange(
  dataDir: string,
  path: string,
  body: string,
): Promise<ControlAnswer> {
  const answered = await new Promise<string>((resolve, reject) => {
    const asked = request(
      { socketPath: socketPathOf(dataDir), path, method: "POST" },
      (response) => {
        if (response.statusCode === 200) text(response).then(resolve, reject);
        else
          reject(
            new Error(`The exchange answered ${response.statusCode}: it is of another version.`),
          );
      },
    );
    asked.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      reject(new Error(sentenceOf(code, message, dataDir)));
    });
    asked.end(body);
  });
  return JSON.parse(answered) as ControlAnswer;
}

function sentenceOf(code: string | undefined, message: string, dataDir: string): string {
  switch (code) {
    case "ENOENT":
    case "ECONNREFUSED":
      return `No exchange runs on ${dataDir}. Start it, wait until it has started, or name its data directory with --data.`;
    case "EACCES":
      return `The data directory ${dataDir} belongs to another user. Say this as the user who runs the exchange.`;
    default:
      return `The exchange on ${dataDir} cannot be asked: ${message}.`;
  }
}
