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
      const isAway = code === "ENOENT" || code === "ECONNREFUSED";
      reject(
        new Error(
          isAway
            ? `No exchange runs on ${dataDir}. Start it, wait until it has started, or name its data directory with --data.`
            : `The exchange on ${dataDir} cannot be asked: ${message}.`,
        ),
      );
    });
    asked.end(body);
  });
  return JSON.parse(answered) as ControlAnswer;
}
