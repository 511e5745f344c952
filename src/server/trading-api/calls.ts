/**
 * Executes calls of the trading API. The same client has the same allowance, queue places and
 * signature checks over HTTP and over WebSockets.
 */
import type { ApiKeyGrant } from "../api-keys/key-gate.ts";
import {
  ExchangeBusyError,
  ExchangeStoppedError,
  NotLeadingError,
  OrdersStoppedError,
} from "../exchange/exchange-errors.ts";
import { FunctionError } from "../functions/function-error.ts";
import type { Services } from "../functions/services.ts";
import { HistoryUnavailableError } from "../history/history.ts";
import {
  type ClientKey,
  clientKeyOf,
  ordersKeyOf,
  pagesKeyOf,
  signerKeyOf,
} from "../limits/client-key.ts";
import { FairQueue, QueueFullError } from "../limits/fair-queue.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import { ApiError, internalError, keyRefused, overloaded, unavailable } from "./api-error.ts";
import { type Caller, type Endpoint, ReadAnswer, RowsAnswer, type Security } from "./endpoint.ts";
import { apiErrorOf } from "./orders/order-refusals.ts";
import { FaultLab } from "./fault-lab/fault-lab.ts";
import type { FaultyTraffic } from "./fault-lab/faulty-traffic.ts";
import { type Pair, readParameters } from "./parameters.ts";
import { type Payer, RequestWeights } from "./request-weights.ts";
import { callerOf, keyOf, type SignedRequest } from "./signed-request.ts";
import { UsedRequests } from "./used-requests.ts";

/** Charged for every request before any of it is read; part of the weight of its call. */
const ARRIVAL_WEIGHT = 1;

/**
 * Approximate cost of one byte of an answer. Rows of the history are described, encoded and sent in
 * slices between other work, so their time cannot be measured.
 */
const ANSWER_MS_PER_BYTE = 1.5e-5;

/** Reads, some of them of the history. Clients take turns. */
const READ_QUEUE = {
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

/** Rows that are described in one batch: less than a millisecond of work. */
const ROWS_PER_SLICE = 64;
/**
 * Slices of answers of many rows: one per turn of the event loop, because the rows of several calls often
 * arrive together. Each also holds a place among the reads.
 */
const DESCRIPTION_QUEUE = {
  what: "answers",
  underWay: 1,
  underWayPerClient: 1,
  waiting: READ_QUEUE.underWay,
  waitingPerClient: READ_QUEUE.underWayPerClient,
} as const;

/** A call whose request has arrived. */
interface ArrivedCall {
  readonly pairs: readonly Pair[];
  /** Undefined for a call without security. */
  readonly caller: Caller | undefined;
  readonly address: string;
  /** The key that the request named. */
  readonly apiKey?: string | undefined;
  /** Whether a page in a browser sent it. */
  readonly isOfPage?: boolean;
  /** Undefined if the key has no faults. */
  readonly traffic: FaultyTraffic | undefined;
  /** Called when the work of the call begins: a call that trades has submitted its command then. */
  readonly onBegun?: (() => void) | undefined;
}

/** The outcome of work whose client has to rest before it begins. */
const NOT_BEGUN = Symbol("not begun");

/** The unverified sender of a request. */
export type Sender = Pick<ArrivedCall, "address" | "apiKey" | "isOfPage">;

/**
 * The client that is charged for a verified request, and the allowance: a user's orders have a
 * separate one.
 */
export interface Signer {
  readonly userId: string;
  readonly security: Security;
}

/** Undefined if nothing proves who sent the request: its sender pays then. */
export function signerOf(
  { security }: Pick<Endpoint, "security">,
  caller: Caller | undefined,
): Signer | undefined {
  if (caller === undefined || caller.isUnsigned === true) return undefined;
  return { userId: caller.userId, security };
}

/**
 * Trading calls spend their time waiting for the disk. With as few places as the reads have, that
 * wait would limit their rate; plans already limit it.
 */
const TRADE_QUEUE = {
  what: "calls",
  underWay: 256,
  underWayPerClient: 64,
  waiting: 4_000,
  waitingPerClient: 256,
} as const;

/**
 * Wraps a call, which it begins.
 * @param name the call's method and path
 * @param refusalOf the code of an error by which a call is refused; undefined if the call failed
 */
export type AroundCall = <T>(
  name: string,
  call: () => Promise<T>,
  refusalOf: (error: unknown) => number | undefined,
) => Promise<T>;

export class Calls {
  readonly services: Services;
  readonly lab: FaultLab;
  readonly shares: WorkShares;
  readonly #around: AroundCall | undefined;
  readonly #weights: RequestWeights;
  readonly #judges;
  readonly #reads = new FairQueue(READ_QUEUE);
  readonly #trades = new FairQueue(TRADE_QUEUE);
  readonly #descriptions = new FairQueue(DESCRIPTION_QUEUE);

  constructor(services: Services, shares: WorkShares, around?: AroundCall) {
    const { apiKeys: keys, config, sharedLimits, views } = services;
    const nowMs = () => views.nowMs();
    this.services = services;
    this.shares = shares;
    this.#around = around;
    this.#weights = new RequestWeights(nowMs, sharedLimits);
    this.lab = new FaultLab({ settings: keys.faults, weightLimit: config.TRADING_API_WEIGHT });
    const used = new UsedRequests(() => performance.now());
    this.#judges = { keys, used, usedSinceMs: nowMs(), nowMs };
  }

  /**
   * Request weight used in the current minute: by the user for orders or for other calls or, without
   * a signer, by the sender.
   */
  weightOf(sender: Sender, signer: Signer | undefined): UsedWeight {
    const { client, limit } = signer === undefined ? this.#payerOf(sender) : this.#payerFor(signer);
    return { used: this.#weights.usedBy(client), limit };
  }

  /** Whether the client is banned because it continued after refusals. */
  isShutOut(sender: Sender, signer: Signer | undefined): boolean {
    const { client } = signer === undefined ? this.#payerOf(sender) : this.#payerFor(signer);
    return this.#weights.isShutOut(client);
  }

  /** Charges the arrival of a request. @throws ApiError once its sender's allowance is used up */
  arrived(sender: Sender): void {
    this.#weights.spend(this.#payerOf(sender), ARRIVAL_WEIGHT);
  }

  /**
   * The client that is charged for a request until its signature is verified: the address or, once the
   * key has signed from there, the key, which other users of the address do not know. Pages in browsers
   * have a separate allowance at each address. So a page that makes its visitors send requests does not
   * stop their programs.
   */
  #payerOf({ address, apiKey, isOfPage = false }: Sender): Payer {
    const { apiKeys, config } = this.services;
    const keyId = apiKey === undefined ? undefined : apiKeys.signerAt(apiKey, address);
    const limit = config.TRADING_API_WEIGHT;
    if (keyId !== undefined) return { client: signerKeyOf(keyId), limit };
    return { client: isOfPage ? pagesKeyOf(address) : clientKeyOf(undefined, address), limit };
  }

  /** Signed requests are charged to the key's owner, regardless of their address. */
  #payerFor({ security, userId }: Signer): Payer {
    const client = security === "trade" ? ordersKeyOf(userId) : clientKeyOf(userId, "");
    const limit = this.services.commandRates.limitsOfUser(userId).requestWeightPerMinute;
    return { client, limit };
  }

  /** @throws ApiError once the allowance that pays for the call is used up */
  #chargeWeight(call: Endpoint, arrived: ArrivedCall, weight: number): void {
    const { address, caller } = arrived;
    const signer = signerOf(call, caller);
    if (caller === undefined || signer === undefined) {
      this.#weights.spend(this.#payerOf(arrived), weight - ARRIVAL_WEIGHT);
      return;
    }
    this.#weights.spend(this.#payerFor(signer), weight);
    // Refused requests stay charged to their sender: each has cost the verification of a signature.
    this.#weights.giveBack(this.#payerOf(arrived), ARRIVAL_WEIGHT);
    this.services.apiKeys.notePaid(caller.keyId, address);
  }

  /** @throws ApiError */
  keyOf(request: Omit<SignedRequest, "payload">): ApiKeyGrant | Promise<ApiKeyGrant> {
    return keyOf(request, this.#judges);
  }

  /** @throws ApiError */
  callerOf(
    request: SignedRequest,
    grant: ApiKeyGrant,
    pairs: readonly Pair[],
  ): Caller | Promise<Caller> {
    // The verification takes a turn of the address, not of the key's owner, whose identity it is
    // yet to prove.
    const client = clientKeyOf(undefined, request.address);
    return this.shares.inTurn(client, () => {
      const caller = callerOf(request, grant, pairs, this.#judges);
      if (caller.isUnsigned !== true) this.shares.vouch(caller.userId, request.address);
      return caller;
    });
  }

  /**
   * Answers a call that has arrived.
   * @throws ApiError, or an error that `errorOf` converts to one
   */
  answer(call: Endpoint, arrived: ArrivedCall): Promise<unknown> {
    if (this.#around === undefined) return this.#answer(call, arrived);
    return this.#around(
      `${call.method} ${call.path}`,
      () => this.#answer(call, arrived),
      (error) => refusalOf(error)?.code,
    );
  }

  async #answer(call: Endpoint, arrived: ArrivedCall): Promise<unknown> {
    const { apiKeys, exchange } = this.services;
    const { address, caller, pairs, traffic } = arrived;
    const isTrade = call.security === "trade";
    const client =
      isTrade && caller !== undefined
        ? ordersKeyOf(caller.userId)
        : clientKeyOf(caller?.userId, address);
    const read = () => readParameters(call.parameters, pairs, caller !== undefined);
    const reading = this.shares.inTurn(client, read);
    const parameters = reading instanceof Promise ? await reading : reading;
    const { weight } = call;
    const total = typeof weight === "number" ? weight : weight.of(parameters);
    this.#chargeWeight(call, arrived, total);
    const work = () => {
      // The key may have been revoked while the call waited for its turn.
      if (caller !== undefined && !apiKeys.isLive(caller.keyId)) throw keyRefused();
      traffic?.admit(call);
      const answer = call.answer(this.services, parameters, caller);
      arrived.onBegun?.();
      return answer;
    };
    const workWhenSettled = (): unknown => {
      // A call never sees only part of a command's events.
      const unsettled = exchange.unsettled();
      if (unsettled === undefined) return work();
      return unsettled.then(() => this.shares.run(client, work));
    };
    const queue = isTrade ? this.#trades : this.#reads;
    const isSigned = caller !== undefined;
    let answer = await this.#runInQueue(queue, client, isSigned, workWhenSettled);
    if (answer instanceof ReadAnswer) {
      answer = await this.#runInQueue(this.#reads, client, isSigned, answer.read);
    }
    return traffic === undefined ? answer : traffic.distort(call, parameters, answer);
  }

  /**
   * Does the work in one of the queue's slots. A throttled client waits before it takes a slot, so that
   * others can use the slot in the meantime.
   */
  async #runInQueue(
    queue: FairQueue,
    client: ClientKey,
    isSigned: boolean,
    work: () => unknown,
  ): Promise<unknown> {
    const preference = isSigned ? "preferred" : "ordinary";
    const workInPlace = () => {
      // Other work for the client may have used up its share while this work waited.
      if (this.shares.isThrottled(client)) return NOT_BEGUN;
      return this.shares.run(client, work);
    };
    const workAndDescribe = async () => {
      const answer = await workInPlace();
      return answer instanceof RowsAnswer ? this.#describe(client, answer) : answer;
    };
    // Only reads keep their place until their rows are described: no call that trades has any.
    const whole = queue === this.#trades ? workInPlace : workAndDescribe;
    for (;;) {
      if (this.shares.isThrottled(client)) await this.shares.schedule(client, () => undefined);
      const answer = await queue.run(client, whole, undefined, preference);
      if (answer !== NOT_BEGUN) return answer;
    }
  }

  async #describe(client: ClientKey, answer: RowsAnswer): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (let from = 0; from < answer.count; from += ROWS_PER_SLICE) {
      const describe = () => answer.describe(from, from + ROWS_PER_SLICE);
      rows.push(...(await this.#descriptions.run(client, () => this.shares.run(client, describe))));
    }
    return rows;
  }

  /** Charges the client for the bytes of an answer. */
  answered(address: string, bytes: number): void {
    this.shares.charge(clientKeyOf(undefined, address), bytes * ANSWER_MS_PER_BYTE);
  }

  /** The error that the client gets. Internal errors are logged and reported without details. */
  errorOf(error: unknown, call: string): ApiError {
    const refusal = refusalOf(error);
    if (refusal === undefined) this.services.log.error({ err: error, call }, "a call failed");
    return refusal ?? internalError();
  }
}

/** The client's error; undefined for an internal error. */
function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof FunctionError) return apiErrorOf(error);
  // Whether the command has been sequenced is unknown.
  if (error instanceof ExchangeStoppedError) return unavailable();
  const isBusy =
    error instanceof QueueFullError ||
    error instanceof HistoryUnavailableError ||
    error instanceof ExchangeBusyError ||
    error instanceof NotLeadingError ||
    error instanceof OrdersStoppedError;
  if (isBusy) return overloaded();
  return undefined;
}
