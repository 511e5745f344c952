/**
 * Public functions over a real exchange, a real journal and a real database in a fresh directory. Only
 * identities are simulated: every user id has a profile and a live session, and ids that start with
 * "admin" are administrators.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Amount } from "#engine/amount.ts";
import type { ErrorData } from "#contract/errors.ts";
import type { Accounts } from "#server/accounts/accounts.ts";
import { ListedCatalogue, installCatalogue } from "#server/catalogue/install-catalogue.ts";
import { catalogueOf, readConfig } from "#server/settings/config.ts";
import type { Services } from "#server/functions/services.ts";
import { type Database, openDatabase } from "#server/database/open-database.ts";
import { openExchange } from "#server/exchange/open-exchange.ts";
import { CandlePages } from "#server/functions/candle-pages.ts";
import { createExecutor } from "#server/functions/executor.ts";
import { OrderPages } from "#server/functions/order-pages.ts";
import { type History, openHistory } from "#server/history/history.ts";
import { openOwnData } from "#server/own-data.ts";
import { createSilentLog } from "#server/log.ts";
import { clientKeyOf } from "#server/limits/client-key.ts";
import { SharedValue } from "#server/reactive/encoding.ts";
import type { FunctionResult, Identity, QueryResult } from "#server/reactive/executor.ts";
import { Solvency } from "#server/solvency/solvency.ts";
import { Views } from "#server/views/views.ts";
import { type SceneOrder, placeOrderCommand, withoutPriceLimits } from "./market-scene.ts";

/** Calls functions as one user. */
export interface Caller {
  /** The context of action handlers. */
  readonly context: { readonly services: Services; readonly identity: Identity | null };
  /** Runs a query with all the data that the protocol server receives; its reads must not be loading. */
  query(path: string, args?: unknown, journal?: string | null): Evaluated;
  /** The same, once all reads are loaded. */
  loaded(path: string, args?: unknown, journal?: string | null): Promise<Evaluated>;
  /** The value of a query that must succeed. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it asked for
  value<T>(path: string, args?: unknown): T;
  mutate(path: string, args?: unknown, idempotencyKey?: string): Promise<FunctionResult>;
  /** The value of a mutation that must succeed. */
  done<T>(path: string, args?: unknown, idempotencyKey?: string): Promise<T>;
  act(path: string, args?: unknown): Promise<FunctionResult>;
  /** The value of an action that must succeed. */
  answer<T>(path: string, args?: unknown): Promise<T>;
}

type Evaluated = QueryResult & { readonly result: FunctionResult };

export type PlaceForParticipant = (
  order: Omit<SceneOrder, "account" | "idempotencyKey">,
) => Promise<void>;

export interface FunctionScene {
  readonly services: Services;
  /** Does not contain the simulated users. */
  readonly database: Database;
  /** Calls as a user; null is a visitor. With `readOnly`, as an administrator who views as the user. */
  as(userId: string | null, options?: { readonly readOnly?: boolean }): Caller;
  /**
   * Creates a labelled participant with a number of whole coins of each symbol. The returned function
   * places its orders, which must be accepted.
   */
  participant(name: string, coins: Record<string, number>): Promise<PlaceForParticipant>;
  /** Calls the listener with each topic that changes, until unsubscribed. */
  onChange(listener: (topic: string) => void): () => void;
  close(): Promise<void>;
}

/** @param options whether markets keep the catalogue's price limits, and the scene's settings */
export async function openFunctionScene(
  options: {
    readonly priceLimits?: boolean;
    readonly settings?: Readonly<Record<string, string>>;
  } = {},
): Promise<FunctionScene> {
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-functions-"));
  const log = createSilentLog();
  const database = await openDatabase({ dataDir, log });
  await database.migrate();
  const history = await openHistory({ database, log });
  const views = new Views({ now: Date.now });
  const listeners = new Set<(topic: string) => void>();
  const accounts = madeUpAccounts(database);
  const config = readConfig({ DATA_DIR: dataDir, ...options.settings });
  const ownData = await openOwnData({
    config,
    secret: "a-secret-of-tests-that-is-long-enough-0123456789",
    database,
    log,
    views,
    accounts: () => accounts,
    announce: (topic) => listeners.forEach((listener) => listener(topic)),
  });
  const listed = new ListedCatalogue();
  const exchange = await openExchange({
    dataDir,
    log,
    onEvents: (events) => {
      views.fold(events);
      listed.fold(events);
      history.project(events);
      ownData.alerts.fold(events);
    },
  });
  await installCatalogue(exchange, listed, catalogueOf(config));
  if (options.priceLimits !== true) {
    for (const { id: marketId, definition } of listed.markets.values()) {
      const market = withoutPriceLimits(definition);
      await exchange.submit({ type: "updateMarket", marketId, market });
    }
  }
  const services: Services = {
    config,
    log,
    exchange,
    views,
    history,
    candlePages: new CandlePages(views, history),
    orderPages: new OrderPages(views, history),
    accounts,
    solvency: new Solvency({
      views,
      whenSettled: () => Promise.resolve(),
      verifiedMs: () => Promise.resolve(undefined),
    }),
    ...ownData,
  };
  const executor = createExecutor(services);

  function as(userId: string | null, options: { readonly readOnly?: boolean } = {}): Caller {
    const identity = userId === null ? null : { ...identityOf(userId), ...options };
    const call = (path: string, args: unknown) => ({ path, args, identity });
    const caller: Caller = {
      context: { services, identity },
      query: (path, args = {}, journal = null) =>
        evaluated(executor.query({ ...call(path, args), journal })),
      loaded: async (path, args = {}, journal = null) => {
        for (;;) {
          const answer = executor.query({ ...call(path, args), journal });
          if (!(answer.result instanceof Promise)) return evaluated(answer);
          await answer.result;
        }
      },
      // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it asked for
      value: <T>(path: string, args: unknown = {}) => succeeded<T>(caller.query(path, args).result),
      mutate: (path, args = {}, key = "") => executor.mutation(call(path, args), key),
      done: async <T>(path: string, args: unknown = {}, key = "") =>
        succeeded<T>(await caller.mutate(path, args, key)),
      async act(path, args = {}) {
        // An action waits a few seconds for the history, which may take longer on a busy machine.
        await projected(history);
        const client = clientKeyOf(userId ?? undefined, "192.0.2.1");
        return executor.action({ ...call(path, args), client });
      },
      answer: async <T>(path: string, args: unknown = {}) =>
        succeeded<T>(await caller.act(path, args)),
    };
    return caller;
  }

  return {
    services,
    database,
    as,
    async participant(name, coins) {
      const userId = `simulated:${name}`;
      await exchange.submit({ type: "openAccount", userId, kind: "participant" });
      const account = views.accounts.ofUser(userId)?.account ?? 0;
      for (const [symbol, count] of Object.entries(coins)) {
        const coin = views.catalogue.coinBySymbol(symbol);
        if (coin === undefined) throw new Error(`no coin ${symbol}`);
        const amount = (count * 10 ** coin.definition.scale) as Amount;
        await exchange.submit({
          type: "fundParticipant",
          account,
          assetId: coin.assetId,
          amount,
        });
      }
      return async (order) => {
        const command = placeOrderCommand(views, { ...order, account });
        const { rejected } = await exchange.submit(command);
        if (rejected !== undefined) throw new Error(`the participant was refused: ${rejected}`);
      };
    },
    onChange(listener) {
      listeners.add(listener);
      const unsubscribe = views.onChange((topics) => topics.forEach((_, topic) => listener(topic)));
      return () => {
        listeners.delete(listener);
        unsubscribe();
      };
    },
    async close() {
      await exchange.close();
      await ownData.close();
      await history.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function evaluated({ result, ...answer }: QueryResult): Evaluated {
  if (result instanceof Promise) throw new Error("it is being loaded");
  return { ...answer, result };
}

/**
 * The error data of a result, which must be a refusal.
 * @throws if the result is none
 */
export function refusal(result: FunctionResult): ErrorData {
  if (result.status === "success") throw new Error("it was not refused");
  return result.data as ErrorData;
}

/** Resolves once all events are projected to SQL; throws if the database fails. */
async function projected(history: History): Promise<void> {
  history.whenProjected().catch(() => undefined);
  const isBehind = () => history.health().lag > 0 && history.health().status === "ok";
  while (isBehind()) await delay(5);
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it asked for
function succeeded<T>(result: FunctionResult): T {
  if (result.status === "error") {
    throw new Error(`${result.message} ${JSON.stringify(result.data)}`);
  }
  const { value } = result;
  return (value instanceof SharedValue ? value.value : value) as T;
}

function identityOf(userId: string): Identity {
  return { subject: userId, sessionId: `session of ${userId}`, issuedAtMs: 0, expiresAtMs: 1e15 };
}

function madeUpAccounts(database: Database): Accounts {
  const profileOf: Accounts["profileOf"] = (userId) =>
    userId.startsWith("deleted")
      ? null
      : {
          id: userId,
          role: userId.startsWith("admin") ? "admin" : "user",
          name: userId,
          lastname: "Example",
          email: `${userId}@example.com`,
          emailVerified: false,
          image: null,
          createdAtMs: 0,
        };
  const never = () => Promise.reject(new Error("not part of this scene"));
  return {
    profileOf,
    changedElsewhere: () => Promise.resolve(),
    formerUsersOf: () => [],
    userById: (userId) => Promise.resolve(profileOf(userId)),
    verifyBackendToken: (token) => Promise.resolve(identityOf(token)),
    isSessionLive: () => true,
    handleRequest: never,
    pageSession: never,
    listUsers: () => Promise.resolve({ users: [], total: 0 }),
    bannedOf: () => Promise.resolve([]),
    permits: ({ subject, readOnly }) =>
      Promise.resolve(readOnly !== true && subject.startsWith("admin")),
    idOf: (user) => Promise.resolve(user),
    emailsOf: (userIds) =>
      Promise.resolve(new Map(userIds.map((id) => [id, `${id}@example.com`] as const))),
    confirmIdentity: () => Promise.resolve(),
    recordOwnChange: () => Promise.resolve(),
    makeOwnChange: async (_identity, _kind, _told, store) => {
      await database.write.transaction().execute(store);
    },
    audit: () => Promise.resolve({ items: [], cursor: null }),
    isAccessChanging: () => Promise.resolve(false),
    changesByOtherAdmins: () => Promise.resolve({ roleAtMs: null, accessAtMs: null }),
    securityEvents: () => Promise.resolve({ items: [], cursor: null }),
    mailNotices: () => Promise.resolve(),
    mailQueue: () => Promise.resolve({ waiting: 0, failed: 0, newest: [] }),
    retryMails: () => Promise.resolve(2),
    longestMailWaitMs: () => Promise.resolve(0),
    operatorChanges: { ban: never, unban: never, setRole: never, setPassword: never },
    createAdmin: never,
    close: () => Promise.resolve(),
  };
}
