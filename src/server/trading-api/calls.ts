/**
 * Carries out calls, whichever way they come: over HTTP or a WebSocket the same client has the same
 * allowance, waits for the same turns and is judged by the same signatures.
 */
import type { ApiKeyGrant } from "../api-keys/key-gate.ts";
import {
  ExchangeBusyError,
  ExchangeStoppedError,
  OrdersStoppedError,
} from "../exchange/exchange-errors.ts";
import { FunctionError } from "../functions/function-error.ts";
import type { Services } from "../functions/services.ts";
import { HistoryUnavailableError } from "../history/history.ts";
import { type ClientKey, clientKeyOf } from "../limits/client-key.ts";
import { FairQueue, QueueFullError } from "../limits/fair-queue.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import { ApiError, internalError, keyRefused, overloaded, unavailable } from "./api-error.ts";
import { type Caller, type Endpoint, RowsAnswer } from "./endpoint.ts";
import { apiErrorOf } from "./orders/order-refusals.ts";
import { FaultLab } from "./fault-lab/fault-lab.ts";
import type { FaultyTraffic } from "./fault-lab/faulty-traffic.ts";
import { type Pair, readParameters } from "./parameters.ts";
import { type Payer, RequestWeights } from "./request-weights.ts";
import { callerOf, keyOf, type SignedRequest } from "./signed-request.ts";
import { UsedRequests } from "./used-requests.ts";

/** Of every request, before anything of it is read; part of its call's weight. */
const ARRIVAL_WEIGHT = 1;

/**
 * The approximate cost of a byte of an answer: what is read from the history is described, encoded
 * and sent in pieces between others' work, so it is not timed.
 */
const ANSWER_MS_PER_BYTE = 1.5e-5;

/** Calls that read; some read the history. Clients take turns. */
const READS = {
  what: "calls",
  underWay: 16,
  underWayPerClient: 4,
  waiting: 2_000,
  waitingPerClient: 128,
} as const;

export interface UsedWeight {
  readonly used: number;
  readonly limit: number;
}

/**
 * Answers of many rows: one in a turn of the event loop, because what several calls have read often comes
 * at once. Each has a place among the reads.
 */
const DESCRIPTIONS = {
  what: "answers",
  underWay: 1,
  underWayPerClient: 1,
  waiting: READS.underWay,
  waitingPerClient: READS.underWayPerClient,
} as const;

/** A call that has arrived. */
interface Arrived {
  readonly pairs: readonly Pair[];
  /** Undefined for a call that everyone may use. */
  readonly caller: Caller | undefined;
  readonly address: string;
  /** Undefined if its key has no faults. */
  readonly traffic: FaultyTraffic | undefined;
}

/**
 * Calls that trade spend their time waiting for the disk: with as few of them under way as of the
 * reads, that wait would set how many there may be in a second. Plans limit how many there are.
 */
const TRADES = {
  what: "calls",
  underWay: 256,
  underWayPerClient: 64,
  waiting: 4_000,
  waitingPerClient: 256,
} as const;

export class Calls {
  readonly services: Services;
  readonly lab: FaultLab;
  readonly shares: WorkShares;
  readonly #weights: RequestWeights;
  readonly #judges;
  readonly #reads = new FairQueue(READS);
  readonly #trades = new FairQueue(TRADES);
  readonly #descriptions = new FairQueue(DESCRIPTIONS);

  constructor(services: Services, shares: WorkShares) {
    const { apiKeys: keys, config, views } = services;
    const nowMs = () => views.nowMs();
    this.services = services;
    this.shares = shares;
    this.#weights = new RequestWeights(nowMs);
    this.lab = new FaultLab({ settings: keys.faults, weightLimit: config.TRADING_API_WEIGHT });
    const used = new UsedRequests(() => performance.now());
    this.#judges = { keys, used, usedSinceMs: nowMs(), nowMs };
  }

  /** Request weight that a caller's owner, or else the address, has used in this minute. */
  weightOf(address: string, caller: Pick<Caller, "userId"> | undefined): UsedWeight {
    const { client, limit } = this.#payerOf(address, caller);
    return { used: this.#weights.usedBy(client), limit };
  }

  /** Whether they have not listened to refusals. */
  isShutOut(address: string, caller: Pick<Caller, "userId"> | undefined): boolean {
    return this.#weights.isShutOut(this.#payerOf(address, caller).client);
  }

  /** A request has arrived. @throws ApiError once its address has used up its allowance */
  arrived(address: string): void {
    this.#weights.spend(this.#payerOf(address, undefined), ARRIVAL_WEIGHT);
  }

  /** Signed requests are those of the user whose key it is, wherever they come from. */
  #payerOf(address: string, caller: Pick<Caller, "userId"> | undefined): Payer {
    const { commandRates, config } = this.services;
    const client = clientKeyOf(caller?.userId, address);
    if (caller === undefined) return { client, limit: config.TRADING_API_WEIGHT };
    return { client, limit: commandRates.limitsOfUser(caller.userId).requestWeightPerMinute };
  }

  /** @throws ApiError once the allowance is used up that a call takes from */
  #weigh(address: string, caller: Caller | undefined, weight: number): void {
    const payer = this.#payerOf(address, caller);
    if (caller === undefined) {
      this.#weights.spend(payer, weight - ARRIVAL_WEIGHT);
      return;
    }
    this.#weights.spend(payer, weight);
    // Refused ones stay with their address: each has cost a signature's verification.
    this.#weights.giveBack(clientKeyOf(undefined, address), ARRIVAL_WEIGHT);
  }

  /** @throws ApiError */
  keyOf(request: Omit<SignedRequest, "payload">): Promise<ApiKeyGrant> {
    return keyOf(request, this.#judges);
  }

  /** @throws ApiError */
  callerOf(request: SignedRequest, grant: ApiKeyGrant, pairs: readonly Pair[]): Promise<Caller> {
    // It costs its address a turn, not the owner of the key: that is who it may prove to be.
    const client = clientKeyOf(undefined, request.address);
    return this.shares.schedule(client, () => callerOf(request, grant, pairs, this.#judges));
  }

  /**
   * Answers a call that has arrived.
   * @throws ApiError, and what `errorOf` makes one of
   */
  async answer(call: Endpoint, { address, caller, pairs, traffic }: Arrived): Promise<unknown> {
    const { apiKeys, exchange } = this.services;
    const client = clientKeyOf(caller?.userId, address);
    const read = () => readParameters(call.parameters, pairs, caller !== undefined);
    const parameters = await this.shares.schedule(client, read);
    const { weight } = call;
    const total = typeof weight === "number" ? weight : weight.of(parameters);
    this.#weigh(address, caller, total);
    const work = () => {
      // It may have stopped while the call waited for its turn.
      if (caller !== undefined && !apiKeys.isLive(caller.keyId)) throw keyRefused();
      traffic?.admit(call);
      return Promise.resolve(call.answer(this.services, parameters, caller));
    };
    const workOnWhole = () => {
      // No call sees half of a command.
      const unsettled = exchange.unsettled();
      if (unsettled === undefined) return work();
      return unsettled.then(() => this.shares.run(client, work));
    };
    const queue = call.security === "trade" ? this.#trades : this.#reads;
    const answer = await this.#inPlace(queue, client, caller !== undefined, workOnWhole);
    return traffic === undefined ? answer : traffic.distort(call, parameters, answer);
  }

  /**
   * Does the work in one of the queue's places. A client rests before it takes one, never in it: others wait
   * for these places.
   */
  async #inPlace(
    queue: FairQueue,
    client: ClientKey,
    isSigned: boolean,
    work: () => Promise<unknown>,
  ): Promise<unknown> {
    const preference = isSigned ? "preferred" : "ordinary";
    for (;;) {
      await this.shares.schedule(client, () => undefined);
      const place = await queue.run(
        client,
        async () => {
          // What was done for it while it waited may have used up its share.
          if (this.shares.isThrottled(client)) return undefined;
          return { answer: await this.#described(client, await this.shares.run(client, work)) };
        },
        undefined,
        preference,
      );
      if (place !== undefined) return place.answer;
    }
  }

  async #described(client: ClientKey, answer: unknown): Promise<unknown> {
    if (!(answer instanceof RowsAnswer)) return answer;
    return this.#descriptions.run(client, () => this.shares.run(client, answer.describe));
  }

  /** So many bytes of an answer are sent. */
  answered(address: string, bytes: number): void {
    this.shares.charge(clientKeyOf(undefined, address), bytes * ANSWER_MS_PER_BYTE);
  }

  /** What the client is told; failures of ours are logged and said without details. */
  errorOf(error: unknown, call: string): ApiError {
    const refusal = refusalOf(error);
    if (refusal === undefined) this.services.log.error({ err: error, call }, "a call failed");
    return refusal ?? internalError();
  }
}

/** Undefined for a failure of ours. */
function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof FunctionError) return apiErrorOf(error);
  // Whether the command took effect is unknown.
  if (error instanceof ExchangeStoppedError) return unavailable();
  const isBusy =
    error instanceof QueueFullError ||
    error instanceof HistoryUnavailableError ||
    error instanceof ExchangeBusyError ||
    error instanceof OrdersStoppedError;
  if (isBusy) return overloaded();
  return undefined;
}
