import { requireAdmin } from "./caller.ts";
import { FunctionError } from "./function-error.ts";
import type { Handlers } from "./handlers.ts";

export const list: Handlers["nodes"]["list"] = async (context) => {
  requireAdmin(context);
  return { nodes: (await context.services.nodes?.list()) ?? null };
};

export const stepDown: Handlers["nodes"]["stepDown"] = async (context, { reason }) => {
  const userId = requireAdmin(context);
  const said = await context.services.nodes?.stepDown(`the administrator ${userId}: ${reason}`);
  if (said !== undefined) return { said };
  throw new FunctionError({ code: "unavailable", message: "No node leads at the moment." });
};
