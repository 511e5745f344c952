/** The leader's side of other nodes' commands: takes each request once per term. */
import type { Command } from "#engine/commands.ts";
import type { CommandOutcome } from "../exchange/exchange.ts";
import { ExchangeBusyError, NotLeadingError } from "../exchange/exchange-errors.ts";
import type { CommandRequest, LeaderReply } from "./cluster-commands.ts";

interface CommandIntakeOptions {
  readonly submitHere: (command: Command, key: string) => Promise<CommandOutcome>;
  /** A steady clock, in milliseconds. */
  readonly now: () => number;
}

/** Far longer than a node waits before it sends a request again. */
const REMEMBERED_MS = 60_000;

interface Taken {
  readonly reply: Promise<LeaderReply>;
  readonly atMs: number;
}

export class CommandIntake {
  readonly #options: CommandIntakeOptions;
  #term: number | undefined;
  /** By id, oldest first. */
  readonly #taken = new Map<string, Taken>();

  constructor(options: CommandIntakeOptions) {
    this.#options = options;
  }

  /** Takes requests of this term, and of no other. */
  begin(term: number): void {
    this.#term = term;
    this.#taken.clear();
  }

  end(): void {
    this.#term = undefined;
    this.#taken.clear();
  }

  /** @throws ExchangeStoppedError and others if it is unknown whether the command was taken */
  take(term: number, request: CommandRequest): Promise<LeaderReply> {
    if (term !== this.#term) return Promise.resolve({ kind: "notTaken" });
    this.#forgetOld();
    const known = this.#taken.get(request.id);
    if (known !== undefined) return known.reply;
    const reply = this.#reply(request);
    this.#taken.set(request.id, { reply, atMs: this.#options.now() });
    return reply;
  }

  async #reply({ command, key }: CommandRequest): Promise<LeaderReply> {
    try {
      const { sequence } = await this.#options.submitHere(command, key);
      return { kind: "taken", sequence };
    } catch (error) {
      if (error instanceof NotLeadingError) return { kind: "notTaken" };
      if (error instanceof ExchangeBusyError) return { kind: "busy", waiting: error.waiting };
      throw error;
    }
  }

  #forgetOld(): void {
    const oldestMs = this.#options.now() - REMEMBERED_MS;
    for (const [id, { atMs }] of this.#taken) {
      if (atMs >= oldestMs) break;
      this.#taken.delete(id);
    }
  }
}
