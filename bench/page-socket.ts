/**
 * A page's connection without the page: speaks the reactive protocol on a WebSocket, with increments as
 * pages request them. Keeps the newest answer of each query as JSON text.
 */
import { EventEmitter } from "node:events";
import { WebSocket } from "ws";
import { INCREMENTS, IncrementReader } from "#contract/increments.ts";
import type { Query } from "./page-queries.ts";

export interface PageSocketOptions {
  readonly url: string;
  readonly token: string | undefined;
  readonly queries: readonly Query[];
  /** The client's address, on this machine. */
  readonly localAddress?: string;
  /** Whether to request increments, as pages do; without them answers are sent in full. */
  readonly takesIncrements?: boolean;
  readonly sessionId?: string;
}

export interface Transition {
  readonly type: "Transition";
  readonly endVersion: { readonly ts: string };
  /** The server's time, in nanoseconds. */
  readonly serverTs: number;
  readonly modifications: readonly Modification[];
}

interface Modification {
  readonly type: "QueryUpdated" | "QueryFailed" | "QueryRemoved";
  readonly queryId: number;
  readonly value?: unknown;
  readonly errorMessage?: string;
}

export interface MutationAnswer {
  readonly type: "MutationResponse";
  readonly requestId: number;
  readonly success: boolean;
  readonly result: unknown;
}

type Message = Transition | MutationAnswer | { readonly type: "Ping" | "AuthError" | "FatalError" };

interface Events {
  /** The raw text of a message, before its increments are applied. */
  readonly frame: [text: string];
  readonly transition: [Transition];
  readonly answer: [MutationAnswer];
  readonly closed: [code: number, reason: string];
  readonly failed: [reason: string];
}

export class PageSocket extends EventEmitter<Events> {
  readonly ws: WebSocket;
  /** Answers by query id, which is the query's index. */
  readonly answers: unknown[] = [];
  bytes = 0;
  transitions = 0;
  /** Version of the newest state. */
  version = "";
  /** How old the newest state was on arrival, and when the server sent it. */
  delayMs = 0;
  sentAtMs = 0;
  readonly #reader = new IncrementReader();

  constructor({ url, token, queries, localAddress, ...options }: PageSocketOptions) {
    super();
    this.setMaxListeners(0);
    const { takesIncrements = true, sessionId = crypto.randomUUID() } = options;
    this.ws = new WebSocket(
      `${url.replace("http", "ws")}/api/1.48.0/sync`,
      takesIncrements ? [INCREMENTS] : [],
      { perMessageDeflate: false, ...(localAddress !== undefined && { localAddress }) },
    );
    this.ws.on("open", () => this.#begin(sessionId, token, queries));
    this.ws.on("message", (data: Buffer) => this.#take(data));
    this.ws.on("close", (code, reason) => this.emit("closed", code, reason.toString()));
    this.ws.on("error", () => {});
  }

  send(message: object): void {
    if (this.ws.readyState === WebSocket.OPEN) this.ws.send(JSON.stringify(message));
  }

  mutate(requestId: number, udfPath: string, args: object): void {
    this.send({ type: "Mutation", requestId, udfPath, args: [args] });
  }

  /** Resolves once the first state has arrived. */
  async shown(): Promise<void> {
    const isShown = await this.until("transition", () => this.answers.length > 0);
    if (!isShown) throw new Error("the connection was closed before it showed anything");
  }

  /**
   * Resolves with true at the first event that matches `isMeant`, with false if the connection is closed
   * before.
   */
  until<Name extends "transition" | "answer">(
    name: Name,
    isMeant: (heard: Events[Name][0]) => boolean,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isHeard: boolean) => {
        this.off(name, listen);
        this.off("closed", leave);
        resolve(isHeard);
      };
      const listen = (heard: Events[Name][0]) => {
        if (isMeant(heard)) settle(true);
      };
      const leave = () => settle(false);
      this.on(name, listen);
      this.on("closed", leave);
    });
  }

  #begin(sessionId: string, token: string | undefined, queries: readonly Query[]): void {
    this.send({ type: "Connect", sessionId, connectionCount: 0, clientTs: Date.now() });
    if (token !== undefined) {
      this.send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
    }
    this.send({
      type: "ModifyQuerySet",
      baseVersion: 0,
      newVersion: 1,
      modifications: queries.map(([udfPath, args], queryId) => ({
        type: "Add",
        queryId,
        udfPath,
        args: [args],
      })),
    });
  }

  #take(data: Buffer): void {
    this.bytes += data.length;
    const frame = data.toString("utf8");
    this.emit("frame", frame);
    const message = JSON.parse(this.#reader.read(frame)) as Message;
    if (message.type === "MutationResponse") this.emit("answer", message);
    else if (message.type === "Transition") this.#show(message);
    else if (message.type !== "Ping") this.emit("failed", frame);
  }

  #show(transition: Transition): void {
    this.transitions++;
    this.version = transition.endVersion.ts;
    this.sentAtMs = transition.serverTs / 1_000_000;
    this.delayMs = Date.now() - this.sentAtMs;
    for (const { queryId, value, errorMessage } of transition.modifications) {
      if (errorMessage === undefined) this.answers[queryId] = value;
      else this.emit("failed", `query ${queryId}: ${errorMessage}`);
    }
    this.emit("transition", transition);
  }
}
