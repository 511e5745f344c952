import type { OrderConditions } from "../commands.ts";

/** The conditions with their fields in a fixed order and nothing else. */
export function keptConditions(conditions: OrderConditions): OrderConditions {
  const { selfTradePrevention, displayLots, expiresAtMs, trigger } = conditions;
  return {
    ...(selfTradePrevention !== undefined && { selfTradePrevention }),
    ...(displayLots !== undefined && { displayLots }),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(trigger !== undefined && {
      trigger:
        trigger.kind === "trailingStop"
          ? { kind: trigger.kind, trailBps: trigger.trailBps }
          : { kind: trigger.kind, triggerTicks: trigger.triggerTicks },
    }),
  };
}
