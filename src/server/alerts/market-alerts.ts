/**
 * The active alerts of one market. The cost of a trade depends only on the alerts that it reaches:
 * all others wait, sorted by price, change or time. Those that it reaches are put elsewhere from the
 * last to the first: each of very many at one price then stands at the end of the others, not before them.
 */
import type { PriceAlert } from "../records/price-alerts.ts";
import { isOnPrice, quietMsOf } from "./price-alert.ts";
import { type MinuteCandles, PriceWindow } from "./price-window.ts";
import { SortedAlerts } from "./sorted-alerts.ts";

/** An alert that a trade has reached. */
export interface Reached {
  readonly alert: PriceAlert;
  readonly direction: "rise" | "fall";
  /** The price that a change is measured from; 0 for an alert on a price. */
  readonly fromTicks: number;
}

export class MarketAlerts {
  readonly #candles: MinuteCandles;
  readonly #rising = new SortedAlerts((alert) => alert.priceTicks);
  readonly #falling = new SortedAlerts((alert) => 0 - alert.priceTicks);
  readonly #quiet = new SortedAlerts((alert) => alert.quietUntilMs);
  /** Alerts on a change, by the length of their window in minutes. */
  readonly #changing = new Map<number, { alerts: SortedAlerts; window: PriceWindow }>();
  /**
   * Alerts whose price is the market's. Once the market leaves that price, it is known from which
   * side it will return.
   */
  #atPrice: PriceAlert[] = [];
  /** The price of the newest trade; 0 if unknown. */
  #lastTicks = 0;

  constructor(candles: MinuteCandles) {
    this.#candles = candles;
  }

  add(alert: PriceAlert): void {
    if (alert.quietUntilMs > 0) this.#quiet.add(alert);
    else this.#wait(alert);
  }

  remove(alert: PriceAlert): void {
    this.#quiet.remove(alert);
    this.#waitingWith(alert).remove(alert);
    this.#atPrice = this.#atPrice.filter((each) => each !== alert);
  }

  /** Processes a trade only for its price, without firing alerts. */
  skip(priceTicks: number): void {
    this.#lastTicks = priceTicks;
  }

  /**
   * Processes a trade. The alerts that it reached have changed: a repeating alert is quiet for a
   * while, any other has ended.
   * @param onArmed called for each alert that waits again after it was quiet
   */
  onTrade(priceTicks: number, timeMs: number, onArmed: (alert: PriceAlert) => void): Reached[] {
    this.#endQuiet(this.#lastTicks || priceTicks, timeMs, onArmed);
    this.#lastTicks = priceTicks;
    const reached: Reached[] = [];
    for (const alert of this.#rising.takeUntil(priceTicks)) {
      reached.push({ alert, direction: "rise", fromTicks: 0 });
    }
    for (const alert of this.#falling.takeUntil(0 - priceTicks)) {
      reached.push({ alert, direction: "fall", fromTicks: 0 });
    }
    for (const { alerts, window } of this.#changing.values()) {
      if (alerts.isEmpty) continue;
      const { direction, bps, fromTicks } = window.onTrade(priceTicks, timeMs);
      for (const alert of alerts.takeUntil(bps)) reached.push({ alert, direction, fromTicks });
    }
    for (const { alert } of reached.toReversed()) this.#fire(alert, timeMs);
    return reached;
  }

  #fire(alert: PriceAlert, timeMs: number): void {
    alert.firedAtMs = timeMs;
    if (alert.repeats) {
      alert.quietUntilMs = timeMs + quietMsOf(alert);
      this.#quiet.add(alert);
    } else {
      alert.status = "fired";
    }
  }

  #endQuiet(lastTicks: number, timeMs: number, onArmed: (alert: PriceAlert) => void): void {
    const waitingAgain = this.#quiet.takeUntil(timeMs);
    // These alerts all have the same price: that of the market's last trade.
    const first = this.#atPrice.at(0);
    const haveLeft = first !== undefined && first.priceTicks !== lastTicks;
    const left = haveLeft ? this.#atPrice.splice(0).reverse() : [];
    for (const alert of [...waitingAgain, ...left].toReversed()) {
      if (armAlert(alert, lastTicks)) {
        this.#wait(alert);
        onArmed(alert);
      } else {
        this.#atPrice.push(alert);
      }
    }
  }

  #wait(alert: PriceAlert): void {
    const waiting = this.#waitingWith(alert);
    // Without alerts, the window has processed no trades.
    if (waiting.isEmpty) this.#changing.get(alert.windowMinutes)?.window.reset();
    waiting.add(alert);
  }

  #waitingWith(alert: PriceAlert): SortedAlerts {
    if (isOnPrice(alert)) return alert.direction === "rise" ? this.#rising : this.#falling;
    const { windowMinutes } = alert;
    const known = this.#changing.get(windowMinutes);
    if (known !== undefined) return known.alerts;
    const alerts = new SortedAlerts(({ changeBps }) => changeBps);
    const window = new PriceWindow(windowMinutes, this.#candles);
    this.#changing.set(windowMinutes, { alerts, window });
    return alerts;
  }
}

/**
 * Makes the alert wait on the side of the current price. Returns false if the current price is the
 * alert's own.
 */
export function armAlert(alert: PriceAlert, lastTicks: number): boolean {
  if (isOnPrice(alert)) {
    if (alert.priceTicks === lastTicks) return false;
    alert.direction = lastTicks < alert.priceTicks ? "rise" : "fall";
  }
  alert.quietUntilMs = 0;
  return true;
}
