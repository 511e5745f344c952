/** Routes each request to the part of a running exchange that answers it. */
import { parseFormats } from "#contract/formats.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { ScheduledBackups } from "./backups/scheduled-backups.ts";
import { moneyWarnings } from "./health/money-limits.ts";
import type { ClusterExchange } from "./cluster/open-cluster.ts";
import type { WatchedHealth } from "./health/watch-health.ts";
import { coinBadges, createCoinIcons } from "./http/coin-badges.ts";
import { createDispatcher } from "./http/dispatcher.ts";
import type { Answerer } from "./http/edge.ts";
import { createFiles } from "./http/files.ts";
import type { Handler } from "./http/handlers.ts";
import { createHealth } from "./http/health.ts";
import type { HeldBytes } from "./limits/held-bytes.ts";
import type { WorkShares } from "./limits/work-shares.ts";
import type { Pages } from "./pages/pages.ts";
import { siteSettings } from "./pages/site-settings.ts";
import type { ReactiveServer } from "./reactive/reactive-server.ts";
import type { Config } from "./settings/config.ts";
import type { Solvency } from "./solvency/solvency.ts";
import { createSolvencyHandler } from "./solvency/solvency-handler.ts";
import type { SocketServer } from "./trading-api/sockets/socket-server.ts";
import { isTradingApiPath } from "./trading-api/trading-api.ts";
import type { Views } from "./views/views.ts";

export function answererOf(parts: {
  readonly config: Config;
  readonly url: string;
  readonly internalUrl: string;
  readonly shares: WorkShares;
  /** Counts the bytes that clients have sent of unfinished requests. */
  readonly held: HeldBytes;
  readonly accounts: Accounts;
  readonly views: Views;
  readonly exports: Handler;
  readonly tradingApi: Handler;
  readonly solvency: Pick<Solvency, "report">;
  readonly health: WatchedHealth;
  /** Undefined without other nodes. */
  readonly cluster: Pick<ClusterExchange, "status" | "isReady"> | undefined;
  readonly metrics: Handler;
  readonly backups: ScheduledBackups | undefined;
  readonly reactive: ReactiveServer;
  readonly programSockets: SocketServer;
  readonly pages: Pages;
}): Answerer {
  const { config, accounts, held, shares, views, reactive, pages, programSockets } = parts;
  const development = config.ENVIRONMENT === "development";
  const site = siteSettings(config);
  return createDispatcher({
    accountsPath: config.AUTH_BASE_PATH,
    shares,
    // Vite's own scripts need a looser content security policy, which no other page gets.
    development: pages.filesDirectory === undefined,
    accounts: (request, response) => accounts.handleRequest(request, response, { held, shares }),
    health: createHealth(() => {
      const report = parts.health.report();
      return {
        ...report,
        ...(parts.cluster && publicStatus(parts.cluster)),
        warnings: [
          ...report.warnings,
          ...moneyWarnings(views),
          ...(parts.backups?.warnings() ?? []),
        ],
      };
    }),
    exports: parts.exports,
    solvency: createSolvencyHandler(parts.solvency),
    metrics: parts.metrics,
    tradingApi: parts.tradingApi,
    isForPrograms: isTradingApiPath,
    reactive: (request, response) => reactive.handleRequest(request, response),
    upgrade: (request, socket, head) =>
      reactive.handleUpgrade(request, socket, head) ||
      programSockets.handleUpgrade(request, socket, head),
    files: pages.filesDirectory === undefined ? () => false : createFiles(pages.filesDirectory),
    coinIcons: createCoinIcons((symbol) => views.catalogue.coinBySymbol(symbol)?.definition.icon),
    coinBadges,
    page: (request, response, { nonce, preference }) => {
      const context = {
        nonce,
        publicUrl: parts.url,
        internalUrl: parts.internalUrl,
        productName: config.PRODUCT_NAME,
        development,
        site,
        formats: parseFormats(request.headers.cookie ?? ""),
        session: () =>
          accounts.pageSession(request.headers, (cookies) =>
            response.appendHeader("set-cookie", cookies),
          ),
      };
      return pages.render(request, response, context, preference);
    },
  });
}

/** The facts about this node and the others that are public. */
function publicStatus({ isReady, status }: Pick<ClusterExchange, "status" | "isReady">) {
  const { role, term, behind } = status();
  return { isReady: isReady(), node: { role, term, behind } };
}
