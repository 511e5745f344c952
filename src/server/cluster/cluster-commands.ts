/**
 * Submits the commands of this node to whichever node leads, each once.
 *
 * A leader answers with the sequence of the command, and this node answers its client with the events of
 * that sequence, once it has delivered them itself: so the client reads its own writes here. A request is
 * addressed to a term. If there is no answer, it is sent again to the same term, whose leader takes it
 * once. When this node has seen the end of the term, everything of that term is known to it and nothing
 * can be added, so the request is sent again to the next term: under the same idempotency key, by which
 * the engine knows it if it was accepted.
 *
 * Time and the network are given, so that a simulation can drive it.
 */
import type { Command } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { CommandOutcome } from "../exchange/exchange.ts";
import { ExchangeBusyError, NotLeadingError } from "../exchange/exchange-errors.ts";
import { RecentOutcomes } from "./recent-outcomes.ts";

export interface CommandRequest {
  /** Unique: by it the leader of a term recognizes a request that is sent again. */
  readonly id: string;
  readonly key: string;
  readonly command: Command;
}

export type LeaderReply =
  /** The command is durable. */
  | { readonly kind: "taken"; readonly sequence: number }
  /** The command is not in the journal, and will not be by this request. */
  | { readonly kind: "notTaken" }
  | { readonly kind: "busy"; readonly waiting: number }
  /** The leader cannot read the request, which may be of a newer version of the program. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** The way to the leader of a term. */
export interface LeaderLink {
  /** Rejects if no leader of that term answers; the request may have been accepted nevertheless. */
  ask(term: number, request: CommandRequest): Promise<LeaderReply>;
}

export interface ClusterCommandsOptions {
  /** Rejects with `NotLeadingError`, by which the command is not taken, unless this node leads. */
  readonly submitHere: (command: Command, key: string) => Promise<CommandOutcome>;
  readonly leader: LeaderLink;
  /** A new unique text of at most 64 characters. */
  readonly newId: () => string;
  readonly delay: (ms: number) => Promise<unknown>;
  /** How many commands may wait for another node. */
  readonly backlogMax?: number;
}

/** The known state of a request that was sent more than once. */
interface Attempts {
  /** Whether a leader may have taken it that did not answer, and no longer remembers it. */
  mayBeTaken: boolean;
}

/** The first pause before a request is sent again; each later one is twice as long, up to the limit. */
const RETRY_AFTER_MS = 50;
const RETRY_MS_MAX = 400;
const BACKLOG_MAX = 65_536;

export class ClusterCommands {
  readonly #options: ClusterCommandsOptions;
  readonly #outcomes = new RecentOutcomes();
  readonly #changes = new Set<() => void>();
  #term = 0;
  #isLeading = false;
  #failure: Error | undefined;

  constructor(options: ClusterCommandsOptions) {
    this.#options = options;
  }

  /** The newest term whose beginning this node has seen. */
  get term(): number {
    return this.#term;
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** How many commands wait for another node. */
  get waiting(): number {
    return this.#outcomes.waiting;
  }

  /** Resolves when a node has led. */
  async whenBegun(): Promise<void> {
    while (this.#term === 0 && this.#failure === undefined) {
      await this.#changeOr(new Promise(() => undefined));
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Every event of an earlier term was delivered. */
  onTerm(term: number): void {
    this.#term = Math.max(this.#term, term);
    this.#announceChange();
  }

  onLeading(term: number): void {
    this.#isLeading = true;
    this.onTerm(term);
  }

  onFollowing(): void {
    this.#isLeading = false;
    this.#announceChange();
  }

  onDelivered(sequence: number, events: readonly ExchangeEvent[]): void {
    this.#outcomes.onDelivered(sequence, events);
  }

  /** Rejects everything that waits, whose outcome is then unknown. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#outcomes.fail(error);
    this.#announceChange();
  }

  /** @throws ExchangeBusyError if the command was not taken, or the error of `fail` */
  async submit(command: Command, key: string): Promise<CommandOutcome> {
    const { backlogMax = BACKLOG_MAX, newId, submitHere } = this.#options;
    if (this.#isLeading) {
      try {
        return await submitHere(command, key);
      } catch (error) {
        if (!(error instanceof NotLeadingError)) throw error;
      }
    }
    if (this.#outcomes.waiting >= backlogMax) throw new ExchangeBusyError(this.#outcomes.waiting);
    const release = this.#outcomes.keep();
    try {
      return await this.#settle({ id: newId(), key: key === "" ? newId() : key, command });
    } finally {
      release();
    }
  }

  async #settle(request: CommandRequest): Promise<CommandOutcome> {
    const attempts: Attempts = { mayBeTaken: false };
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      let outcome: CommandOutcome | "notTaken" | "termEnded";
      try {
        outcome = this.#isLeading
          ? await this.#here(request)
          : await this.#there(request, attempts);
      } catch (error) {
        // It may be in the journal, so the answer to its client must not be that it was not accepted.
        if (!attempts.mayBeTaken || !(error instanceof ExchangeBusyError)) throw error;
        outcome = "notTaken";
      }
      if (outcome === "notTaken") await this.#changeOr(this.#pause(RETRY_AFTER_MS));
      else if (outcome !== "termEnded") {
        return attempts.mayBeTaken ? this.#firstOf(outcome) : outcome;
      }
    }
  }

  async #here({ command, key }: CommandRequest): Promise<CommandOutcome | "notTaken"> {
    try {
      return await this.#options.submitHere(command, key);
    } catch (error) {
      if (error instanceof NotLeadingError) return "notTaken";
      throw error;
    }
  }

  async #there(
    request: CommandRequest,
    attempts: Attempts,
  ): Promise<CommandOutcome | "notTaken" | "termEnded"> {
    const term = this.#term;
    // No node has led yet.
    if (term === 0) return "notTaken";
    let pauseMs = RETRY_AFTER_MS;
    while (this.#term === term && !this.#isLeading && this.#failure === undefined) {
      try {
        const reply = await this.#changeOr(this.#options.leader.ask(term, request));
        if (reply === undefined) {
          attempts.mayBeTaken = true;
          continue;
        }
        if (reply.kind === "taken") return await this.#outcomes.of(reply.sequence);
        if (reply.kind === "notTaken") return "notTaken";
        if (reply.kind === "busy") throw new ExchangeBusyError(reply.waiting);
        throw new UnreadableRequestError(reply.reason);
      } catch (error) {
        if (error instanceof ExchangeBusyError || error instanceof UnreadableRequestError) {
          throw error;
        }
        if (this.#failure !== undefined) throw this.#failure;
        attempts.mayBeTaken = true;
        await this.#changeOr(this.#pause(pauseMs));
        pauseMs = Math.min(2 * pauseMs, RETRY_MS_MAX);
      }
    }
    return "termEnded";
  }

  /** The outcome of the command itself, if this one only says that it was accepted before. */
  #firstOf(outcome: CommandOutcome): CommandOutcome {
    const repeat = outcome.events.find(({ type }) => type === "requestRepeated");
    if (repeat?.type !== "requestRepeated") return outcome;
    return this.#outcomes.find(repeat.originalSequence) ?? outcome;
  }

  #pause(ms: number): Promise<undefined> {
    return this.#options.delay(ms).then(() => undefined);
  }

  /** The result, or undefined as soon as the term or this node's role changes. */
  async #changeOr<T>(work: Promise<T>): Promise<T | undefined> {
    const changed = Promise.withResolvers<undefined>();
    const change = () => changed.resolve(undefined);
    this.#changes.add(change);
    try {
      return await Promise.race([work, changed.promise]);
    } finally {
      this.#changes.delete(change);
    }
  }

  #announceChange(): void {
    const changes = [...this.#changes];
    this.#changes.clear();
    for (const change of changes) change();
  }
}

/** The leader runs a version of the program that does not know the command. */
class UnreadableRequestError extends Error {
  override readonly name = "UnreadableRequestError";

  constructor(reason: string) {
    super(`The leading node could not read the command: ${reason}`);
  }
}
