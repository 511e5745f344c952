/** Records the messages between an official client and a server, and checks the protocol's rules on them. */
import { expect } from "vitest";
import type { Answer } from "./reactive-server.ts";

export interface Said {
  readonly from: "client" | "server";
  readonly message: Answer;
}

export interface Wire {
  /** Messages per connection, in order. */
  readonly connections: Said[][];
  /** Value of a client's `webSocketConstructor`. */
  readonly socket: typeof WebSocket;
  /** Messages of one type, from all connections. */
  of(type: string): Answer[];
  /** Query set modifications that the client sent, or query results that the server sent. */
  modifications(from: Said["from"]): Answer[];
}

export function recordWire(): Wire {
  const connections: Said[][] = [];
  class RecordingSocket extends WebSocket {
    readonly #said: Said[] = [];

    constructor(address: string | URL) {
      super(address);
      connections.push(this.#said);
      this.addEventListener("message", ({ data }) => {
        this.#said.push({ from: "server", message: JSON.parse(String(data)) });
      });
    }

    override send(text: string): void {
      this.#said.push({ from: "client", message: JSON.parse(text) });
      super.send(text);
    }
  }
  const all = () => connections.flat();
  return {
    connections,
    socket: RecordingSocket,
    of: (type) => all().flatMap(({ message }) => (message.type === type ? [message] : [])),
    modifications: (from) =>
      all().flatMap((said) => (said.from === from ? (said.message.modifications ?? []) : [])),
  };
}

const timeOf = (ts: string): bigint => Buffer.from(ts, "base64").readBigUInt64LE();

/** Checks the protocol's rules that a recording can violate. */
export function checkWire({ connections }: Wire): void {
  let latest = 0n;
  for (const said of connections) {
    let version = { querySet: 0, identity: 0, ts: "AAAAAAAAAAA=" };
    const [first] = said;
    if (first !== undefined) expect(first.message.type).toBe("Connect");
    for (const { from, message } of said) {
      if (from === "client") continue;
      switch (message.type) {
        case "Transition":
          expect(message.startVersion).toEqual(version);
          expect(timeOf(message.endVersion.ts)).toBeGreaterThanOrEqual(latest);
          version = message.endVersion;
          latest = timeOf(version.ts);
          for (const modification of message.modifications) checkModification(modification);
          break;
        case "MutationResponse":
          expect(message.logLines).toBeInstanceOf(Array);
          expect("ts" in message).toBe(message.success);
          break;
        case "ActionResponse":
          expect(message.logLines).toBeInstanceOf(Array);
          expect(message).not.toHaveProperty("ts");
          break;
        case "AuthError":
          expect(typeof message.authUpdateAttempted).toBe("boolean");
          break;
        default:
          expect(["Ping", "TransitionChunk"]).toContain(message.type);
      }
    }
    checkConfirmations(said);
  }
}

function checkModification(modification: Answer): void {
  if (modification.type === "QueryRemoved") return;
  expect(["QueryUpdated", "QueryFailed"]).toContain(modification.type);
  expect(modification.logLines).toBeInstanceOf(Array);
  expect(modification).toHaveProperty("journal");
  // With null instead of no data, clients would report a plain error as one with data.
  if (modification.type === "QueryFailed") expect(modification.errorData).not.toBeNull();
}

/** A successful mutation's answer is followed by a Transition whose version is not older. */
function checkConfirmations(said: readonly Said[]): void {
  for (const [at, { from, message }] of said.entries()) {
    if (from === "client" || message.type !== "MutationResponse" || !message.success) continue;
    const later = said.slice(at + 1).filter((next) => next.message.type === "Transition");
    // The connection may have been cut before the Transition.
    if (later.length === 0) continue;
    expect(timeOf(later[0].message.endVersion.ts)).toBeGreaterThanOrEqual(timeOf(message.ts));
  }
}
