/**
 * The duties of one process for the whole exchange: of the leader if there are several nodes, else of
 * the only one. Starts and stops of the duties never overlap, however quickly the leader changes.
 */
import { installCatalogue, type ListedCatalogue } from "./catalogue/install-catalogue.ts";
import type { ClusterExchange } from "./cluster/open-cluster.ts";
import type { Exchange } from "./exchange/exchange.ts";
import { NotLeadingError } from "./exchange/exchange-errors.ts";
import type { History } from "./history/history.ts";
import { type Log, messageOf } from "./log.ts";
import type { OwnData } from "./own-data.ts";
import { catalogueOf, type Config } from "./settings/config.ts";
import type { createSimulator } from "./simulator/simulator.ts";

interface Duties {
  /** Prepares the exchange: before requests are answered, and each time the lead is taken. */
  prepare(): Promise<void>;
  /** Starts the duties of the leader, once requests are answered. */
  start(): void;
  stop(): Promise<void>;
  /** Leaves the lead to another process, if there may be one. */
  stepDown(): void;
}

export class LeaderDuties {
  readonly #log: Log;
  #duties: Duties | undefined;
  #leads = false;
  #isOpen = false;
  /** A process that is stopping does not lead again. */
  #isClosed = false;
  /** Whether the duties were started, and are prepared. */
  #hasBegun = false;
  #isPrepared = false;
  #isStarted = false;
  #work: Promise<void> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Sets whether this process leads. */
  readonly setLeads = (leads: boolean): void => {
    this.#leads = leads && !this.#isClosed;
    this.#followUp();
  };

  /** Sets the duties; resolves when they are prepared, if this process leads. */
  async give(duties: Duties): Promise<void> {
    this.#duties = duties;
    this.#followUp();
    await this.#work;
  }

  /** Requests are answered from now on. */
  open(): void {
    this.#isOpen = true;
    this.#followUp();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.setLeads(false);
    await this.#work;
  }

  #followUp(): void {
    const duties = this.#duties;
    if (duties === undefined) return;
    const work = this.#work.catch(() => undefined).then(() => this.#catchUp(duties));
    // `give` reports a failure to its caller; later ones are logged.
    work.catch(() => undefined);
    this.#work = work;
  }

  async #catchUp(duties: Duties): Promise<void> {
    if (!this.#leads) {
      if (this.#hasBegun) await duties.stop();
      [this.#hasBegun, this.#isPrepared, this.#isStarted] = [false, false, false];
      return;
    }
    try {
      this.#hasBegun = true;
      if (!this.#isPrepared) await duties.prepare();
      this.#isPrepared = true;
    } catch (error) {
      // The next leader prepares it.
      if (error instanceof NotLeadingError) return;
      this.#log.error({ reason: messageOf(error) }, "the leader could not prepare the exchange");
      // Another may; or this one takes the lead again later, and with it a new attempt.
      if (this.#leads) duties.stepDown();
      throw error;
    }
    if (!this.#isOpen || this.#isStarted) return;
    this.#isStarted = true;
    duties.start();
  }
}

/** The duties of a process that owns the exchange alone, or of a node of several. */
export function dutiesOf(parts: {
  readonly config: Config;
  /** Takes commands only while this process leads. */
  readonly here: Exchange;
  readonly listed: ListedCatalogue;
  readonly simulator: ReturnType<typeof createSimulator>;
  readonly history: History;
  readonly ownData: OwnData;
  /** Undefined in a process that owns the exchange alone. */
  readonly cluster: Pick<ClusterExchange, "stepDown"> | undefined;
}): Duties {
  const { cluster, config, here, history, listed, ownData, simulator } = parts;
  const setLeads = (leads: boolean): void => {
    if (cluster === undefined) return;
    history.setWriting(leads);
    ownData.setLeads(leads);
  };
  return {
    async prepare() {
      setLeads(true);
      await installCatalogue(here, listed, catalogueOf(config));
      await (config.SIMULATION ? simulator.prepare() : simulator.withdraw());
    },
    start() {
      if (config.SIMULATION) simulator.start();
    },
    async stop() {
      setLeads(false);
      await simulator.stop();
    },
    stepDown: () => void cluster?.stepDown(),
  };
}
