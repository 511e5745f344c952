/**
 * The only place where the parts are put together. Start: take the data directory, migrate the
 * database, replay the journal into the read models, list what is missing of the catalogue, then
 * let people and the simulation in. Stop: the same backwards.
 */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ExchangeEvent } from "#engine/events.ts";
import { lockDirectory } from "#journal/directory-lock.ts";
import { type Accounts, createAccounts } from "./accounts/accounts.ts";
import { loadAuthSecret } from "./accounts/auth-secret.ts";
import { ListedCatalogue, installCatalogue } from "./catalogue/install-catalogue.ts";
import type { Config } from "./config.ts";
import type { Services } from "./context.ts";
import { openDatabase } from "./database/open-database.ts";
import type { Exchange } from "./exchange/exchange.ts";
import { openExchange } from "./exchange/open-exchange.ts";
import { ensureAccount } from "./functions/caller.ts";
import { createExecutor } from "./functions/executor.ts";
import { type History, openHistory } from "./history/history.ts";
import { clientAddressOf } from "./http/client-address.ts";
import { closeServer } from "./http/close-server.ts";
import { connectionLimits, openFilesMax } from "./http/connection-limits.ts";
import { createDispatcher } from "./http/dispatcher.ts";
import { createFiles } from "./http/files.ts";
import { createHealth } from "./http/health.ts";
import { createHttpServer } from "./http/http-server.ts";
import type { Log } from "./log.ts";
import { createOpenOrders } from "./open-orders.ts";
import type { Pages } from "./pages/pages.ts";
import { type ReactiveServer, createReactiveServer } from "./reactive/reactive-server.ts";
import type { ReadModelsState } from "./read-models.ts";
import { simulatedCandles } from "./simulator/candle-history.ts";
import { createSimulator } from "./simulator/simulator.ts";
import { createViews } from "./views/views.ts";

export interface RunningServer {
  /** Where people reach it, without a slash at the end. */
  readonly url: string;
  /** Where it listens, for a proxy in front of it. */
  readonly listeningAt: string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly config: Config;
  readonly log: Log;
  readonly openPages: (server: Server) => Promise<Pages>;
}

/** @throws Error with a sentence for the operator; whatever was opened until then is closed. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const opened = new Opened();
  try {
    return await open(options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function open(options: ServerOptions, opened: Opened): Promise<RunningServer> {
  const { config, log } = options;
  // A secret that is missing in production is said before anything is made.
  const secret = await loadAuthSecret(config);
  const lock = lockDirectory(config.DATA_DIR);
  opened.add(() => lock.release());

  const database = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    log,
  });
  opened.add(() => database.close());
  await database.migrate();

  const history = await openHistory({ database, log });
  opened.add(() => history.close());

  const views = createViews({ simulatedCandles, now: Date.now });
  const listed = new ListedCatalogue();
  const simulator = createSimulator({
    exchange: () => exchange,
    seed: config.SIMULATION_SEED,
    log,
  });
  const onEvents = (events: readonly ExchangeEvent[]): void => {
    views.fold(events);
    listed.fold(events);
    simulator.fold(events);
    history.project(events);
  };
  const exchange = await openExchange({
    dataDir: config.DATA_DIR,
    lock,
    onEvents,
    snapshots: {
      readModelsModule: new URL("./read-models.ts", import.meta.url),
      restore(state) {
        const {
          views: ofViews,
          listed: ofListed,
          participants,
          history: ofHistory,
        } = state as ReadModelsState;
        views.restore(ofViews);
        listed.restore(ofListed);
        simulator.restore(participants);
        history.restore(ofHistory);
      },
      // Without the events that its tables lack, the history could not go on.
      usableSequence: () => history.projectedSequence,
    },
    log,
  });
  opened.add(() => exchange.close());
  await installCatalogue(exchange, listed, config.SIMULATION);
  if (config.SIMULATION) await simulator.prepare();

  if (config.ENVIRONMENT === "production" && config.SMTP_URL === undefined) {
    log.warn("SMTP_URL is not set: mail to reset a password or confirm an address reaches nobody");
  }

  const connectionsMax = connectionLimits(openFilesMax());
  const server = createHttpServer(connectionsMax.all);
  await listen(server, config);
  opened.add(() => closeServer(server));
  const internalUrl = `http://${hostOf(server)}`;
  const url = config.PUBLIC_URL?.replace(/\/$/, "") ?? internalUrl;

  const openOrders = createOpenOrders({ config, exchange, views, log });
  const accounts = createAccounts({
    config,
    database,
    log,
    secret,
    publicUrl: url,
    async onUserCreated({ id }) {
      await ensureAccount({ exchange, views }, id);
    },
    onUserDeleted: (user) => openOrders.whenDeleted(user),
    onUserBanned: (user) => openOrders.whenBanned(user),
    onUserSignedOut: (user) => openOrders.whenSignedOut(user),
    onSessionEnded: (sessionId) => reactive.dropSession(sessionId),
    onUserChanged: (userId) => reactive.invalidate(new Map([[`user:${userId}`, "now"]])),
  });
  opened.add(() => accounts.close());
  opened.add(openOrders.watchBans(accounts));

  const services: Services = { config, log, exchange, views, accounts, history };
  const reactive = createReactiveServer({
    executor: createExecutor(services),
    log,
    publicUrl: config.PUBLIC_URL,
    connectionsMax: connectionsMax.reactive,
    clientAddress: (request) => clientAddressOf(request, config.TRUSTED_PROXIES),
  });
  opened.add(() => reactive.close());
  opened.add(views.onChange((topics) => reactive.invalidate(topics)));

  const pages = await options.openPages(server);
  opened.add(() => pages.close());
  serve({ config, log, server, url, internalUrl, accounts, exchange, history, reactive, pages });

  if (config.SIMULATION) {
    simulator.start();
    opened.add(() => simulator.stop());
  }
  return { url, listeningAt: internalUrl, stop: () => opened.close() };
}

/** From here on the open port answers. */
function serve(parts: {
  readonly config: Config;
  readonly log: Log;
  readonly server: Server;
  readonly url: string;
  readonly internalUrl: string;
  readonly accounts: Accounts;
  readonly exchange: Exchange;
  readonly history: History;
  readonly reactive: ReactiveServer;
  readonly pages: Pages;
}): void {
  const { config, server, accounts, exchange, history, reactive, pages } = parts;
  const development = config.ENVIRONMENT === "development";
  const dispatcher = createDispatcher({
    log: parts.log,
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    // Only Vite's own scripts need a looser policy.
    development: pages.filesDirectory === undefined,
    accounts: (request, response) => accounts.handleRequest(request, response),
    health: createHealth(() => ({ ...exchange.health(), history: history.health() })),
    reactive: (request, response) => reactive.handleRequest(request, response),
    reactiveUpgrade: (request, socket, head) => reactive.handleUpgrade(request, socket, head),
    files: pages.filesDirectory === undefined ? () => false : createFiles(pages.filesDirectory),
    page: (request, response, { nonce }) =>
      pages.render(request, response, {
        nonce,
        publicUrl: parts.url,
        internalUrl: parts.internalUrl,
        productName: config.PRODUCT_NAME,
        development,
        session: () => accounts.pageSession(request.headers),
      }),
  });
  server.on("request", dispatcher.handleRequest);
  server.on("upgrade", dispatcher.handleUpgrade);
}

/** What was opened, to be closed in the opposite order, each whatever the others do. */
class Opened {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "not everything closed cleanly");
  }
}

async function listen(server: Server, config: Config): Promise<void> {
  await new Promise<void>((listening, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const inUse = error.code === "EADDRINUSE";
      const sentence = inUse
        ? `Port ${config.PORT} of ${config.HOST} is in use. Stop what uses it, or set PORT.`
        : `Cannot listen on ${config.HOST}, port ${config.PORT}: ${error.message}`;
      failed(new Error(sentence, { cause: error }));
    });
    server.listen(config.PORT, config.HOST, listening);
  });
}

/** Host and port under which this process reaches itself. */
function hostOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  if (address === "0.0.0.0" || address === "::") return `127.0.0.1:${port}`;
  return family === "IPv6" ? `[${address}]:${port}` : `${address}:${port}`;
}
