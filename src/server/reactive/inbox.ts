/**
 * Queue of a connection's unhandled messages, in order of arrival. They are handled while the
 * connection is ready and its client is not throttled. Messages that open a page take turns across
 * connections: after a network outage thousands may reconnect at once, and orders must still be handled
 * in between.
 */
import type { ClientKey } from "../limits/client-key.ts";
import { ThrottleWait } from "../limits/throttle-wait.ts";
import type { RecentWork } from "../limits/recent-work.ts";
import type { ChunkedWork } from "../limits/chunked-work.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import type { ReceivedMessage } from "./received-message.ts";

/** The fixed cost of a message in milliseconds, in addition to its bytes. */
const RECEIVING_MS = 0.01;

export interface InboxOwner {
  /** The client to whom the work is charged. */
  client(): ClientKey;
  /** The recent work done for the connection. */
  readonly work: RecentWork;
  /** A promise that resolves when messages may be handled again; undefined if they may be now. */
  unsettled(): Promise<void> | undefined;
  /** Whether the next message may be handled now. */
  isReady(): boolean;
  take(message: ReceivedMessage): void;
  /** Called when a message was handled or has to wait. */
  onWorked(): void;
}

export class Inbox {
  readonly #shares: WorkShares;
  readonly #openings: ChunkedWork;
  readonly #owner: InboxOwner;
  readonly #messages: ReceivedMessage[] = [];
  #size = 0;
  readonly #throttleWait: ThrottleWait;
  /** The turn of the first message, if it is one that opens a page. */
  #turn: "none" | "awaited" | "given" = "none";

  /** @param openings the work of opening pages, of all connections */
  constructor(shares: WorkShares, openings: ChunkedWork, owner: InboxOwner) {
    this.#shares = shares;
    this.#openings = openings;
    this.#owner = owner;
    this.#throttleWait = new ThrottleWait(shares, () => this.work());
  }

  get length(): number {
    return this.#messages.length;
  }

  /** Total length of the queued messages, in characters. */
  get size(): number {
    return this.#size;
  }

  /** Whether messages wait because the client is throttled. */
  get isThrottled(): boolean {
    return this.#throttleWait.isWaiting;
  }

  push(message: ReceivedMessage): void {
    this.#messages.push(message);
    this.#size += message.text.length;
  }

  /** Handles the messages that may be handled now; call it again when the owner becomes ready. */
  work(): void {
    while (this.#turn !== "awaited" && !this.#throttleWait.isWaiting && this.#owner.isReady()) {
      const [message] = this.#messages;
      if (message === undefined) break;
      const unsettled = this.#owner.unsettled();
      if (unsettled !== undefined) {
        void unsettled.then(() => this.work());
        break;
      }
      const client = this.#owner.client();
      if (this.#throttleWait.begin(client, this.#owner.work)) break;
      if (message.opensPage && this.#turn === "none") {
        this.#turn = "awaited";
        this.#openings.run(this.#takeTurn);
        continue;
      }
      this.#turn = "none";
      this.#messages.shift();
      this.#size -= message.text.length;
      this.#shares.charge(client, RECEIVING_MS, this.#owner.work);
      this.#shares.run(client, () => this.#owner.take(message), this.#owner.work);
    }
    this.#owner.onWorked();
  }

  readonly #takeTurn = (): void => {
    this.#turn = "given";
    this.work();
    this.#turn = this.#turn === "given" ? "none" : this.#turn;
  };

  close(): void {
    this.#throttleWait.close();
    this.#messages.length = 0;
    this.#size = 0;
  }
}
