/**
 * The baseline of `bench/api.ts`: a server of `node:http` that only parses requests and answers each
 * with the exchange's answer to an order. Prints its port.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const ANSWER = JSON.stringify({
  symbol: "BTCUSD",
  orderId: 1_234_567,
  orderListId: -1,
  clientOrderId: "rest-0-12345",
  transactTime: 1_700_000_000_000,
  price: "30000.00",
  origQty: "0.00100000",
  executedQty: "0.00000000",
  origQuoteOrderQty: "0.00",
  cummulativeQuoteQty: "0.00",
  status: "NEW",
  timeInForce: "GTC",
  type: "LIMIT",
  side: "BUY",
  selfTradePreventionMode: "EXPIRE_TAKER",
  workingTime: 1_700_000_000_000,
  fills: [],
});

const server = createServer((_request, response) => {
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(ANSWER),
  });
  response.end(ANSWER);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(` is open at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
