/**
 * One connection's waiting messages, in order of arrival. They are taken while the connection is
 * ready and its client has not used up its share of the event loop.
 */
import type { ClientKey } from "../limits/client-key.ts";
import { RestWait } from "../limits/rest-wait.ts";
import type { RecentWork, WorkShares } from "../limits/work-shares.ts";
import type { ReceivedMessage } from "./received-message.ts";

/** The fixed cost of a message, on top of its bytes. */
const RECEIVING_MS = 0.01;

export interface InboxOwner {
  /** The client whose share the work counts against. */
  client(): ClientKey;
  /** The work done for the connection. */
  readonly work: RecentWork;
  /** While no message may be taken, a promise of the end. */
  unsettled(): Promise<void> | undefined;
  /** Whether the next message may be taken now. */
  isReady(): boolean;
  take(message: ReceivedMessage): void;
  /** A message was taken, or has to wait. */
  onWorked(): void;
}

export class Inbox {
  readonly #shares: WorkShares;
  readonly #owner: InboxOwner;
  readonly #messages: ReceivedMessage[] = [];
  #size = 0;
  readonly #rest: RestWait;

  constructor(shares: WorkShares, owner: InboxOwner) {
    this.#shares = shares;
    this.#owner = owner;
    this.#rest = new RestWait(shares, () => this.work());
  }

  get length(): number {
    return this.#messages.length;
  }

  /** In characters held. */
  get size(): number {
    return this.#size;
  }

  /** Whether messages wait until their client has rested. */
  get isResting(): boolean {
    return this.#rest.isWaiting;
  }

  push(message: ReceivedMessage): void {
    this.#messages.push(message);
    this.#size += message.text.length;
  }

  /** Takes the messages that may be taken now; call it again when the owner becomes ready. */
  work(): void {
    while (!this.#rest.isWaiting && this.#owner.isReady()) {
      const [message] = this.#messages;
      if (message === undefined) break;
      const unsettled = this.#owner.unsettled();
      if (unsettled !== undefined) {
        void unsettled.then(() => this.work());
        break;
      }
      const client = this.#owner.client();
      if (this.#rest.begin(client, this.#owner.work)) break;
      this.#messages.shift();
      this.#size -= message.text.length;
      this.#shares.charge(client, RECEIVING_MS, this.#owner.work);
      this.#shares.run(client, () => this.#owner.take(message), this.#owner.work);
    }
    this.#owner.onWorked();
  }

  close(): void {
    this.#rest.close();
    this.#messages.length = 0;
    this.#size = 0;
  }
}
