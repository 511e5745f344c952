import { requireWriter } from "./caller.ts";
import { FunctionError } from "./function-error.ts";
import type { Handlers } from "./handlers.ts";

export const list: Handlers["nodes"]["list"] = async (context) => {
  return { nodes: (await context.services.nodes?.list()) ?? null };
};

export const stepDown: Handlers["nodes"]["stepDown"] = async (context, { reason }) => {
  const { identity, services } = context;
  requireWriter(identity);
  const because = `the administrator ${identity.subject}: ${reason}`;
  const said = await services.nodes?.stepDown(because);
  if (said === undefined) {
    throw new FunctionError({ code: "unavailable", message: "No node leads at the moment." });
  }
  await services.accounts.recordOwnChange(identity, "leaderSteppedDown", { detail: reason });
  return { said };
};
