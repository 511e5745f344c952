/**
 * The lowest and highest price of a market within a moving window of minutes, including the price
 * at its beginning. Full minutes are read once a minute; trades in between extend the range.
 */
import { divide } from "#contract/decimal.ts";

const MINUTE_MS = 60_000;

export interface MinuteCandle {
  readonly openTime: number;
  readonly highTicks: number;
  readonly lowTicks: number;
}

/** The one-minute candles of a market. */
export interface MinuteCandles {
  /** Up to `limit` candles that opened before `before`, oldest first. */
  read(before: number, limit: number): readonly MinuteCandle[];
  /** The last price before a time; 0 if none. */
  closeBefore(timeMs: number): number;
}

export interface PriceChange {
  readonly direction: "rise" | "fall";
  /** Basis points, rounded down: a change of 2.99 basis points does not reach 3. */
  readonly bps: number;
  readonly fromTicks: number;
}

export class PriceWindow {
  readonly #minutes: number;
  readonly #candles: MinuteCandles;
  /** The minute of the newest trade. */
  #minuteMs = -1;
  #lowTicks = 0;
  #highTicks = 0;

  constructor(minutes: number, candles: MinuteCandles) {
    this.#minutes = minutes;
    this.#candles = candles;
  }

  /**
   * Processes a trade and returns the larger of the changes from the window's lowest and highest
   * price.
   */
  onTrade(priceTicks: number, timeMs: number): PriceChange {
    const minuteMs = timeMs - (timeMs % MINUTE_MS);
    if (minuteMs !== this.#minuteMs) this.#begin(minuteMs, priceTicks);
    this.#extend(priceTicks, priceTicks);
    const rise = bpsOf(priceTicks - this.#lowTicks, this.#lowTicks);
    const fall = bpsOf(this.#highTicks - priceTicks, this.#highTicks);
    return rise >= fall
      ? { direction: "rise", bps: rise, fromTicks: this.#lowTicks }
      : { direction: "fall", bps: fall, fromTicks: this.#highTicks };
  }

  /** Must be called after trades were skipped: the next trade then reads all candles again. */
  reset(): void {
    this.#minuteMs = -1;
  }

  #begin(minuteMs: number, priceTicks: number): void {
    this.#minuteMs = minuteMs;
    const beginMs = minuteMs + MINUTE_MS - this.#minutes * MINUTE_MS;
    const before = this.#candles.closeBefore(beginMs) || priceTicks;
    this.#lowTicks = before;
    this.#highTicks = before;
    for (const candle of this.#candles.read(minuteMs + MINUTE_MS, this.#minutes)) {
      if (candle.openTime >= beginMs) this.#extend(candle.lowTicks, candle.highTicks);
    }
  }

  #extend(lowTicks: number, highTicks: number): void {
    if (lowTicks < this.#lowTicks) this.#lowTicks = lowTicks;
    if (highTicks > this.#highTicks) this.#highTicks = highTicks;
  }
}

function bpsOf(changeTicks: number, fromTicks: number): number {
  return Number(divide(BigInt(changeTicks) * 10_000n, BigInt(fromTicks), "down"));
}
