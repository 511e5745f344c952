import type { PriceAlert } from "#contract/alerts.ts";
import { formatDecimal, trimDecimal } from "#contract/decimal.ts";
import { TooManyAlertsError } from "../alerts/new-alert.ts";
import type { PriceAlert as AlertRecord } from "../records/price-alerts.ts";
import type { MarketView } from "../views/catalogue.ts";
import type { Views } from "../views/views.ts";
import { admitOwnChange, requireUser } from "./caller.ts";
import { FunctionError, within } from "./function-error.ts";
import type { Handlers } from "./handlers.ts";
import { formatPrice, parseBps, parsePrice } from "./market-numbers.ts";
import { invalidArgument, unknownMarket } from "./refusals.ts";
import type { Services } from "./services.ts";

export const list: Handlers["alerts"]["list"] = (context) => {
  const userId = requireUser(context);
  const { alerts, config, views } = context.services;
  context.dependsOn(`alerts:${userId}`);
  return {
    alerts: alerts.of(userId).map((alert) => presentAlert(views, alert)),
    alertsMax: config.PRICE_ALERTS_PER_USER,
  };
};

export const create: Handlers["alerts"]["create"] = async (context, args) => {
  const userId = admitOwnChange(context, args.validUntil);
  const { alerts, config, views } = context.services;
  const market = views.catalogue.marketBySymbol(args.market);
  if (market === undefined) throw unknownMarket(args.market);
  if (alerts.of(userId).length >= config.PRICE_ALERTS_PER_USER) throw tooManyAlerts(config);
  const { marketId } = market;
  const terms = { priceTicks: 0, changeBps: 0, windowMinutes: 0 };
  const { condition } = args;
  if (condition.kind === "price") {
    terms.priceTicks = within("condition", () => parsePrice(condition.price, market));
    if (views.tickers.lastTicks(marketId) === terms.priceTicks) {
      throw invalidArgument("condition.price", "This is the price now; choose another.");
    }
  } else {
    terms.changeBps = within("condition", () => parseBps(condition.percent));
    terms.windowMinutes = condition.windowMinutes;
  }
  if (views.tickers.lastTicks(marketId) === 0) {
    throw invalidArgument("market", "This market has no price yet.");
  }
  const wanted = { userId, marketId, ...terms, repeats: args.repeats };
  try {
    return presentAlert(views, await alerts.create(wanted));
  } catch (error) {
    throw error instanceof TooManyAlertsError ? tooManyAlerts(config) : error;
  }
};

export const setPaused: Handlers["alerts"]["setPaused"] = async (context, args) => {
  const userId = admitOwnChange(context, args.validUntil);
  const { alerts, views } = context.services;
  const alert = await alerts.setPaused(userId, args.alertId, args.paused);
  if (alert === undefined) throw unknownAlert();
  return presentAlert(views, alert);
};

export const remove: Handlers["alerts"]["remove"] = async (context, { alertId, validUntil }) => {
  const userId = admitOwnChange(context, validUntil);
  if (!(await context.services.alerts.remove(userId, alertId))) throw unknownAlert();
  return null;
};

function tooManyAlerts({ PRICE_ALERTS_PER_USER: alertsMax }: Services["config"]): FunctionError {
  const message = `You have ${alertsMax} alerts, the most there may be; delete one first.`;
  return new FunctionError({ code: "limitReached", message });
}

function unknownAlert(): FunctionError {
  return new FunctionError({
    code: "notFound",
    field: "alertId",
    message: "You have no such alert.",
  });
}

function presentAlert(views: Views, alert: AlertRecord): PriceAlert {
  const market = views.catalogue.market(alert.marketId);
  return {
    alertId: alert.id,
    market: market.definition.symbol,
    condition: presentCondition(alert, market),
    repeats: alert.repeats,
    status: alert.status,
    createdAt: alert.createdAtMs,
    firedAt: alert.firedAtMs === 0 ? null : alert.firedAtMs,
  };
}

function presentCondition(alert: AlertRecord, market: MarketView): PriceAlert["condition"] {
  const { priceTicks, changeBps, windowMinutes } = alert;
  if (priceTicks > 0) return { kind: "price", price: formatPrice(priceTicks, market) };
  return { kind: "change", percent: trimDecimal(formatDecimal(changeBps, 2)), windowMinutes };
}
