/**
 * The migrations in order. A migration that was released is never changed: a later one follows it.
 * They are listed rather than read from the folder, so that a missing file fails the type check.
 */
import type { Migration } from "kysely/migration";
import { up as history } from "./001-history.ts";
import { up as accounts } from "./002-accounts.ts";
import { up as accountsSafety } from "./003-accounts-safety.ts";
import { up as secondFactor } from "./004-second-factor.ts";
import { up as plansAndCorrections } from "./005-plans-and-corrections.ts";
import { up as passkeyUse } from "./006-passkey-use.ts";
import { up as orderTypes } from "./007-order-types.ts";
import { up as installation } from "./008-installation.ts";
import { up as mailQueue } from "./009-mail-queue.ts";
import { up as formerUsers } from "./010-former-users.ts";
import { up as knownAddresses } from "./011-known-addresses.ts";
import { up as exchangeLease } from "./012-exchange-lease.ts";
import { up as expiredSessions } from "./013-expired-sessions.ts";
import { up as oldAttempts } from "./014-old-attempts.ts";
import { up as orderChanges } from "./015-order-changes.ts";
import { up as watchlists } from "./016-watchlists.ts";
import { up as priceAlerts } from "./017-price-alerts.ts";
import { up as notices } from "./018-notices.ts";
import { up as apiKeys } from "./019-api-keys.ts";
import { up as ordersByClientId } from "./020-orders-by-client-id.ts";
import { up as candleVolumes } from "./021-candle-volumes.ts";
import { up as orderLists } from "./022-order-lists.ts";
import { up as activityBySequence } from "./023-activity-by-sequence.ts";
import { up as adminChanges } from "./024-admin-changes.ts";
import { up as withdrawalAddresses } from "./025-withdrawal-addresses.ts";
import { up as preventedMatches } from "./026-prevented-matches.ts";
import { up as historyWriter } from "./027-history-writer.ts";
import { up as listKinds } from "./028-list-kinds.ts";
import { up as amendedWaitingOrders } from "./029-amended-waiting-orders.ts";
import { up as workingOrders } from "./030-working-orders.ts";
import { up as securityEventsByKind } from "./031-security-events-by-kind.ts";
import { up as mailsInTurn } from "./032-mails-in-turn.ts";
import { up as indexStatistics } from "./033-index-statistics.ts";
import { up as leavingAdministrators } from "./034-leaving-administrators.ts";
import { up as accessChanges } from "./035-access-changes.ts";

export const migrations: Record<string, Migration> = {
  "001-history": { up: history },
  "002-accounts": { up: accounts },
  "003-accounts-safety": { up: accountsSafety },
  "004-second-factor": { up: secondFactor },
  "005-plans-and-corrections": { up: plansAndCorrections },
  "006-passkey-use": { up: passkeyUse },
  "007-order-types": { up: orderTypes },
  "008-installation": { up: installation },
  "009-mail-queue": { up: mailQueue },
  "010-former-users": { up: formerUsers },
  "011-known-addresses": { up: knownAddresses },
  "012-exchange-lease": { up: exchangeLease },
  "013-expired-sessions": { up: expiredSessions },
  "014-old-attempts": { up: oldAttempts },
  "015-order-changes": { up: orderChanges },
  "016-watchlists": { up: watchlists },
  "017-price-alerts": { up: priceAlerts },
  "018-notices": { up: notices },
  "019-api-keys": { up: apiKeys },
  "020-orders-by-client-id": { up: ordersByClientId },
  "021-candle-volumes": { up: candleVolumes },
  "022-order-lists": { up: orderLists },
  "023-activity-by-sequence": { up: activityBySequence },
  "024-admin-changes": { up: adminChanges },
  "025-withdrawal-addresses": { up: withdrawalAddresses },
  "026-prevented-matches": { up: preventedMatches },
  "027-history-writer": { up: historyWriter },
  "028-list-kinds": { up: listKinds },
  "029-amended-waiting-orders": { up: amendedWaitingOrders },
  "030-working-orders": { up: workingOrders },
  "031-security-events-by-kind": { up: securityEventsByKind },
  "032-mails-in-turn": { up: mailsInTurn },
  "033-index-statistics": { up: indexStatistics },
  "034-leaving-administrators": { up: leavingAdministrators },
  "035-access-changes": { up: accessChanges },
};
