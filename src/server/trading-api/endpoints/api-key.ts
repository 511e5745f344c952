/** The restrictions of a request's key and the order counts of its owner. */
import { z } from "zod";
import { describeOrderCounts } from "../order-counts.ts";
import { keyRefused } from "../api-error.ts";
import { endpoint } from "../endpoint.ts";

export const orderCounts = endpoint({
  method: "GET",
  path: "/api/v3/rateLimit/order",
  summary: "How much of the allowances of orders the caller has used.",
  security: "userData",
  weight: 40,
  parameters: z.object({}),
  answer: ({ commandRates }, _parameters, { userId }) =>
    describeOrderCounts(commandRates.ordersOf(userId)),
});

export const apiRestrictions = endpoint({
  method: "GET",
  path: "/sapi/v1/account/apiRestrictions",
  summary: "What the key of the request may do.",
  security: "userData",
  weight: 1,
  parameters: z.object({}),
  answer({ apiKeys }, _parameters, { keyId }) {
    const record = apiKeys.recordOf(keyId);
    if (record === undefined) throw keyRefused();
    const { addressRanges, createdAtMs, expiresAtMs, permissions } = record;
    return {
      ipRestrict: addressRanges.length > 0,
      createTime: createdAtMs,
      enableReading: true,
      enableSpotAndMarginTrading: permissions.includes("trade"),
      enableWithdrawals: false,
      enableInternalTransfer: false,
      enableMargin: false,
      enableFutures: false,
      permitsUniversalTransfer: false,
      enableVanillaOptions: false,
      enableFixApiTrade: false,
      enableFixReadOnly: false,
      enablePortfolioMarginTrading: false,
      ...(expiresAtMs !== null && { tradingAuthorityExpirationTime: expiresAtMs }),
    };
  },
});
