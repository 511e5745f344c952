/**
 * The sockets of the reactive client, which can be given up. The client itself leaves a silent socket
 * only after a minute; a page that has its network back need not wait so long.
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
        // Before the client's own listeners: of a socket that was given up it hears nothing more.
        for (const type of EVENTS) {
          this.addEventListener(type, (event) => {
            if (event.isTrusted && !inUse.has(this)) event.stopImmediatePropagation();
          });
        }
        this.addEventListener("close", () => inUse.delete(this));
      }
    };
  }

  /** To the client they close at once, so that it connects anew; a closing handshake may never end. */
  giveUp(): void {
    for (const socket of this.#inUse) {
      this.#inUse.delete(socket);
      socket.close();
      socket.dispatchEvent(new CloseEvent("close", { reason: "SilentConnection" }));
    }
  }
}
