/** An attacker's tools: calls, sockets and bytes that no well-behaved client sends. */
import { connect } from "node:net";
import { WebSocket } from "ws";

type CallKind = "query" | "mutation" | "action";

/** What a call over HTTP was answered. */
export interface Answer {
  readonly httpStatus: number;
  readonly status?: "success" | "error";
  readonly value?: unknown;
  readonly errorMessage?: string;
  readonly errorData?: unknown;
  /** Of refusals before any function ran. */
  readonly code?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface Person {
  readonly password: string;
  readonly cookie: string;
  readonly token: string;
}

/** Signs a user up and takes a backend token, as a page does. */
export async function signUp(url: string, name: string): Promise<Person> {
  const headers = { "content-type": "application/json", origin: url };
  const password = `correct-horse-battery-${name}`;
  const signedUp = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      name,
      email: `${name.toLowerCase()}@example.com`,
      password,
    }),
  });
  if (!signedUp.ok) throw new Error(`the sign-up was answered ${signedUp.status}`);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const answer = await fetch(`${url}/api/auth/token`, { headers: { ...headers, cookie } });
  const { token } = (await answer.json()) as { token: string };
  return { password, cookie, token };
}

/** One call with arguments as they are, `raw` JSON text included, which may hold what objects cannot. */
export async function call(
  url: string,
  kind: CallKind,
  path: string,
  args: unknown,
  token?: string,
): Promise<Answer> {
  const text = args instanceof RawJson ? args.text : JSON.stringify(args);
  const headers: Record<string, string> = {};
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  const body = `{"path":${JSON.stringify(path)},"format":"json","args":[${text}]}`;
  return post(url, kind, body, headers);
}

/** JSON that is sent as it stands: numbers too large, names that only text can carry. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export async function post(
  url: string,
  kind: CallKind,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await fetch(`${url}/api/${kind}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  return { ...((await answer.json()) as object), httpStatus: answer.status };
}

/**
 * Writes bytes to the port and gives what came back until the server ended the connection, or until
 * `quietMs` after the last byte.
 */
export function sendBytes(
  url: string,
  parts: readonly (string | Uint8Array)[],
  quietMs = 1_000,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    let received = "";
    let quiet: NodeJS.Timeout | undefined;
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
      quiet = setTimeout(end, quietMs);
    });
    function end(): void {
      clearTimeout(quiet);
      socket.destroy();
      done(received);
    }
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      clearTimeout(quiet);
      quiet = setTimeout(end, quietMs);
    });
    socket.on("error", () => {});
    socket.on("close", end);
  });
}

export interface ServerMessage {
  readonly type: string;
  readonly requestId?: number;
  readonly success?: boolean;
  readonly result?: unknown;
  readonly error?: string;
  readonly errorData?: unknown;
  readonly modifications?: readonly {
    readonly type: string;
    readonly queryId: number;
    readonly value?: unknown;
    readonly errorMessage?: string;
    readonly errorData?: unknown;
  }[];
}

/** A WebSocket that says what it is told to, in whatever order. */
export class HandMadeSocket {
  readonly messages: ServerMessage[] = [];
  /** The close code once it is closed. */
  closedWith: number | undefined;
  readonly #ws: WebSocket;
  readonly #waiting = new Set<() => void>();

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on("message", (data) => {
      this.messages.push(JSON.parse((data as Buffer).toString("utf8")) as ServerMessage);
      this.#wake();
    });
    ws.on("close", (code) => {
      this.closedWith = code;
      this.#wake();
    });
    ws.on("error", () => {});
  }

  static async open(url: string): Promise<HandMadeSocket> {
    const ws = new WebSocket(`${url.replace("http", "ws")}/api/1.48.0/sync`);
    const socket = new HandMadeSocket(ws);
    await new Promise((opened, failed) => ws.once("open", opened).once("error", failed));
    return socket;
  }

  /** One that has said hello and, with a token, who it is. */
  static async connected(url: string, token?: string): Promise<HandMadeSocket> {
    const socket = await HandMadeSocket.open(url);
    const sessionId = crypto.randomUUID();
    socket.send({ type: "Connect", sessionId, connectionCount: 0, lastCloseReason: null });
    if (token !== undefined) {
      socket.send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
      await socket.first((message) => message.type === "Transition");
    }
    return socket;
  }

  send(message: object | string | Uint8Array): void {
    const isRaw = typeof message === "string" || message instanceof Uint8Array;
    this.#ws.send(isRaw ? message : JSON.stringify(message));
  }

  /** The answer to a mutation or an action. */
  request(
    type: "Mutation" | "Action",
    requestId: number,
    udfPath: string,
    args: unknown,
  ): Promise<ServerMessage> {
    const text = args instanceof RawJson ? args.text : JSON.stringify(args);
    const path = JSON.stringify(udfPath);
    this.send(`{"type":"${type}","requestId":${requestId},"udfPath":${path},"args":[${text}]}`);
    return this.first(
      (message) => message.type === `${type}Response` && message.requestId === requestId,
    );
  }

  /** The first message that fits, also one that came already. @throws Error where none comes */
  async first(fits: (message: ServerMessage) => boolean): Promise<ServerMessage> {
    await this.#until(() => this.closedWith !== undefined || this.messages.some(fits));
    const message = this.messages.find(fits);
    if (message === undefined) throw new Error(`closed with ${this.closedWith} before it came`);
    return message;
  }

  /** The close code. */
  async closed(): Promise<number> {
    await this.#until(() => this.closedWith !== undefined);
    return this.closedWith as number;
  }

  async close(): Promise<void> {
    this.#ws.close();
    await this.closed();
  }

  async #until(isSo: () => boolean): Promise<void> {
    const deadlineMs = performance.now() + 10_000;
    while (!isSo()) {
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) throw new Error("the server did not answer in time");
      await new Promise<void>((woken) => {
        const timer = setTimeout(woken, leftMs);
        this.#waiting.add(() => {
          clearTimeout(timer);
          woken();
        });
      });
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
