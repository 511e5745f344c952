/** What programs do wrong. */
import { type AnswerRecording, callNamed, type Signer, type Texts } from "./answer-recording.ts";
import type { RecordedPrograms } from "./recorded-calls.ts";

const MARKET = { symbol: "BTCUSD" };
const ORDER = "/api/v3/order";
const LIMIT = { ...MARKET, type: "LIMIT", timeInForce: "GTC" };

/** So that every code that can be provoked refuses something. */
export async function provokeRefusals({ recording, taker }: RecordedPrograms): Promise<void> {
  const refuse = (name: string, parameters: Texts) => recording.refusal(name, taker, parameters);
  const place = (terms: Texts) => refuse(`POST ${ORDER}`, { ...MARKET, ...terms });
  const limit = { ...LIMIT, side: "BUY", price: "60000", quantity: "0.01" };
  await place({ ...limit, price: "60000.001" });
  await place({ ...limit, price: "63000", quantity: "9" });
  await place({ ...limit, stopPrice: "60000" });
  await place({ ...limit, timeInForce: "DAY" });
  await place({ ...limit, side: "UP" });
  await place({ ...limit, type: "FAST" });
  await place({ side: "SELL", type: "STOP_LOSS", quantity: "0.01" });
  await refuse(`GET ${ORDER}`, { ...MARKET, orderId: "999999" });
  await refuse(`DELETE ${ORDER}`, { ...MARKET, orderId: "999999" });
  await refuse(`DELETE ${ORDER}`, { ...MARKET, orderId: "1", cancelRestrictions: "NONE" });
  await refuse("DELETE /api/v3/openOrders", MARKET);
  await place({ ...limit, strategyType: "1" });
  await refuse("PUT /api/v3/userDataStream", { listenKey: "unknown" });
  await refuse(`PUT ${ORDER}/amend/keepPriority`, { ...MARKET, orderId: "999999", newQty: "0.1" });
  const replacement = { ...limit, cancelOrderId: "999999" };
  for (const cancelReplaceMode of ["STOP_ON_FAILURE", "ALLOW_FAILURE"]) {
    await refuse(`POST ${ORDER}/cancelReplace`, { ...replacement, cancelReplaceMode });
  }
  await refuse("GET /api/v3/myTrades", { ...MARKET, startTime: "0", endTime: "99999999" });
  await refuse("GET /api/v3/myTrades", { ...MARKET, startTime: "2", endTime: "1" });
  await refuse("GET /api/v3/myTrades", { ...MARKET, startTime: "0", fromId: "1" });
  await refuse("GET /api/v3/ticker/price", { ...MARKET, symbols: '["BTCUSD"]' });
  await refuse("GET /api/v3/depth", { ...MARKET, symbolStatus: "HALT" });
  await refuse("GET /api/v3/klines", { ...MARKET, interval: "7m" });
  await refuse("GET /sapi/v1/capital/deposit/address", { coin: "BTC" });
  await refuse("POST /sapi/v1/capital/withdraw/apply", { coin: "BTC", address: "a", amount: "1" });
  await refuseLists(refuse);
}

async function refuseLists(
  refuse: (name: string, parameters: Texts) => Promise<unknown>,
): Promise<void> {
  const lists = "/api/v3/orderList";
  await refuse(`GET ${lists}`, { orderListId: "999999" });
  const pair = (side: string, above: Texts, below: Texts) =>
    refuse(`POST ${lists}/oco`, { ...MARKET, side, quantity: "0.01", ...above, ...below });
  const limitAbove = { aboveType: "LIMIT_MAKER", abovePrice: "70000" };
  const limitBelow = { belowType: "LIMIT_MAKER", belowPrice: "60000" };
  const stopAbove = { aboveType: "STOP_LOSS", aboveStopPrice: "70000" };
  const stopBelow = { belowType: "STOP_LOSS", belowStopPrice: "60000" };
  const profitAbove = { aboveType: "TAKE_PROFIT", aboveStopPrice: "70000" };
  const profitBelow = { belowType: "TAKE_PROFIT", belowStopPrice: "60000" };
  for (const side of ["BUY", "SELL"]) {
    await pair(side, limitAbove, limitBelow);
    await pair(side, limitAbove, stopBelow);
    await pair(side, stopAbove, limitBelow);
    await pair(side, stopAbove, stopBelow);
    await pair(side, profitAbove, limitBelow);
    await pair(side, limitAbove, profitBelow);
  }
  await pair("SELL", { ...limitAbove, aboveIcebergQty: "0.005" }, stopBelow);
  await pair("SELL", limitAbove, { belowType: "MARKET" });
  const hidden = { belowType: "STOP_LOSS_LIMIT", belowPrice: "59000", belowTimeInForce: "IOC" };
  await pair("SELL", limitAbove, { ...hidden, belowStopPrice: "60000", belowIcebergQty: "0.005" });
}
/** Requests that each of a call's parameters, its key or its signature makes wrong. */
export async function refuseWrongRequests(
  recording: AnswerRecording,
  name: string,
  signer: Signer,
): Promise<void> {
  const { parameters, security } = callNamed(name);
  const names = Object.keys(parameters.shape);
  await recording.refusal(name, signer, { unknown: "1" });
  for (const parameter of names) {
    for (const text of ["", "\u0001", "9".repeat(20)]) {
      await recording.refusal(name, signer, { [parameter]: text });
    }
  }
  if (security === "none") return;
  const key = { "x-mbx-apikey": signer.apiKey };
  await recording.refusalOf(name, "", {});
  await recording.refusalOf(name, "", key);
  await recording.refusalOf(name, "timestamp=1&signature=00", key);
  await recording.refusalOf(name, `timestamp=${Date.now()}&signature=00`, key);
  await recording.refusalOf(name, `timestamp=${Date.now()}&recvWindow=70000&signature=00`, key);
  await recording.refusalOf(name, "timestamp=now&signature=00", key);
  await recording.refusalOf(name, "", { "x-mbx-apikey": `${signer.apiKey.slice(0, -4)}AAAA` });
}
