/**
 * The identity of a connection: anonymous at first, then the user of its newest token. It lasts
 * until the sign-in session ends, which also closes the connection.
 */
import { type ClientKey, clientKeyOf } from "../limits/client-key.ts";
import { AUTHENTICATION_MS } from "../limits/work-shares.ts";
import type { ConnectingClient, ConnectionHost } from "./connection-host.ts";
import {
  AuthenticationRefusedError,
  AuthenticationUnavailableError,
  type Identity,
} from "./executor.ts";
import {
  ADMIN_KEYS_REFUSED,
  type AuthenticateMessage,
  encodeAuthError,
  ProtocolError,
} from "./messages.ts";
import type { ReactiveLog } from "./reactive-log.ts";

export interface IdentityOwner {
  /** The version of the identity last sent to the client. */
  version(): number;
  hasEnded(): boolean;
  /** The identity changed: all queries must be evaluated for it. */
  onAdopted(identity: Identity | null): void;
  /** A token was verified or refused: waiting messages may continue. */
  onChecked(): void;
  send(text: string): void;
  close(code: number, reason: string): void;
  failOn(error: unknown): void;
}

export class ConnectionIdentity {
  readonly #host: ConnectionHost;
  readonly #client: ConnectingClient;
  readonly #log: ReactiveLog;
  readonly #owner: IdentityOwner;
  #current: Identity | null = null;
  #isBeingChecked = false;

  constructor(
    host: ConnectionHost,
    client: ConnectingClient,
    log: ReactiveLog,
    owner: IdentityOwner,
  ) {
    this.#host = host;
    this.#client = client;
    this.#log = log;
    this.#owner = owner;
  }

  get current(): Identity | null {
    return this.#current;
  }

  /** Whether a token is being verified. */
  get isBeingChecked(): boolean {
    return this.#isBeingChecked;
  }

  /** The client to whom the connection's work is charged. */
  get key(): ClientKey {
    return clientKeyOf(this.#current?.subject, this.#client.address);
  }

  authenticate(message: AuthenticateMessage): void {
    const { baseVersion } = message;
    const version = this.#owner.version();
    if (baseVersion !== version) {
      throw new ProtocolError(
        `Authenticate is based on identity version ${baseVersion}, which is ${version}.`,
      );
    }
    switch (message.tokenType) {
      case "None":
        this.#adopt(null);
        break;
      case "Admin":
        this.#refuse(ADMIN_KEYS_REFUSED, baseVersion, true);
        break;
      case "User":
        this.#isBeingChecked = true;
        this.#host.shares.charge(this.key, AUTHENTICATION_MS, this.#client.work);
        void this.#check(message.value, baseVersion);
        break;
    }
  }

  async #check(token: string, baseVersion: number): Promise<void> {
    let identity: Identity | undefined;
    let refusal = "The token is no longer valid.";
    try {
      identity = await this.#host.executor.authenticate(token);
    } catch (error) {
      if (error instanceof AuthenticationUnavailableError) {
        this.#host.repeats.warn({ err: error }, "sign-in cannot be checked");
        // Do not refuse the token, which would sign the user out: the client reconnects and
        // retries.
        this.#owner.close(1011, "InternalServerError: sign-in cannot be checked");
        return;
      }
      if (!(error instanceof AuthenticationRefusedError)) {
        this.#isBeingChecked = false;
        this.#owner.failOn(error);
        return;
      }
      refusal = error.message;
      this.#log.info({ code: error.code, reason: refusal }, "a token was refused");
    }
    // In the new user's turn: tokens of many connections may be verified at the same time.
    const client = clientKeyOf(identity?.subject, this.#client.address);
    const { executor, shares } = this.#host;
    const conclude = () => {
      // The next large command may have begun in the meantime; a part of its events must not be visible.
      if (executor.unsettled?.() !== undefined) return false;
      this.#conclude(identity, refusal, baseVersion);
      return true;
    };
    for (let isDone = false; !isDone;) {
      await executor.unsettled?.();
      isDone = await shares.schedule(client, conclude, this.#client.work);
    }
  }

  #conclude(identity: Identity | undefined, refusal: string, baseVersion: number): void {
    this.#isBeingChecked = false;
    if (this.#owner.hasEnded()) return;
    try {
      if (identity !== undefined && this.isCurrent(identity)) {
        this.#host.shares.vouch(identity.subject, this.#client.address);
        this.#adopt(identity);
      } else this.#refuse(refusal, baseVersion, true);
    } catch (error) {
      this.#owner.failOn(error);
    }
    this.#owner.onChecked();
  }

  #adopt(identity: Identity | null): void {
    this.#current = identity;
    this.#owner.onAdopted(identity);
  }

  isCurrent(identity: Identity | null): boolean {
    if (identity === null) return true;
    return this.#host.clock() < identity.expiresAtMs && this.#host.executor.isLive(identity);
  }

  /** Returns false if the identity has expired; the connection is then closed as well. */
  requireCurrent(): boolean {
    if (this.#owner.hasEnded()) return false;
    if (this.isCurrent(this.#current)) return true;
    this.refuseExpired();
    return false;
  }

  refuseExpired(): void {
    this.#refuse("The token has expired.", this.#owner.version(), false);
  }

  /** Ends the identity because its session has ended; the client requests a new token. */
  endSession(): void {
    this.#refuse("The session has ended.", this.#owner.version(), false);
  }

  /** @param attempted whether this answers an Authenticate message, rather than a later expiry */
  #refuse(error: string, baseVersion: number, attempted: boolean): void {
    if (this.#owner.hasEnded()) return;
    this.#owner.send(encodeAuthError(error, baseVersion, attempted));
    this.#owner.close(1000, error);
  }
}
