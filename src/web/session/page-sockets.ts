/**
 * WebSockets for the reactive client. They can be abandoned: the client closes a silent socket only
 * after a minute, which is too late once the network is back. They also request increments and pass
 * complete messages to the client.
 */
import { INCREMENTS, IncrementReader } from "#contract/increments.ts";

const EVENTS = ["open", "message", "error", "close"] as const;

export class PageSockets {
  readonly #inUse = new Set<WebSocket>();

  /** Passed to the client as its `webSocketConstructor`. */
  readonly constructorForClient: typeof WebSocket;

  constructor() {
    const inUse = this.#inUse;
    let takesIncrements = true;
    this.constructorForClient = class extends WebSocket {
      constructor(url: string | URL) {
        super(url, takesIncrements ? [INCREMENTS] : []);
        inUse.add(this);
        // Registered before the client's own listeners, so that the client gets no more events of
        // an abandoned socket.
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

/**
 * Closes the socket for the client at once, so that it reconnects; a closing handshake may never
 * complete.
 */
function abandon(inUse: Set<WebSocket>, socket: WebSocket, reason: string): void {
  inUse.delete(socket);
  socket.close();
  socket.dispatchEvent(new CloseEvent("close", { reason }));
}
