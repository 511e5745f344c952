/** The services that functions and pages receive; only start-server.ts creates them. */
import type { Accounts } from "../accounts/accounts.ts";
import type { PriceAlerts } from "../alerts/price-alerts.ts";
import type { ApiKeys } from "../api-keys/api-keys.ts";
import type { ListenKeys } from "../api-keys/listen-keys.ts";
import type { NodeQuestions } from "../cluster/cluster-links.ts";
import type { Config } from "../settings/config.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { History } from "../history/history.ts";
import type { CandlePages } from "./candle-pages.ts";
import type { CommandRates } from "./command-rates.ts";
import type { OrderPages } from "./order-pages.ts";
import type { NoticeMail } from "../notices/notice-mail.ts";
import type { NoticeStates } from "../notices/notice-states.ts";
import type { SecurityNotices } from "../notices/security-notices.ts";
import type { OwnChangeRates } from "./own-change-rates.ts";
import type { SharedLimits } from "../limits/shared-limits.ts";
import type { Log } from "../log.ts";
import type { Solvency } from "../solvency/solvency.ts";
import type { Watchlists } from "../personal/watchlists.ts";
import type { WithdrawalAddresses } from "../personal/withdrawal-addresses.ts";
import type { Views } from "../views/views.ts";

interface Notices {
  readonly states: NoticeStates;
  readonly security: SecurityNotices;
  readonly mail: NoticeMail;
}

/** Services for users' personal data and notices. */
export interface OwnServices {
  readonly alerts: PriceAlerts;
  readonly apiKeys: ApiKeys;
  readonly listenKeys: ListenKeys;
  readonly notices: Notices;
  readonly commandRates: CommandRates;
  readonly ownChangeRates: OwnChangeRates;
  readonly watchlists: Watchlists;
  readonly withdrawalAddresses: WithdrawalAddresses;
}

export interface Services extends OwnServices {
  readonly config: Config;
  readonly log: Log;
  readonly exchange: Exchange;
  readonly views: Views;
  readonly history: History;
  readonly candlePages: CandlePages;
  readonly orderPages: OrderPages;
  readonly accounts: Accounts;
  readonly solvency: Pick<Solvency, "report" | "proofOf">;
  /** Absent if one process runs the exchange. */
  readonly nodes?: NodeQuestions | undefined;
  /** Absent if one process runs the exchange. */
  readonly sharedLimits?: SharedLimits | undefined;
}
