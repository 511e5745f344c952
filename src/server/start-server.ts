/**
 * The composition root. Start: lock the data directory, check that journal and database belong
 * together, take and migrate the database, replay the journal into the read models, list missing coins,
 * markets and plans, then admit users and the simulation. Stop in reverse.
 */
import { randomUUID } from "node:crypto";
import type { ExchangeEvent } from "#engine/events.ts";
import { lockDirectory } from "#journal/directory-lock.ts";
import { identityOf, isStream, streamOfPlace } from "#journal/open-journal.ts";
import type { Accounts } from "./accounts/accounts.ts";
import { answererOf } from "./answerer.ts";
import { applyChanges } from "./changes-elsewhere.ts";
import { backupsBySettings } from "./backups/scheduled-backups.ts";
import { loadAuthSecret, requireAuthSecret } from "./accounts/auth-secret.ts";
import { warnOfDifference } from "./catalogue/catalogue-requests.ts";
import { ListedCatalogue } from "./catalogue/install-catalogue.ts";
import { whenListed } from "./catalogue/when-listed.ts";
import { openCluster } from "./cluster/open-cluster.ts";
import { catalogueOf, type Config } from "./settings/config.ts";
import { warnOfSettings } from "./settings/setting-warnings.ts";
import type { Services } from "./functions/services.ts";
import { openDatabase } from "./database/open-database.ts";
import { ExchangeClock } from "./exchange/exchange-clock.ts";
import { journalPlaceOf, openExchange } from "./exchange/open-exchange.ts";
import { stoppingOrders } from "./exchange/order-stop.ts";
import { ReplayReport } from "./exchange/replay-progress.ts";
import type { ReplayPosition } from "./exchange/run-follower.ts";
import { whenSettled } from "./exchange/when-settled.ts";
import { CandlePages } from "./functions/candle-pages.ts";
import { OrderPages } from "./functions/order-pages.ts";
import { createExecutor } from "./functions/executor.ts";
import { createExports } from "./exports/exports.ts";
import { startHeartbeat } from "./functions/exchange-info.ts";
import { openHistory } from "./history/history.ts";
import { FreeSpace, spaceOf } from "./health/free-space.ts";
import { watchHealth } from "./health/watch-health.ts";
import { Audience } from "./http/audience.ts";
import { CLIENT_ADDRESS_HEADER } from "./http/client-address.ts";
import { requestIdOf } from "./http/request-id.ts";
import { ClientRequests } from "./http/client-requests.ts";
import { closeServer } from "./http/close-server.ts";
import { connectionLimits, openFilesMax } from "./http/connection-limits.ts";
import { type Answerer, createEdge } from "./http/edge.ts";
import { createHttpServer } from "./http/http-server.ts";
import { hostOf, listen } from "./http/listen.ts";
import { OwnRequests } from "./http/own-requests.ts";
import { whileStarting } from "./http/starting.ts";
import { bindDatabase, noteShorterHistory } from "./installation/bind-parts.ts";
import { prepareArchive } from "./installation/journal-archive.ts";
import { requireMatching } from "./installation/check-parts.ts";
import { takeDatabase } from "./installation/lease.ts";
import { readParts } from "./installation/parts.ts";
import { protectDirectory } from "./installation/file-permissions.ts";
import { keepPositions } from "./installation/position-keeper.ts";
import { dutiesOf, LeaderDuties } from "./leader-duties.ts";
import { HeldBytes } from "./limits/held-bytes.ts";
import { SharedLimits } from "./limits/shared-limits.ts";
import { WorkShares } from "./limits/work-shares.ts";
import type { Log } from "./log.ts";
import { watchMoneyLimits } from "./health/money-limits.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { newestSnapshotMs } from "./metrics/data-directory.ts";
import { createMetricsHandler } from "./metrics/metrics-handler.ts";
import { directoriesOf, statesOf } from "./metrics/watched-state.ts";
import { openAccounts } from "./open-accounts.ts";
import { OpenedResources } from "./opened-resources.ts";
import { openOperatorControl } from "./operator-control.ts";
import { openOwnData } from "./own-data.ts";
import type { OpenPages } from "./pages/pages.ts";
import { createReactiveServer } from "./reactive/reactive-server.ts";
import { READ_MODELS_VERSION, restoreReadModels } from "./read-models.ts";
import { createRouteOf } from "./request-routes.ts";
import { simulatedCandles } from "./simulator/candle-history.ts";
import { createSimulator } from "./simulator/simulator.ts";
import { Solvency } from "./solvency/solvency.ts";
import { openTracing } from "./tracing/tracing.ts";
import { Calls } from "./trading-api/calls.ts";
import { createProgramSockets } from "./trading-api/program-sockets.ts";
import { createTradingApi } from "./trading-api/trading-api.ts";
import { startPackingIdlePeople } from "./views/idle-people.ts";
import { Views } from "./views/views.ts";

/** Memory limit for all clients that do not read their answers or do not finish their requests. */
const HELD_BYTES_MAX = 128 * 1024 * 1024;

export interface RunningServer {
  /** The server's public URL, without a trailing slash. */
  readonly url: string;
  /** The address on which the server listens, for a proxy in front of it. */
  readonly listeningAt: string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly config: Config;
  readonly log: Log;
  readonly openPages: OpenPages;
}

/** @throws Error with a sentence for the operator, after closing everything opened until then */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const opened = new OpenedResources();
  try {
    return await open(options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function open(options: ServerOptions, opened: OpenedResources): Promise<RunningServer> {
  const { config, log } = options;
  // A secret missing in production is reported before anything is created.
  requireAuthSecret(config);
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = config;
  const lock = lockDirectory(dataDir);
  opened.add(() => lock.release());
  const secret = await loadAuthSecret(config);
  const tracing = await openTracing({ config, log, routeOf: createRouteOf(config.AUTH_BASE_PATH) });
  opened.add(() => tracing.close());
  protectDirectory(dataDir, log);
  const journalPlace = journalPlaceOf(config);
  const { ARCHIVE_DIR: directory, ARCHIVE_AFTER_DAYS: afterDays } = config;
  const archive = prepareArchive({ dataDir, directory, afterDays });
  // One node of several, which share the journal and the database.
  const isNode = databaseUrl !== undefined && isStream(journalPlace);
  await requireMatching(() => readParts({ dataDir, databaseUrl }, journalPlace), isNode);

  const connectionsMax = connectionLimits(openFilesMax());
  // Behind trusted proxies all connections come from the proxies.
  const isDirect = config.TRUSTED_PROXIES === 0;
  const server = createHttpServer({
    all: connectionsMax.all,
    perAddress: isDirect ? config.CONNECTIONS_PER_ADDRESS : Infinity,
    openedPerAddress: isDirect ? config.NEW_CONNECTIONS_PER_ADDRESS : Infinity,
  });
  const shares = new WorkShares();
  opened.add(() => shares.close());
  const held = new HeldBytes({
    all: HELD_BYTES_MAX,
    perClient: config.HELD_MEGABYTES_PER_ADDRESS * 1_048_576,
  });
  const ownRequests = new OwnRequests();
  const replay = new ReplayReport(log);
  const metrics = createMetrics(config.AUTH_BASE_PATH);
  const audience = new Audience();
  const dispatcher = Promise.withResolvers<Answerer>();
  const edge = createEdge(
    {
      log,
      publicUrl: config.PUBLIC_URL,
      backendUrl: config.BACKEND_URL,
      trustedProxies: config.TRUSTED_PROXIES,
      requests: new ClientRequests(config.REQUESTS_PER_ADDRESS, held),
      ownRequests,
      shares,
      onFinished: (request) => [metrics, audience].forEach((each) => each.finished(request)),
    },
    whileStarting({
      productName: config.PRODUCT_NAME,
      progress: () => replay.progress(),
      opened: dispatcher.promise,
    }),
  );
  server.on("request", tracing.requests(edge.handleRequest));
  server.on("upgrade", (_request, socket) => audience.connected(socket));
  server.on("upgrade", edge.handleUpgrade);
  await listen(server, config);
  opened.add(() => closeServer(server));
  const internalUrl = `http://${hostOf(server)}`;
  const url = config.PUBLIC_URL?.replace(/\/$/, "") ?? internalUrl;

  const { onStatement } = tracing;
  const database = await openDatabase({
    databaseUrl,
    dataDir,
    log,
    onStatement,
    writesElsewhere: true,
  });
  opened.add(() => database.close());
  // Nodes may name the servers of the stream in different orders.
  const sharedBy = isNode ? `the stream ${streamOfPlace(journalPlace)}` : undefined;
  const lease = await takeDatabase({ database, log, sharedBy });
  opened.add(() => lease.close());

  const history = await openHistory({
    database,
    log,
    isOurs: () => lease.isHeld(),
    simulatedTradesKeptMs: config.SIMULATED_TRADES_DAYS * 24 * 60 * 60 * 1_000,
    writer: isNode ? randomUUID() : undefined,
    aroundRead: tracing.read,
  });
  opened.add(() => history.close());
  noteShorterHistory(dataDir, history.projectedSequence);
  lease.onLost((reason) => history.lose(reason));

  const clock = new ExchangeClock(log);
  const sharedLimits = isNode ? new SharedLimits(() => performance.now()) : undefined;
  // No client is connected before the reactive server is open.
  let announce = (_topic: string): void => undefined;
  const views = new Views({ simulatedCandles, now: clock.now });
  const ownData = await openOwnData({
    config,
    secret,
    database,
    log,
    views,
    accounts: () => accounts,
    announce: (topic) => announce(topic),
    tellNodes: isNode ? (change) => cluster?.tell(change) : undefined,
    sharedLimits,
  });
  opened.add(() => ownData.close());
  const listed = new ListedCatalogue();
  const simulator = createSimulator({
    exchange: () => here,
    participants: catalogueOf(config).participants,
    seed: config.SIMULATION_SEED,
    pace: config.SIMULATION_PACE_PERCENT / 100,
    now: clock.now,
    isWatched: () => audience.isPresent(),
    log,
  });
  const onEvents = (events: readonly ExchangeEvent[]): void => {
    listed.fold(events);
    simulator.fold(events);
    history.project(events);
    ownData.alerts.fold(events);
  };
  const space = new FreeSpace(() => spaceOf(dataDir), config.DISK_FREE_ORDERS_MIN_MB * 1_000_000);
  await space.refresh();
  const duties = new LeaderDuties(log);
  const exchangeOptions = {
    dataDir,
    journal: journalPlace,
    lock,
    onEvents,
    onSlice: (events: readonly ExchangeEvent[], isWhole: boolean) => views.fold(events, isWhole),
    clock,
    acceptsClock: config.ACCEPT_CLOCK,
    notesTimes: tracing.isOn,
    snapshots: {
      readModelsModule: new URL("./read-models.ts", import.meta.url),
      readModelsVersion: READ_MODELS_VERSION,
      restore: (state: unknown) => restoreReadModels(state, { views, listed, simulator, history }),
      // Without the events that their tables lack, neither the history nor the alerts could continue.
      usableSequence: () => Math.min(history.projectedSequence, ownData.alerts.usableSequence),
      compressesJournal: config.COMPRESS_JOURNAL,
      archive,
    },
    onReplayed(position: ReplayPosition) {
      replay.take(position);
      return history.whenReady();
    },
    log,
  };
  const openedAccounts = Promise.withResolvers<Accounts>();
  const cluster = isNode
    ? await openCluster({
        ...exchangeOptions,
        onLeads: duties.setLeads,
        sharedLimits,
        onChangedElsewhere: applyChanges({ ownData, log, accounts: openedAccounts.promise }),
      })
    : undefined;
  const whole = metrics.measured(cluster ?? (await openExchange(exchangeOptions)));
  if (cluster === undefined) duties.setLeads(true);
  const exchange = stoppingOrders(tracing.commands(whole), () => space.isShort);
  // For commands that only the process that leads submits.
  const here = cluster === undefined ? exchange : { ...exchange, submit: cluster.submitHere };
  const journal = await identityOf(journalPlace);
  opened.add(
    keepPositions({
      dataDir,
      journal,
      database: await bindDatabase(database, journal),
      positions: () => ({
        sequence: exchange.health().sequence,
        databaseSequence: history.projectedSequence,
      }),
      log,
    }),
  );
  opened.add(() => exchange.close());
  await duties.give(dutiesOf({ config, here, listed, simulator, history, ownData, cluster }));
  if (isNode) await whenListed(listed, exchange);
  if (config.CATALOGUE !== undefined)
    warnOfDifference(views.catalogue, catalogueOf(config), config.CATALOGUE, log);

  warnOfSettings(config, log);

  // Added a second time, to be closed before the exchange: pending answers need that.
  opened.add(() => closeServer(server));

  const accounts = openAccounts(
    {
      config,
      database,
      log,
      secret,
      publicUrl: url,
      exchange,
      views,
      ownData,
      announce: (topic) => announce(topic),
      aroundMail: tracing.mail,
      onSessionEnded: (sessionId) => reactive.dropSession(sessionId),
      tellNodes: (userId) => cluster?.tell({ userId, what: "sessions" }),
    },
    opened,
  );
  openedAccounts.resolve(accounts);

  const candlePages = new CandlePages(views, history);
  const services: Services = {
    config,
    log,
    exchange,
    views,
    accounts,
    history,
    candlePages,
    solvency: new Solvency({
      views,
      whenSettled: () => whenSettled(exchange),
      verifiedMs: () => newestSnapshotMs(directoriesOf(dataDir)),
    }),
    orderPages: new OrderPages(views, history),
    nodes: cluster?.nodes,
    sharedLimits,
    ...ownData,
  };
  const reactive = createReactiveServer({
    executor: tracing.functions(createExecutor(services)),
    log,
    publicUrl: config.PUBLIC_URL,
    serverTime: clock.now,
    connectionsMax: connectionsMax.reactive,
    connectionsPerAddressMax: config.REACTIVE_CONNECTIONS_PER_ADDRESS,
    mutationsPerSecond: {
      perUser: config.MUTATIONS_PER_USER,
      perAddress: config.MUTATIONS_PER_ADDRESS,
    },
    sharedLimits,
    shares,
    held,
    requestIdOf,
    clientAddress: ({ headers }) => String(headers[CLIENT_ADDRESS_HEADER]),
    isOwnRequest: (request) => ownRequests.visitorOf(request) !== undefined,
  });
  opened.add(() => reactive.close());
  const calls = new Calls(services, shares, tracing.call);
  const programSockets = createProgramSockets({
    calls,
    slots: { all: connectionsMax.streams, perAddress: config.STREAM_CONNECTIONS_PER_ADDRESS },
    held,
  });
  opened.add(() => programSockets.close());
  announce = (topic) => reactive.invalidate(new Map([[topic, "now"]]));
  opened.add(views.onChange((topics) => reactive.invalidate(topics)));
  opened.add(views.onChange((topics) => ownData.changed(topics)));
  opened.add(startHeartbeat(reactive));

  const pages = await options.openPages({ server, ownRequests, log });
  opened.add(() => pages.close());
  opened.add(watchMoneyLimits(views, log));
  opened.add(startPackingIdlePeople(views.people, () => exchange.unsettled() !== undefined));
  const backups = await backupsBySettings(config, journalPlace, log);
  if (backups !== undefined) opened.add(() => backups.close());
  const health = watchHealth({ accounts, config, exchange, history, space, log });
  opened.add(() => health.close());
  metrics.watch(statesOf({ ...services, dataDir, backups, health, reactive, tracing }));
  // From here on the open port serves requests.
  dispatcher.resolve(
    answererOf({
      ...services,
      url,
      internalUrl,
      shares,
      exports: createExports(services, shares),
      held,
      tradingApi: createTradingApi(calls, held),
      health,
      cluster,
      backups,
      metrics: createMetricsHandler(metrics, config.METRICS_TOKEN),
      reactive,
      programSockets,
      pages,
    }),
  );
  edge.passTo(await dispatcher.promise);

  opened.add(await openOperatorControl(services));
  duties.open();
  opened.add(() => duties.close());
  return { url, listeningAt: internalUrl, stop: () => opened.close() };
}
