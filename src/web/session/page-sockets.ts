/**
 * The reactive client's sockets, which can be abandoned. The client itself closes a silent socket
 * only after a minute; a page whose network is back need not wait that long.
 */

const EVENTS = ["open", "message", "error", "close"] as const;

export class PageSockets {
  readonly #inUse = new Set<WebSocket>();

  /** For the client's `webSocketConstructor`. */
  readonly constructorForClient: typeof WebSocket;

  constructor() {
    const inUse = this.#inUse;
    this.constructorForClient = class extends WebSocket {
      constructor(url: string | URL) {
        super(url);
        inUse.add(this);
        // Before the client's own listeners: it gets no more events of an abandoned socket.
        for (const type of EVENTS) {
          this.addEventListener(type, (event) => {
            if (event.isTrusted && !inUse.has(this)) event.stopImmediatePropagation();
          });
        }
        this.addEventListener("close", () => inUse.delete(this));
      }
    };
  }

  /** For the client they close at once, so that it reconnects; a closing handshake may never end. */
  giveUp(): void {
    for (const socket of this.#inUse) {
      this.#inUse.delete(socket);
      socket.close();
      socket.dispatchEvent(new CloseEvent("close", { reason: "SilentConnection" }));
    }
  }
}
