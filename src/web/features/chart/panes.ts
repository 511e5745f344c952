/** The chart library's name of the pane that has the candles. */
export const CANDLE_PANE = "candle_pane";
