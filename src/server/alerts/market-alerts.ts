/**
 * The active alerts of one market. A trade costs as much as the alerts that it reaches: the others
 * wait in order of price, of change or of time.
 */
import type { PriceAlert } from "../records/price-alerts.ts";
import { isOnPrice, pauseMsOf } from "./price-alert.ts";
import { type MinuteCandles, PriceWindow } from "./price-window.ts";
import { SortedAlerts } from "./sorted-alerts.ts";

/** An alert that a trade reached. */
export interface Reached {
  readonly alert: PriceAlert;
  readonly direction: "rise" | "fall";
  /** Of a change; else 0. */
  readonly fromTicks: number;
}

export class MarketAlerts {
  readonly #candles: MinuteCandles;
  readonly #rising = new SortedAlerts((alert) => alert.priceTicks);
  readonly #falling = new SortedAlerts((alert) => 0 - alert.priceTicks);
  readonly #resting = new SortedAlerts((alert) => alert.quietUntilMs);
  /** By the minutes of their window. */
  readonly #changing = new Map<number, { alerts: SortedAlerts; window: PriceWindow }>();
  /** They wait for the price to leave theirs, which says from which side it will come back. */
  #atPrice: PriceAlert[] = [];
  /** Of the newest trade, 0 if unknown. */
  #lastTicks = 0;

  constructor(candles: MinuteCandles) {
    this.#candles = candles;
  }

  add(alert: PriceAlert): void {
    if (alert.quietUntilMs > 0) this.#resting.add(alert);
    else this.#wait(alert);
  }

  remove(alert: PriceAlert): void {
    this.#resting.remove(alert);
    this.#waitingWith(alert).remove(alert);
    this.#atPrice = this.#atPrice.filter((each) => each !== alert);
  }

  /** Takes a trade that only tells the price. */
  skip(priceTicks: number): void {
    this.#lastTicks = priceTicks;
  }

  /**
   * Takes a trade. The alerts that it reached have changed: a repeating one rests, any other is over.
   * @param onArmed is called with each that waits again after a rest
   */
  onTrade(priceTicks: number, timeMs: number, onArmed: (alert: PriceAlert) => void): Reached[] {
    this.#wake(this.#lastTicks || priceTicks, timeMs, onArmed);
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
    for (const { alert } of reached) this.#fire(alert, timeMs);
    return reached;
  }

  #fire(alert: PriceAlert, timeMs: number): void {
    alert.firedAtMs = timeMs;
    if (alert.repeats) {
      alert.quietUntilMs = timeMs + pauseMsOf(alert);
      this.#resting.add(alert);
    } else {
      alert.status = "fired";
    }
  }

  #wake(lastTicks: number, timeMs: number, onArmed: (alert: PriceAlert) => void): void {
    const woken = this.#resting.takeUntil(timeMs);
    // All of them have the same price: the one at which the market last traded.
    const first = this.#atPrice.at(0);
    if (first !== undefined && first.priceTicks !== lastTicks)
      woken.push(...this.#atPrice.splice(0));
    for (const alert of woken) {
      if (arm(alert, lastTicks)) {
        this.#wait(alert);
        onArmed(alert);
      } else {
        this.#atPrice.push(alert);
      }
    }
  }

  #wait(alert: PriceAlert): void {
    const waiting = this.#waitingWith(alert);
    // Without alerts its window took no trades.
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

/** Makes the alert wait from the side on which the price is. False if the price is the alert's own. */
export function arm(alert: PriceAlert, lastTicks: number): boolean {
  if (isOnPrice(alert)) {
    if (alert.priceTicks === lastTicks) return false;
    alert.direction = lastTicks < alert.priceTicks ? "rise" : "fall";
  }
  alert.quietUntilMs = 0;
  return true;
}
