/**
 * A running exchange with two people who own something, and the checks that hold whatever is sent to
 * it: their money is where it was, the server is well, and its journal is sound.
 */
import { expect } from "vitest";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { call, HandMadeSocket, type Person, signUp } from "./bad-input-clients.ts";
import { type CallKind, GOOD_ORDER } from "./bad-input-orders.ts";

/** A refusal is one sentence, or two, that a person can read. */
export const SENTENCE = /^[A-Za-z"][^\n]{8,300}\.$/;

export class AttackedExchange {
  readonly server: RunningServer;
  readonly ada: Person;
  readonly mallory: Person;
  /** Rests in the book, and what led to Ada's fills and holds. */
  adasOrder = "";
  adasSequences: number[] = [];
  #before: unknown;
  /** Open through everything: what happens to others must not reach it. */
  #bystander: HandMadeSocket | undefined;

  private constructor(server: RunningServer, ada: Person, mallory: Person) {
    this.server = server;
    this.ada = ada;
    this.mallory = mallory;
  }

  static async start(): Promise<AttackedExchange> {
    const server = await startServerProcess({ AUTH_RATE_LIMIT: "off" });
    const ada = await signUp(server.url, "Ada");
    const exchange = new AttackedExchange(server, ada, await signUp(server.url, "Mallory"));
    await exchange.#trade();
    return exchange;
  }

  get url(): string {
    return this.server.url;
  }

  async #trade(): Promise<void> {
    const { ada, mallory } = this;
    const buys = { market: "BTC-USD", side: "buy", type: "market", quoteAmount: "1000" };
    for (const { token } of [ada, mallory]) {
      await this.good("mutation", "accounts:takePracticeFunds", {}, token);
      await this.good("mutation", "orders:place", buys, token);
    }
    this.adasOrder = await this.placed(GOOD_ORDER, ada);
    const feed = (await this.good("query", "activity:recent", {}, ada.token)) as {
      sequence: number | null;
    }[];
    this.adasSequences = feed.flatMap(({ sequence }) => sequence ?? []);
    this.#before = await this.#money();
    this.#bystander = await HandMadeSocket.connected(this.url, ada.token);
  }

  /** The value of a call that must succeed. */
  async good(kind: CallKind, path: string, args: unknown, token?: string): Promise<unknown> {
    const answer = await call(this.url, kind, path, args, token);
    expect(answer).toMatchObject({ httpStatus: 200, status: "success" });
    return answer.value;
  }

  /** The id of an order that must be accepted. */
  async placed(order: object, by: Person): Promise<string> {
    const value = await this.good("mutation", "orders:place", order, by.token);
    return (value as { order: { orderId: string } }).order.orderId;
  }

  async expectUnharmed(): Promise<void> {
    expect(await this.#money()).toEqual(this.#before);
    const health = await fetch(`${this.url}/api/health`);
    expect(await health.json()).toMatchObject({ status: "ok" });
    expect(this.#bystander?.closedWith).toBeUndefined();
  }

  /** Ends the server as a power cut would, replays what it wrote, and starts it again. */
  async expectSoundJournal(): Promise<void> {
    await this.#bystander?.close();
    await this.server.kill();
    const report = await verifyJournal({ dataDir: this.server.dataDir });
    expect(report.faults).toEqual([]);
    expect(report.sequence).toBeGreaterThan(0);
    await this.server.restart();
    this.#bystander = await HandMadeSocket.connected(this.url, this.ada.token);
  }

  expectQuietLog(): void {
    const output = this.server.output();
    expect(output.split("\n").filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
    for (const { token, cookie, password } of [this.ada, this.mallory]) {
      for (const secret of [token, cookie.split("=")[1], password]) {
        expect(output.includes(secret)).toBe(false);
      }
    }
  }

  /** What both own and have open, to the last unit; without values, which follow the market. */
  #money(): Promise<unknown> {
    return Promise.all(
      [this.ada, this.mallory].map(async ({ token }) => {
        const balances = (await this.good("query", "accounts:balances", {}, token)) as {
          coin: string;
          available: string;
          held: string;
        }[];
        const open = (await this.good("query", "orders:open", {}, token)) as { orderId: string }[];
        return {
          balances: balances.map(({ coin, available, held }) => `${coin} ${available} ${held}`),
          open: open.map(({ orderId }) => orderId),
        };
      }),
    );
  }
}
