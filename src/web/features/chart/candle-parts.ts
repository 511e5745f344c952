/**
 * The candles with the viewer's trades and orders over them: one file to load, since every viewer needs the first
 * and every trader the others.
 */
export { CandleChart } from "./candle-chart.tsx";
export { OwnFills } from "./fills/own-fills.tsx";
export { OrderLines } from "./orders/order-lines.tsx";
