/**
 * The reactive client's sockets. They can be abandoned: the client itself closes a silent socket only
 * after a minute; a page whose network is back need not wait that long. And they are sent increments,
 * of which the client sees nothing.
 */
import { INCREMENTS, IncrementReader } from "#contract/increments.ts";

const EVENTS = ["open", "message", "error", "close"] as const;

export class PageSockets {
  readonly #inUse = new Set<WebSocket>();

  /** For the client's `webSocketConstructor`. */
  readonly constructorForClient: typeof WebSocket;

  constructor() {
    const inUse = this.#inUse;
    let takesIncrements = true;
    this.constructorForClient = class extends WebSocket {
      constructor(url: string | URL) {
        super(url, takesIncrements ? [INCREMENTS] : []);
        inUse.add(this);
        // Before the client's own listeners: it gets no more events of an abandoned socket.
        for (const type of EVENTS) {
          this.addEventListener(type, (event) => {
            if (event.isTrusted && !inUse.has(this)) event.stopImmediatePropagation();
          });
        }
        const reader = new IncrementReader();
        this.addEventListener("message", (event: MessageEvent<unknown>) => {
          const { data } = event;
          if (typeof data !== "string") return;
          let whole: string;
          try {
            whole = reader.read(data);
          } catch {
            event.stopImmediatePropagation();
            takesIncrements = false;
            abandon(inUse, this, "UnreadableIncrement");
            return;
          }
          if (whole === data) return;
          event.stopImmediatePropagation();
          this.dispatchEvent(new MessageEvent("message", { data: whole }));
        });
        this.addEventListener("close", () => inUse.delete(this));
      }
    };
  }

  giveUp(): void {
    for (const socket of this.#inUse) abandon(this.#inUse, socket, "SilentConnection");
  }
}

/** For the client it closes at once, so that it reconnects; a closing handshake may never end. */
function abandon(inUse: Set<WebSocket>, socket: WebSocket, reason: string): void {
  inUse.delete(socket);
  socket.close();
  socket.dispatchEvent(new CloseEvent("close", { reason }));
}
