/** Users' personal data and notices: connects watchlists, price alerts, API keys and notices. */
import type { Accounts } from "./accounts/accounts.ts";
import { pricesOf } from "./alerts/prices.ts";
import { PriceAlerts } from "./alerts/price-alerts.ts";
import { ApiKeys } from "./api-keys/api-keys.ts";
import { ListenKeys } from "./api-keys/listen-keys.ts";
import type { UserChange, UserData } from "./cluster/cluster-links.ts";
import type { Database } from "./database/open-database.ts";
import { CommandRates } from "./functions/command-rates.ts";
import { loadNotices, NoticeList } from "./functions/notice-list.ts";
import { OwnChangeRates } from "./functions/own-change-rates.ts";
import type { OwnServices } from "./functions/services.ts";
import type { SharedLimits } from "./limits/shared-limits.ts";
import type { Log } from "./log.ts";
import { createNoticeMail } from "./notices/notice-mail.ts";
import { createNoticeStates } from "./notices/notice-states.ts";
import { createSecurityNotices } from "./notices/security-notices.ts";
import { createWatchlists } from "./personal/watchlists.ts";
import { createWithdrawalAddresses } from "./personal/withdrawal-addresses.ts";
import { catalogueOf, type Config } from "./settings/config.ts";
import type { Views } from "./views/views.ts";

interface OwnDataOptions {
  readonly config: Pick<
    Config,
    "CATALOGUE" | "PRICE_ALERTS_PER_USER" | "SIMULATION" | "TRADING_API_WEIGHT"
  >;
  /** The setting AUTH_SECRET. */
  readonly secret: string;
  readonly database: Database;
  readonly log: Log;
  readonly views: Views;
  /** Called once the accounts are open. */
  readonly accounts: () => Pick<Accounts, "mailNotices" | "securityEvents">;
  /** Notifies the other nodes that a user's data was stored; undefined if none share the database. */
  readonly tellNodes?: ((change: UserChange) => void) | undefined;
  /** The limits over all nodes; undefined if there are no others. */
  readonly sharedLimits?: SharedLimits | undefined;
  /** Called when the topic of a query has changed. */
  readonly announce: (topic: string) => void;
}

/** Applies changes by other nodes to the data that is connected here. */
type OwnChange = Exclude<UserData, "sessions">;

export interface OwnData extends OwnServices {
  /** Called when a security event of a user was recorded. */
  securityEventRecorded(userId: string): void;
  /** Reads the data that another node has changed. @throws Error if the database fails */
  changedElsewhere(userId: string, what: OwnChange): Promise<void>;
  /** Called with changed topics of the read models: accounts may have new notices. */
  changed(topics: ReadonlyMap<string, unknown>): void;
  /** Sets whether this node of several evaluates alerts and mails notices about trading. */
  setLeads(leads: boolean): void;
  /** Removes all personal data of a deleted user; may be repeated. */
  forget(userId: string): Promise<void>;
  close(): Promise<void>;
}

/** @throws Error if the database cannot be read */
export async function openOwnData(options: OwnDataOptions): Promise<OwnData> {
  const { accounts, announce, config, database, log, secret, sharedLimits, tellNodes, views } =
    options;
  const announcing = (noun: string) => (userId: string) => announce(`${noun}:${userId}`);
  const storing = (what: UserData) => ({
    database,
    log,
    onChange: announcing(what),
    tellNodes: tellNodes && ((userId: string) => tellNodes({ userId, what })),
  });
  const isAlone = tellNodes === undefined;
  const alerts = await PriceAlerts.open({
    database,
    log,
    prices: pricesOf(views),
    isAlone,
    alertsMax: config.PRICE_ALERTS_PER_USER,
    onChange: announcing("alerts"),
    onFired(firings) {
      for (const userId of new Set(firings.map((firing) => firing.userId))) mail.schedule(userId);
    },
  });
  const { planLimits } = catalogueOf(config);
  const commandRates = new CommandRates(views, {
    shared: sharedLimits,
    // Signed calls may use at least as much request weight as unsigned ones.
    limitsOf(slug) {
      const { requestWeightPerMinute: weight, ...limits } = planLimits(slug);
      return { ...limits, requestWeightPerMinute: Math.max(weight, config.TRADING_API_WEIGHT) };
    },
  });
  const apiKeys = await ApiKeys.open({
    ...storing("apiKeys"),
    authSecret: secret,
    keysMaxOf: (userId) => commandRates.limitsOfUser(userId).apiKeysMax,
    accountOf: (userId) => views.accounts.ofUser(userId)?.account,
  });
  const states = createNoticeStates(storing("notices"));
  const security = createSecurityNotices({
    accounts,
    log,
    onChange: announcing("notices"),
    tellNodes: storing("securityEvents").tellNodes,
  });
  const watchlists = createWatchlists(storing("watchlist"));
  const withdrawalAddresses = createWithdrawalAddresses(storing("withdrawalAddresses"));
  const mail = createNoticeMail({
    states,
    async list(userId) {
      await loadNotices(services, userId);
      return NoticeList.of(services, userId)?.all() ?? [];
    },
    send: (userId, lines) => accounts().mailNotices(userId, lines),
    log,
  });
  const notices = { states, security, mail };
  const services = { alerts, notices, views };
  let leads = isAlone;
  if (leads) await mail.open();
  const elsewhere: Readonly<Record<OwnChange, (userId: string) => Promise<void>>> = {
    apiKeys: (userId) => apiKeys.changedElsewhere(userId),
    watchlist: watchlists.changedElsewhere,
    withdrawalAddresses: withdrawalAddresses.changedElsewhere,
    async notices(userId) {
      await states.changedElsewhere(userId);
      await mail.switched(userId);
    },
    async securityEvents(userId) {
      await security.changedElsewhere(userId);
      if (leads) mail.schedule(userId);
    },
  };
  return {
    alerts,
    apiKeys,
    listenKeys: new ListenKeys(apiKeys),
    notices,
    watchlists,
    withdrawalAddresses,
    commandRates,
    ownChangeRates: new OwnChangeRates(sharedLimits),
    securityEventRecorded(userId) {
      security.recorded(userId);
      if (leads) mail.schedule(userId);
    },
    changedElsewhere: (userId, what) => elsewhere[what](userId),
    changed(topics) {
      if (mail.isIdle || !leads) return;
      for (const topic of topics.keys()) {
        const [noun, account] = topic.split(":");
        const userId = noun === "account" && views.accounts.account(Number(account))?.userId;
        if (typeof userId === "string") mail.schedule(userId);
      }
    },
    setLeads(isLeading) {
      leads = isLeading;
      alerts.setEvaluating(isLeading);
      if (!leads) {
        mail.close();
        return;
      }
      mail.open().catch((error: unknown) => {
        log.warn({ error: String(error) }, "users who get mail could not be read");
      });
    },
    async forget(userId) {
      mail.forget(userId);
      await Promise.all([
        watchlists.forget(userId),
        withdrawalAddresses.forget(userId),
        alerts.forget(userId),
        apiKeys.revokeAllOf(userId),
        states.forget(userId),
      ]);
    },
    async close() {
      mail.close();
      await apiKeys.close();
      await alerts.close();
    },
  };
}
